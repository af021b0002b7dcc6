//! Files made from the tables in the source are as those say. `BLESS=1 cargo test --test generated_files`
//! writes them anew.

use std::fs;
use std::path::Path;

use turnstop::agent::claude::settings::{self, Profile, Wiring};
use turnstop::report::catalogue;

fn generated() -> Vec<(String, String)> {
    let mut files = vec![
        ("hooks/hooks.json".to_owned(), settings::plugin_hooks()),
        (".claude-plugin/plugin.json".to_owned(), settings::plugin_manifest()),
        (".claude-plugin/marketplace.json".to_owned(), settings::plugin_marketplace()),
    ];
    files.push(("docs/rules.json".to_owned(), format!("{:#}\n", catalogue::catalogue())));
    files.push(("docs/config.schema.json".to_owned(), format!("{:#}\n", catalogue::config_schema())));
    files.extend(catalogue::all().map(|meta| (format!("docs/rules/{}.md", meta.name()), catalogue::page(meta))));
    files.push(("README.md".to_owned(), readme()));
    for profile in Profile::ALL {
        let wiring = Wiring { command: "turnstop".to_owned(), profile };
        files.push((format!("settings-snippets/{}.json", profile.name()), settings::snippet(&wiring)));
    }
    files
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README with its table of rules made anew.
fn readme() -> String {
    const BEGIN: &str = "<!-- rules: begin -->\n";
    const END: &str = "<!-- rules: end -->";
    let text = fs::read_to_string(root().join("README.md")).expect("a README");
    let (before, rest) = text.split_once(BEGIN).expect("the README marks where the rules begin");
    let (_, after) = rest.split_once(END).expect("and where they end");
    format!("{before}{BEGIN}{}{END}{after}", catalogue::table())
}

#[test]
fn generated_files_are_fresh() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut stale = Vec::new();
    for (name, wanted) in generated() {
        let path = root().join(&name);
        if fs::read_to_string(&path).is_ok_and(|found| found == wanted) {
            continue;
        }
        if bless {
            fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            fs::write(&path, wanted).expect("a file of the repository can be written");
        } else {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "stale, run with BLESS=1 to write them anew: {stale:?}");
}

#[test]
fn generated_files_are_json() {
    for (name, text) in generated().into_iter().filter(|(name, _)| Path::new(name).extension().is_some_and(|extension| extension == "json"))
    {
        let parsed: Result<serde_json::Value, _> = serde_json::from_str(&text);
        assert!(parsed.is_ok_and(|value| value.is_object()), "{name}");
    }
}

/// The text of every Rust file below a folder.
fn sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push_str(&fs::read_to_string(&path).expect("text"));
        }
    }
}

#[test]
fn what_security_is_shown_by_is_there() {
    let mut code = String::new();
    sources(&root().join("src"), &mut code);
    sources(&root().join("tests"), &mut code);
    let text = fs::read_to_string(root().join("SECURITY.md")).expect("a page");
    let shown_by =
        text.lines().filter(|line| line.starts_with("| ")).filter_map(|line| line.trim_end_matches([' ', '|']).rsplit_once("| "));
    let names: Vec<&str> = shown_by.flat_map(|(_, cell)| cell.split('`').skip(1).step_by(2)).collect();
    assert!(names.len() > 25, "{names:?}");
    for name in names {
        let there = if name.contains('.') { root().join(name).exists() } else { code.contains(&format!("fn {name}(")) };
        assert!(there, "{name}");
    }
}
