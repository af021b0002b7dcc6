//! The hook as a process: whole sessions, fixtures, and what it does when things go wrong.

mod fixtures;
mod hostile;
mod live;
mod support;
