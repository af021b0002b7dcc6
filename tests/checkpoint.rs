//! `turnstop checkpoint`, whose lines and exit codes scripts go by.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

const SECTIONS: &str = "## Objective\n\nImport.\n\n## State\n\nIt runs.\n\n## Decisions\n\nStreams.\n\n## Open threads\n\nDates.\n";

/// A folder with a checkpoint that is whole, one that lacks a section and names no day, and one that is thin.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let words = "word ".repeat(150);
    let head = "---\nupdated: 2026-12-01\n---\n";
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).expect("written");
    write("whole.md", format!("{head}{SECTIONS}\n## Gotchas\n\nnone\n{words}"));
    write("lacking.md", format!("{head}{SECTIONS}\nDone yesterday.\n{words}"));
    write("thin.md", format!("{head}{SECTIONS}\n## Gotchas\n\nnone\n"));
    fs::write(folder.path().join("latin.md"), b"\xe9t\xe9").expect("written");
    folder
}

/// Exit code, standard output and standard error.
fn turnstop(folder: &Path, args: &[&str], env: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnstop"));
    command.env_clear().envs(env.iter().copied()).current_dir(folder).arg("checkpoint").args(args);
    let output = command.output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("a status"), text(output.stdout), text(output.stderr))
}

#[test]
fn failures_stand_before_warnings_and_a_count_behind_both() {
    let folder = folder();
    let lint = |files: &[&str]| turnstop(folder.path(), &[&["lint"], files].concat(), &[]);
    assert_eq!(lint(&["whole.md"]), (0, "PASS: 1 checkpoint(s), 0 failures, 0 warnings\n".to_owned(), String::new()));
    let (code, out, _) = lint(&["thin.md", "lacking.md"]);
    let thin = "WARN thin.md: 17 words across 5 required sections — thin enough to be a summary, not a checkpoint";
    let lines = [
        "FAIL lacking.md: missing section 'Gotchas'",
        "FAIL lacking.md:20: relative date 'yesterday' (use an absolute YYYY-MM-DD date)",
        thin,
        "FAIL: 2 checkpoint(s), 2 failures, 1 warnings",
    ];
    assert_eq!((code, out.lines().collect::<Vec<_>>()), (1, lines.to_vec()));
    assert_eq!(lint(&["thin.md"]).0, 0, "a warning alone is no failure");
}

#[test]
fn what_cannot_be_read_is_an_input_error_and_the_rest_is_read() {
    let folder = folder();
    for (files, complaint) in [
        (vec!["lacking.md", "gone.md"], "gone.md: no such file\n"),
        (vec!["lacking.md", "."], ".: no such file\n"),
        (vec!["lacking.md", "--version"], "--version: no such file\n"),
        (vec!["latin.md", "lacking.md"], "latin.md: not UTF-8\n"),
    ] {
        let (code, out, err) = turnstop(folder.path(), &[&["lint"], files.as_slice()].concat(), &[]);
        assert_eq!((code, err.as_str()), (2, complaint), "{files:?}");
        assert!(out.contains("missing section 'Gotchas'"), "{out}");
    }
    let usage = "usage: turnstop checkpoint lint CHECKPOINT.md [more.md ...]\n";
    assert_eq!(turnstop(folder.path(), &["lint"], &[]), (2, String::new(), usage.to_owned()));
    assert_eq!(turnstop(folder.path(), &["lint", "--version"], &[]).0, 0);
}

#[test]
fn a_form_is_written_once_and_has_to_be_filled_in() {
    let folder = folder();
    let new = |args: &[&str], env: &[(&str, &str)]| turnstop(folder.path(), &[&["new"], args].concat(), env);
    for (args, env, file) in [
        (vec![], vec![], "CHECKPOINT.md"),
        (vec!["importer"], vec![("SESSION_CHECKPOINT_NAME", "other")], "CHECKPOINT-importer.md"),
        (vec![], vec![("SESSION_CHECKPOINT_NAME", "other")], "CHECKPOINT-other.md"),
        (vec![], vec![("SESSION_CHECKPOINT_NAME", "other"), ("SESSION_CHECKPOINT_FILE", "notes.md")], "notes.md"),
    ] {
        assert_eq!(new(&args, &env), (0, format!("{file} is there; fill in its five sections\n"), String::new()));
        let (code, out, _) = turnstop(folder.path(), &["lint", file], &[]);
        assert_eq!((code, out.matches("is empty").count(), out.matches("FAIL ").count()), (1, 5, 5), "{out}");
        let text = fs::read(folder.path().join(file)).expect("it is there");
        let (code, _, err) = new(&args, &env);
        assert!(code == 2 && err.contains("is there already"), "{err}");
        assert_eq!(fs::read(folder.path().join(file)).expect("it is there"), text);
    }
    for name in ["../x", "TEMPLATE", "a b", "-"] {
        let (code, _, err) = new(&["--", name], &[]);
        assert!(code == 2 && err.contains("names no session"), "{err}");
    }
}
