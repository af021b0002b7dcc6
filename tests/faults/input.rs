//! Standard input that never ends, comes in pieces, or is endless; commands, ids and paths of every kind.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Answer, answer, bash};
use crate::trial::{Trial, in_full, some, tried};

/// Runs the hook on what `feed` gives it, and holds its answer to a time.
fn fed(trial: &Trial, limit: Duration, feed: impl FnOnce(&mut dyn Write) + Send) -> Answer {
    let mut child = trial.command().stdin(Stdio::piped()).spawn().expect("the hook starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let start = Instant::now();
    let output = thread::scope(|scope| {
        let feeder = scope.spawn(move || {
            feed(&mut pipe);
            pipe
        });
        let output = waited_for(child, limit);
        drop(feeder.join().expect("fed"));
        output
    });
    assert!(start.elapsed() < limit + Duration::from_secs(5), "fed for {:?}", start.elapsed());
    answer(&output)
}

fn waited_for(mut child: Child, limit: Duration) -> Output {
    let start = Instant::now();
    while child.try_wait().expect("waits").is_none() {
        assert!(start.elapsed() < limit, "still there after {limit:?}");
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("ended")
}

/// A restore that is denied, as text.
fn denied(trial: &Trial) -> String {
    trial.asked("mine", "t", &format!("cp {} a.txt", trial.shared("a"))).to_string()
}

#[test]
fn input_that_never_closes_is_not_waited_for() {
    let trial = Trial::new();
    trial.clobber("a");
    let whole = denied(&trial);
    trial.untouched(|| {
        assert!(fed(&trial, Duration::from_millis(900), |pipe| pipe.write_all(whole.as_bytes()).expect("written")).is_deny());
        for half in ["", "{", &whole[..whole.len() / 2], &whole[..whole.len() - 1]] {
            let answer = fed(&trial, Duration::from_secs(3), |pipe| pipe.write_all(half.as_bytes()).expect("written"));
            assert_eq!(answer, Answer::Silence);
        }
    });
    assert!(trial.log().contains("no end of the payload after 1 bytes"), "{}", trial.log());
    trial.assert_works();
}

#[test]
fn input_that_comes_byte_by_byte_is_read_to_its_end_and_what_takes_too_long_is_left() {
    let trial = Trial::new();
    trial.clobber("a");
    let whole = denied(&trial);
    let slowly = |pause: Duration| {
        let bytes = whole.as_bytes();
        move |pipe: &mut dyn Write| {
            for byte in bytes {
                if pipe.write_all(&[*byte]).is_err() {
                    break;
                }
                thread::sleep(pause);
            }
        }
    };
    trial.untouched(|| {
        assert!(fed(&trial, Duration::from_secs(4), slowly(Duration::from_millis(1))).is_deny());
        // The client waits for ten seconds.
        assert_eq!(fed(&trial, Duration::from_secs(7), slowly(Duration::from_millis(50))), Answer::Silence);
    });
    trial.assert_works();
}

#[test]
fn two_hundred_megabytes_are_left() {
    let trial = Trial::new();
    trial.clobber("a");
    let (front, back) = denied(&trial).split_once("cp ").map(|(front, back)| (front.to_owned(), back.to_owned())).expect("a command");
    let megabyte = |byte: u8| vec![byte; 1 << 20];
    let endless = [(front.as_str(), b'x'), ("", b' '), ("", b'['), ("", 0), ("{\"a\":\"", b'\\')];
    for (start, filler) in some(endless, 3) {
        let answer = trial.untouched(|| {
            fed(&trial, Duration::from_secs(9), |pipe| {
                let _ = pipe.write_all(start.as_bytes());
                let filler = megabyte(filler);
                for _ in 0..200 {
                    if pipe.write_all(&filler).is_err() {
                        return;
                    }
                }
                let _ = pipe.write_all(back.as_bytes());
            })
        });
        assert_eq!(answer, Answer::Silence);
    }
    trial.assert_works();
}

#[test]
fn commands_of_three_megabytes_are_answered_in_time() {
    let trial = Trial::new();
    trial.clobber("a");
    let path = trial.shared("x");
    let size = 3 << 20;
    let full = |unit: &str| unit.repeat(size / unit.len());
    let commands = [
        full("x"),
        full("cp a.txt /tmp/x; "),
        full(&format!("cp a.txt {path}\n")),
        full("cat /tmp/x | "),
        full("true && "),
        full("$x "),
        full("'"),
        full("\\"),
        full("\"\\\""),
        full("{a,b}"),
        full("\u{1f600}"),
        full("\u{0}"),
        full("cargo test; "),
        format!("cat <<'E' > {path}\n{}\nE\n", full("line of text\n")),
        format!("cat <<E > {path}\n{}", full("no end\n")),
        format!("python3 - <<'E'\n{}\nE\ncp a.txt {path}", full("print('/tmp/y')\n")),
        format!("echo {} > {path}", full("word ")),
        format!("cp a.txt {}", full("/tmp/../")),
    ];
    let mut count = 0;
    for command in some(&commands, 9) {
        count += 2;
        trial.untouched(|| {
            trial.ask("mine", &format!("t{count}"), command);
            trial.done("mine", &format!("t{count}"), command);
        });
    }
    trial.assert_denied("a");
    trial.assert_works();
    tried(count, "calls with a command of 3 MB");
}

/// Every construct that can stand in itself, as what opens it and what closes it.
const CONSTRUCTS: &[(&str, &str)] = &[
    ("(", ")"),
    ("( ", " )"),
    ("{ ", "; }"),
    ("{", "}"),
    ("$(", ")"),
    ("$( ", " )"),
    ("`", "`"),
    ("\\`", "\\`"),
    ("\"$(", ")\""),
    ("<(", ")"),
    (">(", ")"),
    ("cat <(", ")"),
    ("((", "))"),
    ("$((", "))"),
    ("$((1+(", ")))"),
    ("$[", "]"),
    ("${x:-", "}"),
    ("\"${x:-", "}\""),
    ("${", "}"),
    ("$", ""),
    ("[[ ( ", " ) ]]"),
    ("[[ ! ", " ]]"),
    ("[ ", " ]"),
    ("! ", ""),
    ("time ", ""),
    ("if true; then ", "; fi"),
    ("if ", "; then true; fi"),
    ("if true; then true; else ", "; fi"),
    ("if true; then true; elif true; then ", ""),
    ("while ", "; do true; done"),
    ("while true; do ", "; done"),
    ("until true; do ", "; done"),
    ("for x in a; do ", "; done"),
    ("for ((;;)); do ", "; done"),
    ("select x in a; do ", "; done"),
    ("case x in x) ", ";; esac"),
    ("case x in (x) ", " esac"),
    ("f() { ", "; }"),
    ("function f { ", "; }"),
    ("coproc ", ""),
    ("coproc { ", "; }"),
    ("a=(", ")"),
    ("a=", ""),
    ("a[", "]=1"),
    ("true && ", ""),
    ("false || ", ""),
    ("true | ", ""),
    ("true |& ", ""),
    ("true; ", ""),
    ("true & ", ""),
    ("> /tmp/x ", ""),
    ("2>&1 ", ""),
    ("cat <<E\n", "\nE\n"),
    ("cat <<E; ", ""),
    ("cat <<< ", ""),
    ("eval '", "'"),
    ("eval ", ""),
    ("bash -c '", "'"),
    ("bash -c ", ""),
    ("sh -c \"", "\""),
    ("sudo ", ""),
    ("env ", ""),
    ("nice -n 5 ", ""),
    ("timeout 5 ", ""),
    ("xargs ", ""),
    ("find . -exec ", " \\;"),
    ("watch ", ""),
    ("ssh host ", ""),
    ("command ", ""),
    ("exec ", ""),
    ("cd x && ", ""),
    ("{a,", "}"),
    ("@(", ")"),
    ("'", "'"),
    ("\"", "\""),
    ("$'", "'"),
    ("\\\n", ""),
    ("# ", "\n"),
    ("[", "]"),
    ("/tmp/../", ""),
    ("*", ""),
];

#[test]
fn five_thousand_nested_constructs_of_every_kind_are_answered_in_time() {
    let trial = Trial::new();
    trial.clobber("a");
    let inner = format!("cp a.txt {}", trial.shared("x"));
    let depths: &[usize] = if in_full() { &[100, 1000, 5000] } else { &[5000] };
    let mut count = 0;
    for (open, close) in some(CONSTRUCTS, 5) {
        for depth in depths {
            let nested = |close: &str| format!("{}{inner}{}", open.repeat(*depth), close.repeat(*depth));
            // And where none of them is closed.
            for command in [nested(close), nested("")] {
                count += 2;
                trial.ask("mine", &format!("t{count}"), &command);
                trial.done("mine", &format!("t{count}"), &command);
            }
        }
    }
    trial.untouched(|| trial.assert_denied("a"));
    trial.assert_works();
    tried(count, "commands of nested constructs");
}

#[test]
fn payloads_of_nested_values_are_no_payloads() {
    let trial = Trial::new();
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("{\"tool_input\":[", "]}")] {
        for depth in [100, 127, 128, 129, 5000, 1_000_000] {
            let nested = format!("{}0{}", open.repeat(depth), close.repeat(depth));
            let payload = trial.asked("mine", "t", "ls /tmp").to_string();
            let inside = payload.replace("\"ls /tmp\"", &nested);
            for input in [&nested, &inside, &payload.replace('}', &format!(",\"x\":{nested}}}"))] {
                assert_eq!(trial.untouched(|| answer(&trial.raw(input.as_bytes()))), Answer::Silence, "{open} {depth}");
            }
        }
    }
    trial.assert_works();
}

/// Ids that no client gives.
fn strange_ids() -> Vec<String> {
    let fixed = [
        "",
        ".",
        "..",
        "/",
        "a/b",
        "../../../escaped",
        "/etc/passwd",
        "a\0b",
        "\0",
        "a\nb",
        "\u{1b}[31m",
        "\u{202e}",
        "ä",
        "😀",
        " ",
        "-rf",
        "--help",
        "CON",
        "s.json",
        "s.lock",
        "*",
        "$(id)",
        "\\",
        "\"",
        "%2e%2e%2f",
        "~",
        "hashed_0000000000000000",
    ];
    let long = [64, 65, 128, 129, 255, 256, 4096, 1 << 20].map(|length| "x".repeat(length));
    fixed.map(str::to_owned).into_iter().chain(long).chain(["../".repeat(1365), "\0".repeat(4096)]).collect()
}

#[test]
fn ids_of_every_kind_stay_in_their_folder() {
    let trial = Trial::new();
    trial.clobber("a");
    let ids = strange_ids();
    for id in &ids {
        trial.untouched(|| {
            let mut fields = bash(id, &format!("cp a.txt {}", trial.shared("x")));
            fields["agent_id"] = json!(id);
            fields["tool_response"] = json!({"stdout": "", "stderr": ""});
            for event in ["PreToolUse", "PostToolUse", "Stop", "SubagentStop", "UserPromptSubmit", "SessionStart"] {
                let (session, other) = (trial.hook(id, event, &fields), trial.hook("mine", event, &fields));
                assert!(!session.is_deny() && !other.is_deny(), "{id:?}");
            }
        });
    }
    for entry in fs::read_dir(trial.state_dir().join("sessions")).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("text");
        assert!(name.len() < 80 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)), "{name}");
    }
    assert!(fs::metadata(trial.state_dir().join("temp-ledger.jsonl")).expect("a ledger").len() < 64 << 10);
    trial.assert_denied("a");
    trial.assert_works();
    tried(12 * ids.len(), "calls with strange ids");
}

