//! The hook's own log: what went wrong inside it, for whoever wonders why it was silent.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use crate::fs::{open_own, private_dir};
use crate::text;

/// Size past which the log is put aside as `log.1` and begun anew, in bytes.
const MAX_LOG_BYTES: u64 = 256 << 10;

/// Adds one line to `<state folder>/log`. Whatever goes wrong here is nobody's concern.
pub(super) fn write(state_dir: Option<&PathBuf>, line: &str) {
    let Some(dir) = state_dir.filter(|dir| private_dir(dir).is_ok()) else { return };
    let path = dir.join("log");
    if fs::metadata(&path).is_ok_and(|found| found.len() > MAX_LOG_BYTES) && fs::rename(&path, path.with_extension("1")).is_err() {
        return;
    }
    let time = chrono::Utc::now().format("%Y-%m-%dT%H:%M:%SZ");
    let line = format!("{time} {}\n", text::cut(&text::clean(line), 500));
    if let Ok(mut log) = open_own(OpenOptions::new().create(true).append(true), &path) {
        let _ = log.write_all(line.as_bytes());
    }
}
