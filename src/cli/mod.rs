//! The commands: one file each, no logic that a test could want without the command line.
