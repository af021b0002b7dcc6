//! Files made from the tables in the source are as those say. `BLESS=1 cargo test --test generated_files`
//! writes them anew.

use std::fs;
use std::path::Path;

use turnstop::agent::claude::settings::{self, Profile, Wiring};

fn generated() -> Vec<(String, String)> {
    let mut files = vec![
        ("hooks/hooks.json".to_owned(), settings::plugin_hooks()),
        (".claude-plugin/plugin.json".to_owned(), settings::plugin_manifest()),
        (".claude-plugin/marketplace.json".to_owned(), settings::plugin_marketplace()),
    ];
    for profile in Profile::ALL {
        let wiring = Wiring { command: "turnstop".to_owned(), profile };
        files.push((format!("settings-snippets/{}.json", profile.name()), settings::snippet(&wiring)));
    }
    files
}

#[test]
fn generated_files_are_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bless = std::env::var_os("BLESS").is_some();
    let mut stale = Vec::new();
    for (name, wanted) in generated() {
        let path = root.join(&name);
        if fs::read_to_string(&path).is_ok_and(|found| found == wanted) {
            continue;
        }
        if bless {
            fs::write(&path, wanted).expect("a file of the repository can be written");
        } else {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "stale, run with BLESS=1 to write them anew: {stale:?}");
}

#[test]
fn generated_files_are_json() {
    for (name, text) in generated() {
        let parsed: Result<serde_json::Value, _> = serde_json::from_str(&text);
        assert!(parsed.is_ok_and(|value| value.is_object()), "{name}");
    }
}
