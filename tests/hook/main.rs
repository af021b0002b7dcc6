//! The hook as a process, and the commands that read what sessions left.

mod fixtures;
mod hostile;
mod live;
mod play;
mod scan;
mod status;
mod support;
#[path = "../told/mod.rs"]
mod told;
