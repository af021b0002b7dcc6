//! `turnstop install` and `turnstop uninstall`, through the binary and on real files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};
use tempfile::TempDir;
use turnstop::agent::claude::events::EVENTS;

const LOCAL: &str = ".claude/settings.local.json";

/// A home and a project of their own.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["home", "project"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        Self { folder }
    }

    fn with_local(text: &str) -> Self {
        let bench = Self::new();
        bench.write(LOCAL, text);
        bench
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.project().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn local(&self) -> String {
        fs::read_to_string(self.path(LOCAL)).expect("the local settings")
    }

    fn local_json(&self) -> Value {
        serde_json::from_str(&self.local()).expect("strict JSON")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(cargo_bin("turnstop"));
        command.args(arguments).current_dir(self.project()).stdin(Stdio::null()).env("HOME", self.folder.path().join("home"));
        for name in ["CLAUDECODE", "AI_AGENT", "CLAUDE_CONFIG_DIR"] {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the binary runs")
    }

    /// Runs what has to go well, and returns what it printed.
    fn done(&self, arguments: &[&str]) -> String {
        done(&self.run(arguments))
    }
}

fn done(output: &Output) -> String {
    let (out, err) = texts(output);
    assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{out}");
    out
}

/// What was said about a refusal, which has to be exit 2, on stderr alone, with a remedy.
fn refused(output: &Output) -> String {
    let (out, err) = texts(output);
    assert_eq!((output.status.code(), out.as_str()), (Some(2), ""), "{err}");
    assert!(err.starts_with("error: ") && err.contains("\nhelp: "), "{err}");
    err
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (text(&output.stdout), text(&output.stderr))
}

fn binary() -> String {
    cargo_bin("turnstop").to_str().expect("UTF-8").to_owned()
}

/// The groups that the settings should have of turnstop, by event.
fn own_group(event: &str, arguments: &Value, strict: bool) -> Value {
    let mut entry = json!({"type": "command", "command": binary(), "args": arguments, "timeout": 10});
    if strict && event == "PreToolUse" {
        entry["onFailure"] = json!("block");
    }
    let matcher = EVENTS.iter().find(|known| known.name == event).and_then(|known| known.matcher);
    match matcher {
        Some(matcher) => json!({"matcher": matcher, "hooks": [entry]}),
        None => json!({"hooks": [entry]}),
    }
}

#[test]
fn uninstall_gives_back_what_was_there() {
    let cases = [
        ("an empty object", "{}"),
        ("an empty object on two lines", "{\n}\n"),
        ("an empty object with a comment", "{ // nothing yet\n}\n"),
        ("no final line end", "{\n  \"model\": \"opus\"\n}"),
        ("a comment", "{\n  // my note\n  \"model\": \"opus\" // inline\n  // tail\n}\n"),
        ("tabs", "{\n\t\"model\": \"opus\",\n\t\"env\": {\n\t\t\"A\": \"1\"\n\t}\n}\n"),
        ("four spaces", "{\n    \"env\": { \"A\": \"1\" }\n}\n"),
        ("CRLF", "{\r\n  \"model\": \"opus\"\r\n}\r\n"),
        ("CRLF and comments", "{\r\n  \"model\": \"opus\" // a\r\n}\r\n"),
        ("a BOM", "\u{feff}{}"),
        ("a BOM and CRLF", "\u{feff}{\r\n\t\"a\": 1\r\n}"),
        ("minified", r#"{"permissions":{"allow":["Bash(ls:*)"]},"n":12345678901234567890,"x":1.0e3}"#),
        ("minified with empty hooks", r#"{"a":1,"hooks":{}}"#),
        ("minified with an empty event", r#"{"hooks":{"Stop":[]}}"#),
        ("a trailing comma", "{\n  \"a\": 1,\n}\n"),
        ("a trailing comma and a comment", "{\n  \"a\": 1, // c\n  // d\n}\n"),
        ("empty hooks", "{\n  \"hooks\": {}\n}\n"),
        ("empty hooks on two lines", "{\n  \"hooks\": {\n  }\n}\n"),
        ("empty hooks with a comment", "{\n  \"hooks\": { /* mine */ }\n}\n"),
        ("empty events", "{\n  \"hooks\": {\n    \"PreToolUse\": [],\n    \"Stop\": [\n    ]\n  }\n}\n"),
        (
            "hooks of others",
            "{\"hooks\": {\n  \"SessionStart\": [{\"matcher\": \"compact\", \"hooks\": [{\"type\": \"command\", \"command\": \"other-tool restore\"}]}]},\n \"permissions\": {\"allow\": [\"Bash(ls:*)\"]}}\n",
        ),
        (
            "hooks that look like ours",
            "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"echo turnstop hook\" },\n          { \"type\": \"command\", \"command\": \"turnstop-extra hook\" },\n          { \"type\": \"command\", \"command\": \"/bin/turnstop\", \"args\": [\"scan\"] }\n        ]\n      }\n    ]\n  }\n}\n",
        ),
        ("escapes and unusual spelling", "{ \"a\\u0062\" :\t[ 1,2 ,3 ] ,\"b\":{\n} , \"ho\\u006fks\": {\"St\\u006fp\" : [ ] } }"),
    ];
    for (name, before) in cases {
        for profile in ["observe", "standard", "strict"] {
            let bench = Bench::with_local(before);
            let said = bench.done(&["install", "--profile", profile]);
            assert!(said.starts_with("installed turnstop"), "{name}: {said}");
            let wired = bench.local();
            assert_eq!(wired.starts_with('\u{feff}'), before.starts_with('\u{feff}'), "{name}");
            assert_eq!(wired.contains("\r\n"), before.contains("\r\n"), "{name}");
            assert_eq!(
                wired.replace("\r\n", "").contains('\n'),
                before.replace("\r\n", "").contains('\n') || wired_anew(before),
                "{name}: {wired}"
            );

            let again = bench.done(&["install", "--profile", profile]);
            assert!(again.starts_with("turnstop is up to date"), "{name}: {again}");
            assert_eq!(bench.local(), wired, "{name}");

            bench.done(&["uninstall"]);
            assert_eq!(bench.local(), before, "{name}");
            assert!(bench.done(&["uninstall"]).starts_with("nothing to do"), "{name}");
            let left: Vec<_> = fs::read_dir(bench.path(".claude")).expect("the folder").collect();
            assert_eq!(left.len(), 1, "{name}: {left:?}");
        }
    }
}

/// Whether new text brings the first line ends into a file: it does into one without any member.
fn wired_anew(before: &str) -> bool {
    before.trim_start_matches('\u{feff}') == "{}"
}

#[test]
fn a_missing_file_is_made_and_removed() {
    let bench = Bench::new();
    let said = bench.done(&["install"]);
    let events: Vec<_> = EVENTS.iter().map(|event| event.name).collect();
    let file = bench.path(LOCAL);
    for part in [
        format!("  file: {}\n", file.display()),
        format!("  runs: {} hook\n", binary()),
        format!("  events: {}\n", events.join(", ")),
        format!("undo: turnstop uninstall {}\n", bench.project().display()),
    ] {
        assert!(said.contains(&part), "{part} in {said}");
    }
    let hooks: serde_json::Map<_, _> =
        events.iter().map(|event| ((*event).to_owned(), json!([own_group(event, &json!(["hook"]), false)]))).collect();
    assert_eq!(bench.local_json(), json!({ "hooks": hooks }));
    assert!(bench.local().starts_with("{\n  \"hooks\": {\n") && bench.local().ends_with("}\n"));

    bench.done(&["uninstall"]);
    assert!(!bench.path(".claude").exists());
}

#[test]
fn a_folder_with_other_files_stays() {
    let bench = Bench::new();
    bench.write(".claude/notes.md", "mine");
    bench.done(&["install"]);
    bench.done(&["uninstall"]);
    assert!(!bench.path(LOCAL).exists() && bench.path(".claude/notes.md").exists());
}

#[test]
fn what_cannot_be_read_is_refused_untouched() {
    let cases: &[(&str, &[u8], &str)] = &[
        ("empty", b"", ":1:1: "),
        ("half", b"{\n  \"a\": {\n", ":2:8: "),
        ("array", b"[]\n", ":1:1: "),
        ("string", b"\n \"x\"\n", ":2:2: "),
        ("hooks is an array", b"{\n  \"hooks\": []\n}\n", ":2:12: "),
        ("hooks is null", b"{\"hooks\": null}", ":1:11: "),
        ("an event is an object", b"{\"hooks\": {\n  \"Stop\": {}}}", ":2:11: "),
        ("two roots", b"{}\n{}\n", ":2:1: "),
        ("not UTF-8", b"{\n \"a\": \"\xff\"}", ":2:8: "),
        ("UTF-16", b"\xff\xfe{\0}\0", ":1:1: "),
        ("a missing comma", b"{\"a\": 1 \"b\": 2}", ":1:8: "),
        ("deep", &[b'['; 10_000], ":1:"),
    ];
    for (name, before, place) in cases {
        let bench = Bench::with_local("");
        fs::write(bench.path(LOCAL), before).expect("a file");
        let said = refused(&bench.run(&["install"]));
        assert!(said.contains(&format!("{LOCAL}{place}")), "{name}: {said}");
        assert!(said.contains("not touched"), "{name}: {said}");
        assert_eq!(&fs::read(bench.path(LOCAL)).expect("a file"), before, "{name}");
    }
}

#[test]
fn own_entries_are_brought_up_to_date_in_place() {
    let tools = EVENTS.iter().find_map(|event| event.matcher).expect("an event with a matcher");
    let entry = |command: &str| json!({"type": "command", "command": command, "args": ["hook"], "timeout": 10});
    let other = json!({"type": "command", "command": "other-tool"});
    let own = own_group("PreToolUse", &json!(["hook"]), false);
    let cases = [
        ("half installed", json!([own]), json!([own])),
        ("an old path", json!([{"matcher": tools, "hooks": [entry("/old/bin/turnstop")]}]), json!([own])),
        ("a Windows path", json!([{"matcher": tools, "hooks": [entry("C:\\bin\\turnstop.exe")]}]), json!([own])),
        ("an old matcher", json!([{"matcher": "Bash", "hooks": [entry(&binary())]}]), json!([own])),
        ("no matcher", json!([{"hooks": [entry(&binary())]}]), json!([own])),
        (
            "the shell form",
            json!([{"matcher": tools, "hooks": [{"type": "command", "command": "\"/a b/turnstop\" hook || true"}]}]),
            json!([own]),
        ),
        (
            "other arguments and timeout, and the strict profile's mark",
            json!([{"matcher": tools, "hooks": [{"type": "command", "command": binary(), "args": ["hook", "--new"], "timeout": 600, "onFailure": "block"}]}]),
            json!([own]),
        ),
        ("doubled in one group", json!([{"matcher": tools, "hooks": [entry(&binary()), entry("turnstop")]}]), json!([own])),
        ("doubled in two groups", json!([own, {"matcher": "Edit", "hooks": [entry("/old/turnstop")]}, own]), json!([own])),
        (
            "in a group of others",
            json!([{"matcher": tools, "hooks": [other, entry("/old/turnstop")]}]),
            json!([{"matcher": tools, "hooks": [other, entry(&binary())]}]),
        ),
        (
            "in a group of others for other tools",
            json!([{"matcher": "Bash", "hooks": [entry(&binary()), other]}]),
            json!([{"matcher": "Bash", "hooks": [other]}, own]),
        ),
        (
            "with a key of the person's",
            json!([{"matcher": tools, "hooks": [{"type": "command", "command": "turnstop hook", "statusMessage": "…"}]}]),
            json!([{"matcher": tools, "hooks": [{"type": "command", "command": binary(), "statusMessage": "…", "args": ["hook"], "timeout": 10}]}]),
        ),
    ];
    for (name, before, after) in cases {
        for text in [
            json!({"hooks": {"PreToolUse": before}}).to_string(),
            format!("{:#}\n", json!({"hooks": {"PreToolUse": before, "Notification": [{"hooks": [entry("/old/turnstop")]}]}})),
        ] {
            let bench = Bench::with_local(&text);
            let said = bench.done(&["install", "--profile", "standard"]);
            assert!(said.starts_with("updated turnstop"), "{name}: {said}");
            let settings = bench.local_json();
            assert_eq!(settings["hooks"]["PreToolUse"], after, "{name}: {}", bench.local());
            assert_eq!(settings["hooks"].as_object().map(serde_json::Map::len), Some(EVENTS.len()), "{name}");
            for event in EVENTS.iter().filter(|event| event.name != "PreToolUse") {
                assert_eq!(settings["hooks"][event.name], json!([own_group(event.name, &json!(["hook"]), false)]), "{name}");
            }
            let wired = bench.local();
            bench.done(&["install"]);
            assert_eq!(bench.local(), wired, "{name}");

            bench.done(&["uninstall"]);
            let left = fs::read_to_string(bench.path(LOCAL)).unwrap_or_default();
            assert!(!left.contains("turnstop"), "{name}: {left}");
            assert_eq!(left.contains("other-tool"), text.contains("other-tool"), "{name}: {left}");
        }
    }
}

#[test]
fn a_profile_can_be_changed_and_is_kept() {
    let bench = Bench::with_local("{\n  \"a\": 1\n}\n");
    let steps: [(&[&str], Value, bool); 6] = [
        (&["--profile", "observe"], json!(["hook", "--observe"]), false),
        (&[], json!(["hook", "--observe"]), false),
        (&["--profile", "strict"], json!(["hook"]), true),
        (&[], json!(["hook"]), true),
        (&["--profile", "standard"], json!(["hook"]), false),
        (&["--profile", "observe"], json!(["hook", "--observe"]), false),
    ];
    for (arguments, wanted, strict) in steps {
        bench.done(&[&["install"], arguments].concat());
        for event in EVENTS {
            assert_eq!(bench.local_json()["hooks"][event.name], json!([own_group(event.name, &wanted, strict)]), "{arguments:?}");
        }
    }
    bench.done(&["uninstall"]);
    assert_eq!(bench.local(), "{\n  \"a\": 1\n}\n");
}

#[test]
fn edits_made_in_between_stay() {
    let bench = Bench::with_local("{\n  \"a\": 1 // one\n}\n");
    bench.done(&["install"]);
    let edited = bench
        .local()
        .replacen("\"a\": 1, // one", "\"a\": 2, // two", 1)
        .replacen("\"hooks\": {", "// about hooks\n  \"hooks\": {\n    \"Notification\": [{\"hooks\": [{\"command\": \"ding\"}]}],", 1)
        .replacen("\"Stop\": [", "\"Stop\": [\n      // mine\n      {\"hooks\": [{\"command\": \"lint\"}]},", 1);
    fs::write(bench.path(LOCAL), edited.trim_end().strip_suffix('}').expect("an object").to_owned() + ", \"b\": 3}\n").expect("a file");
    bench.done(&["uninstall"]);
    assert_eq!(
        bench.local(),
        "{\n  \"a\": 2, // two\n  // about hooks\n  \"hooks\": {\n    \"Notification\": [{\"hooks\": [{\"command\": \"ding\"}]}],\n    \"Stop\": [\n      // mine\n      {\"hooks\": [{\"command\": \"lint\"}]}\n    ]\n  }\n, \"b\": 3}\n"
    );
}

#[test]
fn a_dry_run_shows_and_writes_nothing() {
    let bench = Bench::with_local("{\"a\": 1}\n");
    let said = bench.done(&["install", "--dry-run"]);
    let file = bench.path(LOCAL).display().to_string();
    assert!(said.starts_with(&format!("--- {file}\n+++ {file}\n@@ -1 +1 @@\n-{{\"a\": 1}}\n+{{\"a\": 1, \"hooks\": ")), "{said}");
    assert_eq!(bench.local(), "{\"a\": 1}\n");

    bench.done(&["install"]);
    let wired = bench.local();
    assert!(bench.done(&["uninstall", "--dry-run"]).ends_with("+{\"a\": 1}\n"));
    assert_eq!(bench.local(), wired);

    let fresh = Bench::new();
    assert!(fresh.done(&["install", "--dry-run"]).starts_with("--- /dev/null\n+++ "));
    assert!(!fresh.path(".claude").exists());
}

#[test]
fn an_agent_may_not_loosen() {
    let bench = Bench::new();
    bench.done(&["install"]);
    let wired = bench.local();
    for name in ["CLAUDECODE", "AI_AGENT"] {
        for arguments in [
            &["uninstall"][..],
            &["uninstall", "--yes"],
            &["install", "--profile", "observe"],
            &["install", "--profile", "observe", "--yes"],
        ] {
            let said = refused(&bench.command(arguments).env(name, "1").output().expect("the binary runs"));
            assert!(said.contains("person"), "{said}");
            assert_eq!(bench.local(), wired);
        }
        done(&bench.command(&["uninstall", "--dry-run"]).env(name, "1").output().expect("the binary runs"));
        done(&bench.command(&["install"]).env(name, "1").output().expect("the binary runs"));
    }
    done(&bench.command(&["install", "--profile", "strict"]).env("CLAUDECODE", "1").output().expect("the binary runs"));
    done(&bench.command(&["uninstall"]).env("CLAUDECODE", "").output().expect("the binary runs"));
    assert!(!bench.path(LOCAL).exists());
}

#[test]
fn each_scope_has_its_file() {
    let bench = Bench::new();
    let home = bench.folder.path().join("home/.claude/settings.json");
    let config = bench.folder.path().join("config");
    bench.done(&["install", "--scope", "project"]);
    assert!(bench.path(".claude/settings.json").exists());
    bench.done(&["install", "--scope", "user"]);
    assert!(home.exists());
    done(&bench.command(&["install", "--scope", "user"]).env("CLAUDE_CONFIG_DIR", &config).output().expect("the binary runs"));
    assert!(config.join("settings.json").exists());
    assert!(!bench.path(LOCAL).exists());

    let said = bench.done(&["uninstall"]);
    assert!(said.contains("(--scope project)") && said.contains("(--scope user)"), "{said}");
    bench.done(&["uninstall", "--scope", "user"]);
    // The folder of the whole client is not turnstop's to remove.
    assert!(!home.exists() && home.parent().is_some_and(Path::exists));
}

#[test]
fn local_settings_belong_to_the_root_of_the_work_tree() {
    let bench = Bench::new();
    fs::create_dir(bench.path(".git")).expect("a folder");
    let below = bench.path("a/b");
    fs::create_dir_all(&below).expect("a folder");

    let said = done(&bench.command(&["install"]).current_dir(&below).output().expect("the binary runs"));
    assert!(said.contains("the root of the git work tree"), "{said}");
    assert!(bench.path(LOCAL).exists());
    done(&bench.command(&["uninstall"]).current_dir(&below).output().expect("the binary runs"));
    assert!(!bench.path(".claude").exists());

    for arguments in [&["install", "."][..], &["install", "--project", "."]] {
        done(&bench.command(arguments).current_dir(&below).output().expect("the binary runs"));
        assert!(below.join(LOCAL).exists() && !bench.path(LOCAL).exists());
        bench.done(&["uninstall", "a/b"]);
        assert!(!below.join(LOCAL).exists());
    }
    refused(&bench.run(&["install", "nowhere"]));
}

#[test]
fn a_file_that_git_would_commit_is_pointed_out() {
    let bench = Bench::new();
    let git = Command::new("git").args(["init", "-q"]).current_dir(bench.project()).status();
    if !git.is_ok_and(|status| status.success()) {
        return;
    }
    let remedy = format!("  echo {LOCAL} >> {}\n", bench.path(".git/info/exclude").display());
    assert!(bench.done(&["install"]).contains(&remedy));
    bench.done(&["uninstall"]);
    bench.write(".gitignore", "settings.local.json\n");
    assert!(!bench.done(&["install"]).contains("git does not ignore"));
}

#[test]
fn a_setting_that_turns_hooks_off_is_pointed_out() {
    let bench = Bench::with_local("{\"disableAllHooks\": true}");
    assert!(bench.done(&["install"]).contains("`disableAllHooks` is true"));
}

#[test]
fn a_file_that_the_client_would_not_read_is_pointed_out() {
    for text in ["{\n  // mine\n}\n", "{\"model\": \"x\",}"] {
        let bench = Bench::with_local(text);
        assert!(bench.done(&["install"]).contains("the client ignores such a file as a whole"), "{text}");
    }
    assert!(!Bench::with_local("\u{feff}{}").done(&["install"]).contains("the client ignores"));
}

#[test]
fn the_program_is_one_that_is_known_again() {
    let bench = Bench::new();
    let folder = bench.folder.path();
    for name in ["turnstop", "turnstop-0.1"] {
        fs::write(folder.join(name), "").expect("a file");
    }
    let good = folder.join("turnstop");
    let good = good.to_str().expect("UTF-8");
    bench.done(&["install", "--binary", good]);
    assert_eq!(bench.local_json()["hooks"]["Stop"][0]["hooks"][0]["command"], good);
    for bad in ["turnstop-0.1", "nothing", "."] {
        refused(&bench.run(&["install", "--binary", folder.join(bad).to_str().expect("UTF-8")]));
    }
    refused(&bench.command(&["install", "--binary", "turnstop"]).env("PATH", "/nowhere").output().expect("the binary runs"));
    done(&bench.command(&["install", "--binary", "turnstop"]).env("PATH", folder).output().expect("the binary runs"));
    assert_eq!(bench.local_json()["hooks"]["Stop"][0]["hooks"][0]["command"], "turnstop");
}

#[test]
fn a_slip_in_a_hand_written_hook_entry_does_not_block() {
    let bench = Bench::new();
    for slip in [&["hoook"][..], &["--observe", "hook"], &[]] {
        let output = bench.command(slip).env("CLAUDE_PROJECT_DIR", bench.project()).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1), "{slip:?}");
    }
}

#[test]
fn usage_errors_are_exit_2() {
    let bench = Bench::new();
    for arguments in [
        &["install", "--scope", "world"][..],
        &["install", "--profile", "x"],
        &["frobnicate"],
        &["allow", "shared-temp-path", "--reason", "x"],
        &[],
    ] {
        assert_eq!(bench.run(arguments).status.code(), Some(2), "{arguments:?}");
    }
    for arguments in [&["install", "--help"][..], &["uninstall", "--help"], &["hook", "--help"], &["help", "hook"], &["--version"]] {
        bench.done(arguments);
    }
}

#[cfg(unix)]
mod unix {
    use std::io::pipe;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_link_stays_a_link() {
        let bench = Bench::new();
        let target = bench.folder.path().join("dotfiles/claude.json");
        fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
        fs::create_dir(bench.path(".claude")).expect("a folder");
        symlink("../../dotfiles/claude.json", bench.path(LOCAL)).expect("a link");
        let is_link = || fs::symlink_metadata(bench.path(LOCAL)).is_ok_and(|found| found.is_symlink());

        bench.done(&["install"]);
        assert!(is_link() && target.is_file(), "through a link to nothing");
        bench.done(&["uninstall"]);
        assert!(is_link() && !target.exists());

        fs::write(&target, "{\"a\": 1}").expect("a file");
        bench.done(&["install"]);
        assert!(is_link() && bench.local().contains("hooks"));
        bench.done(&["uninstall"]);
        assert!(is_link());
        assert_eq!(fs::read_to_string(&target).expect("a file"), "{\"a\": 1}");
    }

    #[test]
    fn permissions_stay() {
        for mode in [0o600, 0o644, 0o664] {
            let bench = Bench::with_local("{}");
            fs::set_permissions(bench.path(LOCAL), fs::Permissions::from_mode(mode)).expect("permissions");
            for command in ["install", "uninstall"] {
                bench.done(&[command]);
                let found = fs::metadata(bench.path(LOCAL)).expect("a file").permissions().mode();
                assert_eq!(found & 0o777, mode, "{command}");
            }
        }
    }

    #[test]
    fn what_cannot_be_written_is_told() {
        let bench = Bench::new();
        fs::write(bench.path(".claude"), "a file where the folder should be").expect("a file");
        refused(&bench.run(&["install"]));

        let bench = Bench::with_local("{}");
        let folder = bench.path(".claude");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).expect("permissions");
        if fs::write(folder.join("probe"), "").is_err() {
            let said = refused(&bench.run(&["install"]));
            assert!(said.contains("cannot be written"), "{said}");
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("permissions");
        assert!(bench.local().starts_with("{}") || bench.local().contains("hooks"));
    }

    #[test]
    fn a_link_to_the_program_is_kept_as_it_was_called() {
        let bench = Bench::new();
        let link = bench.folder.path().join("turnstop");
        symlink(binary(), &link).expect("a link");
        let output = Command::new(&link)
            .args(["install", "--scope", "project"])
            .current_dir(bench.project())
            .env("HOME", bench.folder.path().join("home"))
            .output()
            .expect("the link runs");
        done(&output);
        let text = fs::read_to_string(bench.path(".claude/settings.json")).expect("the settings");
        assert!(text.contains(&format!("\"{}\"", link.display())), "{text}");
    }

    #[test]
    fn a_reader_that_went_away_is_no_error() {
        let bench = Bench::new();
        let (reader, writer) = pipe().expect("a pipe");
        drop(reader);
        let status = bench.command(&["install"]).stdout(writer).status().expect("the binary runs");
        assert_eq!(status.code(), Some(0));
        assert!(bench.path(LOCAL).exists());
    }

    #[test]
    fn the_plugin_finds_the_binary_or_keeps_quiet() {
        let bench = Bench::new();
        let shim = Path::new(env!("CARGO_MANIFEST_DIR")).join("hooks/turnstop-hook");
        let run = |named: Option<&Path>, path: &str| {
            let mut command = Command::new(&shim);
            command.arg("--observe").env_clear().env("PATH", path).env("HOME", bench.folder.path().join("home"));
            command.envs(named.map(|named| ("TURNSTOP_BIN", named)));
            done(&command.stdin(Stdio::null()).output().expect("the shim runs"))
        };
        let put = |place: &str| {
            let file = bench.folder.path().join(place).join("turnstop");
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(&file, format!("#!/bin/sh\necho {place} \"$@\"\n")).expect("a file");
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("permissions");
            file
        };
        if !Path::new("/usr/local/bin/turnstop").exists() {
            assert_eq!(run(None, "/usr/bin:/bin"), "");
        }
        put("home/.cargo/bin");
        assert_eq!(run(None, "/usr/bin:/bin"), "home/.cargo/bin hook --observe\n");
        put("home/.local/bin");
        assert_eq!(run(None, "/usr/bin:/bin"), "home/.local/bin hook --observe\n");
        let on_path = put("on path");
        assert_eq!(run(None, &format!("{}:/bin", on_path.parent().expect("a folder").display())), "on path hook --observe\n");
        let named = put("named");
        assert_eq!(run(Some(&named), "/usr/bin:/bin"), "named hook --observe\n");
        assert_eq!(run(Some(Path::new("/nowhere")), "/usr/bin:/bin"), "home/.local/bin hook --observe\n");
    }
}
