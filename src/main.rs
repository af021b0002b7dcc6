//! The binary: a hook call, or a command.

fn main() {}
