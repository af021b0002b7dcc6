//! Which of the client's events have reached us, and when: one empty file each, whose time tells.

use std::fs::{self, OpenOptions};
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::fs::{open_own, private_dir};

/// The folder in the state folder.
pub const FOLDER: &str = "seen";

/// How old the record may grow before it is renewed. A look at a file's time costs a microsecond, a write twenty.
const PRECISION: Duration = Duration::from_mins(1);

/// Notes that an event reached us. `event` is one of the client's names, never text of a payload's own making.
pub fn note(state_dir: &Path, event: &str) {
    let folder = state_dir.join(FOLDER);
    let file = folder.join(event);
    let fresh = last(state_dir, event).is_some_and(|seen| seen.elapsed().is_ok_and(|age| age < PRECISION));
    if !fresh && private_dir(state_dir).is_ok() && private_dir(&folder).is_ok() {
        // Whoever asks for it will see that it is old: no more than that is lost.
        let _ = open_own(OpenOptions::new().create(true).truncate(true).write(true), &file);
    }
}

/// When the event last reached us, to the minute.
pub fn last(state_dir: &Path, event: &str) -> Option<SystemTime> {
    fs::metadata(state_dir.join(FOLDER).join(event)).ok()?.modified().ok()
}
