//! The format contract: the only code that knows a client's hook payloads, replies, transcript lines,
//! folders and settings. What a client must provide stands here; each client is one folder.

pub mod claude;
