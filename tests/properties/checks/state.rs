//! Files of the state folder.

use std::fs;
use std::path::Path;

use turnstop::session::event::Event;
use turnstop::session::scope::SharedPath;
use turnstop::session::store::{MAX_STATE_BYTES, Record, State, Store};

use super::{parts, session};

/// Any state file, any overflow, any events that wait, any ledger: each is read or passed over, and what is written
/// then is small, and reads as it was written. A newer version's file is left alone.
pub(crate) fn of_any_files(bytes: &[u8]) {
    let [state, overflow, waiting, ledger] = parts::<4>(bytes);
    let folder = tempfile::tempdir_in(super::scratch()).expect("a folder");
    let store = Store::open(folder.path().join("state")).expect("a store");
    let sessions = folder.path().join("state/sessions");
    for (name, bytes) in [("s.json", state), ("s.overflow", overflow), ("s.waiting", waiting)] {
        if !bytes.is_empty() {
            fs::write(sessions.join(name), bytes).expect("written");
        }
    }
    let scope = session::scope();
    let mut slot = store.slot("s").expect("a slot");
    let loaded = slot.load();
    if loaded.as_ref().is_some_and(State::is_newer) {
        return;
    }
    let mut kept = loaded.unwrap_or_default();
    slot.take_overflow(&mut kept, &scope);
    let _ = kept.known_facts(&scope);
    for line in overflow.split(|byte| *byte == b'\n') {
        if let Ok(event) = serde_json::from_slice::<Event<'_>>(line) {
            kept.apply(Record::of(event), &scope);
        }
    }
    let prepared = slot.prepare(&mut kept).expect("room for it");
    slot.finish(prepared, &mut kept, &scope).expect("put in place");
    let size = fs::metadata(sessions.join("s.json")).expect("it is there").len();
    assert!(size <= MAX_STATE_BYTES as u64, "{size} bytes");
    assert_eq!(slot.load().as_ref(), Some(&kept), "as it was written");
    the_ledger_is_read(&folder.path().join("state"), &store, ledger);
}

fn the_ledger_is_read(dir: &Path, store: &Store, bytes: &[u8]) {
    fs::write(dir.join("temp-ledger.jsonl"), bytes).expect("written");
    let ledger = store.ledger();
    let rows = ledger.read().expect("read");
    for (path, glob) in [("/tmp/a", false), ("/tmp/*", true)] {
        let touched = rows.touched_by(&SharedPath { path: path.into(), glob });
        assert!(touched.iter().all(|row| glob || path.starts_with(&row.path) || row.path.starts_with(path)), "{touched:?}");
        ledger.append(&touched).expect("written");
        assert_eq!(ledger.read().expect("read").touched_by(&SharedPath { path: path.into(), glob }), touched, "told again, it is the same");
    }
}
