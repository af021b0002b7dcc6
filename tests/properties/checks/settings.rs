//! The hook entries in a settings file.

use turnstop::agent::claude::events::EVENTS;
use turnstop::agent::claude::settings::{Profile, Wiring, install, installed, uninstall};

use super::text;

/// Any text: it is refused as it stands, with a place in it, or entries come and go without a trace.
pub(crate) fn of_any_text(bytes: &[u8]) {
    let before = text(bytes);
    for profile in Profile::ALL {
        come_and_go(&before, &Wiring { command: "/opt/turnstop".into(), profile });
    }
}

/// `install` then `uninstall` is nothing, `install` twice is once, and the entries are all there in between.
pub(crate) fn come_and_go(before: &str, wiring: &Wiring) {
    let bare = match uninstall(before) {
        Ok(bare) => bare,
        Err(refusal) => {
            assert!(refusal.line >= 1 && refusal.line <= before.matches('\n').count() + 1 && refusal.column >= 1, "{refusal:?}");
            assert!(install(Some(before), wiring).is_err() && installed(before).is_err(), "{before:?}");
            return;
        }
    };
    let untouched = bare.as_deref() == Some(before);
    assert!(!untouched || installed(before).expect("can be read").events.is_empty(), "{before:?}");
    if let Some(bare) = &bare {
        assert_eq!(installed(bare).expect("can be read").events, Vec::<String>::new(), "{before:?}");
    }
    let Ok(with) = install(Some(before), wiring) else {
        return;
    };
    let found = installed(&with).expect("can be read");
    assert!(!found.doubled && EVENTS.iter().all(|event| found.events.iter().any(|name| name == event.name)), "{with:?}");
    assert_eq!(found.profile, Some(wiring.profile), "{with:?}");
    assert_eq!(install(Some(&with), wiring).expect("can be added to"), with, "installed twice");
    let after = uninstall(&with).expect("can be read");
    if untouched {
        assert_eq!(after.as_deref(), Some(before), "by way of {with:?}");
    } else {
        assert!(after.is_none() || installed(after.as_deref().unwrap_or_default()).is_ok_and(|found| found.events.is_empty()));
    }
}