#[test]
fn paths_that_are_not_utf_8_are_no_hindrance() {
    let trial = Trial::new();
    trial.clobber("a");
    let in_bytes = |payload: &Value, bytes: &[u8]| {
        let text = payload.to_string();
        let (front, back) = text.split_once("%%").expect("a place");
        [front.as_bytes(), bytes, back.as_bytes()].concat()
    };
    let strange: [&[u8]; 5] = [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80"];
    let mut count = 0;
    for bytes in strange {
        let asked = trial.asked("mine", "t1", &format!("cp {}%% a.txt", trial.shared("x")));
        let done = trial.succeeded("mine", "t2", &format!("cp a.txt {}%%", trial.shared("x")));
        let elsewhere = trial.payload(
            "mine",
            "PreToolUse",
            &json!({"cwd": "/tmp/%%", "tool_name": "Bash", "tool_use_id": "t3",
            "tool_input": {"command": "cp a.txt x"}}),
        );
        let transcript = trial.payload("fresh", "Stop", &json!({"transcript_path": "/tmp/%%.jsonl", "last_assistant_message": "done"}));
        let write = json!({"tool_name": "Write", "tool_use_id": "w", "tool_input": {"file_path": "/tmp/%%", "content": "x"}});
        let write = trial.payload("mine", "PreToolUse", &write);
        for payload in [asked, done, elsewhere, transcript, write] {
            let answer = trial.untouched(|| answer(&trial.raw(&in_bytes(&payload, bytes))));
            assert!(!answer.is_deny(), "{answer:?}");
            count += 1;
        }
    }
    // As text that stands for such bytes, and in the environment.
    for path in ["\\udcff", "\\ud800", "\\u0000"] {
        let input = trial.asked("mine", "t4", "cp /tmp/%% a.txt").to_string().replace("%%", path);
        trial.untouched(|| answer(&trial.raw(input.as_bytes())));
        count += 1;
    }
    for name in ["TMPDIR", "CLAUDE_PROJECT_DIR", "CLAUDE_JOB_DIR", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME"] {
        let script = format!("export {name}=$(printf '/tmp/\\377'); exec \"$0\" \"$@\"");
        assert!(trial.untouched(|| answer(&trial.started_by(&["sh", "-c", &script], denied(&trial).as_bytes()))).is_deny(), "{name}");
        count += 1;
    }
    // In a project whose folder is named so, among files that are.
    trial.run("mkdir \"$(printf 'in\\377')\" && : > \"$(printf 'in\\377/\\376')\"");
    let script = "cd in* && exec \"$0\" \"$@\"";
    assert!(trial.untouched(|| answer(&trial.started_by(&["sh", "-c", script], denied(&trial).as_bytes()))).is_deny());
    trial.assert_works();
    tried(count + 1, "calls with paths that are not UTF-8");
}

#[test]
fn output_that_nobody_reads_is_no_failure() {
    let trial = Trial::new();
    trial.clobber("a");
    for script in ["exec \"$0\" \"$@\" >&-", "exec \"$0\" \"$@\" 2>&-", "exec \"$0\" \"$@\" > /dev/full", "exec \"$0\" \"$@\" <&-"] {
        let output = trial.untouched(|| trial.started_by(&["sh", "-c", script], denied(&trial).as_bytes()));
        answer(&output);
    }
    // The reader has gone.
    let mut command = Command::new("sh");
    command.args(["-c", "{ \"$0\" \"$@\"; echo $? >&2; } | :"]).args(&trial.starter).arg(&trial.program).arg("hook");
    let output = trial.run_with_input(command, denied(&trial).as_bytes());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "0\n");
    trial.assert_denied("a");
}
