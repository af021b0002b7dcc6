//! `turnstop status`: what it shows, and that it fails when something keeps the hook from running.

use std::fs;
use std::path::Path;

use crate::support::Machine;
use serde_json::json;

fn status(m: &Machine) -> (i32, String) {
    m.turnstop(&["status", &m.project().to_string_lossy()])
}

/// What is wrong, one line each.
fn wrong(m: &Machine) -> Vec<String> {
    let (code, out) = status(m);
    let lines: Vec<String> = out.lines().filter_map(|line| line.strip_prefix("wrong: ")).map(str::to_owned).collect();
    assert_eq!(code, i32::from(!lines.is_empty()), "{out}");
    assert_eq!(out.matches("  help: ").count(), lines.len(), "each with its remedy: {out}");
    lines
}

fn install(m: &Machine, args: &[&str]) {
    let project = m.project();
    assert_eq!(m.turnstop(&[&["install", &project.to_string_lossy()], args].concat()).0, 0);
}

fn local(m: &Machine) -> std::path::PathBuf {
    m.project().join(".claude/settings.local.json")
}

fn edit(path: &Path, change: impl FnOnce(String) -> String) {
    let text = fs::read_to_string(path).expect("settings");
    fs::write(path, change(text)).expect("written");
}

#[test]
fn an_installed_hook_that_runs_is_all_right() {
    let m = Machine::new();
    install(&m, &[]);
    assert_eq!(wrong(&m), [""; 0]);
    m.hook("s", "Stop", &json!({"last_assistant_message": "done"}));
    let (_, out) = status(&m);
    let stop = out.lines().find(|line| line.starts_with("Stop ")).expect("a line for the event");
    assert_eq!(stop.split_whitespace().collect::<Vec<_>>(), ["Stop", "local", "yes", "just", "now"]);
    assert!(out.lines().any(|line| line.starts_with("PreToolUse ") && line.ends_with("never")), "{out}");
}

#[test]
fn what_keeps_it_from_running_is_named() {
    let none = Machine::new();
    assert!(wrong(&none)[0].contains("no settings file has an entry"));

    let m = Machine::new();
    install(&m, &[]);
    install(&m, &["--scope", "user"]);
    assert!(wrong(&m)[0].contains("installed for local and for user"));

    let m = Machine::new();
    install(&m, &[]);
    edit(&local(&m), |text| text.replacen("{\n", "{\n  \"disableAllHooks\": true,\n", 1));
    assert!(wrong(&m)[0].contains("disableAllHooks"));

    let m = Machine::new();
    install(&m, &[]);
    edit(&local(&m), |text| text.replacen('{', "{ // mine\n", 1));
    assert!(wrong(&m)[0].contains("the client ignores all of it"));

    let m = Machine::new();
    install(&m, &[]);
    edit(&local(&m), |text| text + "}");
    assert!(wrong(&m)[0].contains("settings.local.json:"));

    let m = Machine::new();
    install(&m, &[]);
    edit(&local(&m), |text| text.replace("\"PreToolUse\"", "\"PreToolUseX\""));
    assert!(wrong(&m)[0].contains("lacks PreToolUse"));

    let m = Machine::new();
    install(&m, &[]);
    edit(&local(&m), |text| text.replace(env!("CARGO_BIN_EXE_turnstop"), "/moved/turnstop"));
    assert!(wrong(&m)[0].contains("/moved/turnstop, which is not there"));

    let m = Machine::new();
    let other = m.project().join("turnstop");
    fs::write(&other, "#!/bin/sh\necho turnstop 0.0.9\n").expect("written");
    fs::set_permissions(&other, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("made to run");
    install(&m, &["--binary", &other.to_string_lossy()]);
    assert!(wrong(&m)[0].contains("turnstop 0.0.9"));
}

#[test]
fn a_bad_config_and_a_bad_state_folder_are_named() {
    let m = Machine::new();
    install(&m, &[]);
    fs::create_dir_all(m.config_file().parent().expect("a folder")).expect("created");
    fs::write(m.config_file(), "[rules.\"session/shared-temp-path\"]\nlevle = \"off\"\n").expect("written");
    assert!(wrong(&m)[0].contains("unknown key `levle`"));
    fs::remove_file(m.config_file()).expect("removed");
    fs::create_dir_all(m.state_dir().parent().expect("a folder")).expect("created");
    let _ = fs::remove_dir_all(m.state_dir());
    fs::write(m.state_dir(), "in the way").expect("written");
    assert!(wrong(&m)[0].contains("the state folder cannot be used"));
}

#[test]
fn a_start_below_the_root_is_told_that_project_settings_do_not_reach_it() {
    let m = Machine::new();
    m.run("git init -q . && mkdir sub");
    install(&m, &["--scope", "project"]);
    assert_eq!(wrong(&m), [""; 0]);
    let (code, out) = m.turnstop_in(&m.project().join("sub"), &["status"]);
    assert!(code == 1 && out.contains("a client started in this folder"), "{out}");
}

#[test]
fn a_linked_work_tree_is_told_that_local_settings_do_not_reach_it() {
    let m = Machine::new();
    let git = "git -c user.name=t -c user.email=t@example.invalid";
    m.run(&format!("{git} init -q . && {git} add -A && {git} commit -qm start && {git} worktree add -q ../linked"));
    install(&m, &[]);
    let linked = m.project().with_file_name("linked");
    let (code, out) = m.turnstop(&["status", &linked.to_string_lossy()]);
    assert_eq!(code, 1);
    assert!(out.contains("this is a linked work tree") && out.contains("help: turnstop install --scope user"), "{out}");
}
