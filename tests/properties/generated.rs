//! The same checks, and some more, of inputs made by rule.

use proptest::prelude::*;
use serde_json::{Value, json};
use turnstop::agent::claude::reply::Reply;
use turnstop::agent::claude::settings::{Profile, Wiring};
use turnstop::agent::claude::transcript::Reader;

use crate::checks::{assert_harmless, session, settings, shell, text};

/// Text of what makes terminals, parsers and readers stumble, among ordinary words.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z ./-]{1,8}",
        2 => prop::sample::select(vec!["\u{1b}[31m", "\u{1b}]0;t\u{7}", "\u{202e}", "\u{2066}", "\u{200b}", "\u{feff}", "\0", "\r\n", "\t", "\u{85}", "\u{9b}1m", "\u{2028}"])
            .prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Settings, as JSON allows them to be written and as people write them: comments, trailing commas, any white space.
fn settings_text() -> impl Strategy<Value = String> {
    let blank = || prop::sample::select(vec!["", " ", "\n", "\n  ", "\t", " // note\n", "/* b */", "\n\n"]);
    let entry = prop::sample::select(vec![
        r#"{"type": "command", "command": "say done"}"#,
        r#"{"type": "command", "command": "turnstop", "args": ["hook"], "timeout": 10}"#,
        r#"{"command":"'/a b/turnstop' hook --observe"}"#,
        r#"{"type":"prompt","prompt":"é\"\\"}"#,
        "null",
    ]);
    let group = (prop::option::of(prop::sample::select(vec!["Bash", "*", "Edit|Write"])), prop::collection::vec(entry, 0..3), blank())
        .prop_map(|(matcher, entries, blank)| {
            let matcher = matcher.map(|matcher| format!("\"matcher\":{blank}\"{matcher}\", ")).unwrap_or_default();
            format!("{{{matcher}\"hooks\":{blank}[{}{blank}]}}", entries.join(","))
        });
    let event = prop::sample::select(vec!["Stop", "PreToolUse", "PostToolUse", "Notification", "SessionEnd"]);
    let events = prop::collection::vec((event, prop::collection::vec(group, 0..3), blank()), 0..4).prop_map(|events| {
        events
            .iter()
            .map(|(name, groups, blank)| format!("{blank}\"{name}\": [{}]", groups.join(&format!(",{blank}"))))
            .collect::<Vec<_>>()
            .join(",")
    });
    let hooks = (events, blank()).prop_map(|(events, blank)| format!("\"hooks\":{blank}{{{events}{blank}}}"));
    let other = prop::sample::select(vec![
        "\"model\": \"opus\"",
        "\"env\": {\"A\": \"b\"}",
        "\"a\":[1,[],{}]",
        "\"disableAllHooks\": true",
        "\"é\": null",
    ])
    .prop_map(str::to_owned);
    let members = prop::collection::vec(prop_oneof![other, hooks], 0..4);
    (members, blank(), blank(), any::<(bool, bool, bool)>()).prop_map(|(members, before, after, (comma, crlf, bom))| {
        let comma = if comma && !members.is_empty() { "," } else { "" };
        let text = format!("{before}{{{after}{}{comma}{before}}}{after}", members.join(&format!(",{before}")));
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        if bom { format!("\u{feff}{text}") } else { text }
    })
}

/// Commands of the grammar's every part.
fn command() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => prop::sample::select(vec!["a.txt", "/tmp/x", "~/b", "$HOME/c", "$TMPDIR/d", "'a b'", "\"$X\"", "*.rs", "{a,b}", "-f", "--", "d/", "$(pwd)/e", "\\$y", "it\\'s"]),
        1 => prop::sample::select(vec!["$(cat f)", "`id`", "<(sort f)", "\"${A:-/tmp/z}\"", "$((1+2))"]),
    ];
    let program = prop::sample::select(vec![
        "cp",
        "mv",
        "rm -rf",
        "cat",
        "tee",
        "sed -i s/a/b/",
        "echo",
        "grep -r",
        "touch",
        "cargo test",
        "npm run lint",
        "pytest -q",
        "git add",
        "git commit -m",
        "sudo -u me",
        "timeout 5",
        "env A=b",
        "xargs",
        "sh",
        "python3",
        "X=1",
        "cd",
        "make",
        "eval",
        "ln -s",
        "tar -xf",
    ]);
    let redirect = prop::sample::select(vec!["", "", "", " > out", " >> /tmp/log", " 2>&1", " < in", " &> all", " 2>/dev/null"]);
    let simple = (program, prop::collection::vec(word, 0..4), redirect)
        .prop_map(|(program, words, redirect)| format!("{program} {}{redirect}", words.join(" ")));
    simple.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), prop::sample::select(vec![" && ", " || ", "; ", " | ", "\n", " & "]), inner.clone())
                .prop_map(|(a, by, b)| format!("{a}{by}{b}")),
            inner.clone().prop_map(|a| format!("( {a} )")),
            inner.clone().prop_map(|a| format!("{{ {a}; }}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("if {a}; then {b}; fi")),
            inner.clone().prop_map(|a| format!("for f in a b; do {a}; done")),
            inner.clone().prop_map(|a| format!("while read -r l; do {a}; done < list")),
            inner.clone().prop_map(|a| format!("f() {{ {a}; }}; f")),
            inner.clone().prop_map(|a| format!("cat <<'EOF' > made\n{a}\nEOF")),
            inner.prop_map(|a| format!("set -e; {a} # {a}")),
        ]
    })
}

/// A session that fails at a test again and again, and ends with a claim that it passes; `words` are everywhere.
fn failing_session(words: &str) -> String {
    let mut lines: Vec<Value> = Vec::new();
    let mut say = |kind: &str, content: Value, result: Value| {
        let stamp = format!("2026-06-01T09:00:{:02}.000Z", lines.len());
        let message = json!({"role": kind, "content": content});
        lines.push(
            json!({"type": kind, "uuid": format!("u{}", lines.len()), "sessionId": words, "cwd": "/home/dev/app", "timestamp": stamp,
            "message": message, "toolUseResult": result}),
        );
    };
    say("user", json!(format!("go {words}")), Value::Null);
    for call in 0..4 {
        let id = format!("t{call}{words}");
        let input = json!({"command": format!("cargo test '{}'", words.replace('\'', "")), "description": words});
        say("assistant", json!([{"type": "tool_use", "id": id, "name": "Bash", "input": input}]), Value::Null);
        let output = format!("Exit code 101\n{words}\ntest result: FAILED. 2 passed; 1 failed; 0 ignored {words}");
        say(
            "user",
            json!([{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": true}]),
            json!(format!("Error: {output}")),
        );
    }
    say("assistant", json!([{"type": "text", "text": format!("{words}\n\nAll tests pass.")}]), Value::Null);
    lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn entries_come_and_go_without_a_trace(before in settings_text(), profile in prop::sample::select(Profile::ALL.to_vec())) {
        settings::come_and_go(&before, &Wiring { command: "/opt/turnstop".into(), profile });
    }

    #[test]
    fn a_planted_secret_is_never_shown(before in hostile(), after in hostile()) {
        text::never_shows_a_planted_secret(&before, &after);
    }

    #[test]
    fn no_reply_holds_a_control_or_bidirectional_character(text in hostile()) {
        let text = turnstop::text::excerpt(&text);
        for reply in [Reply::Deny { reason: &text }, Reply::Block { reason: &text, message: &text }, Reply::Note { to_model: &text, to_user: &text }] {
            for event in ["PreToolUse", "PostToolUse", "Stop", "SessionStart"] {
                assert_harmless(&reply.json(event));
                assert_harmless(&reply.exit_code(event).1);
            }
        }
    }

    #[test]
    fn no_finding_of_a_session_is_told_with_a_control_or_bidirectional_character(words in hostile()) {
        let mut events = Vec::new();
        let lines = failing_session(&words);
        let mut reader = Reader::new(lines.as_bytes());
        reader.read(&mut |event| events.push(event.clone().into_owned())).expect("bytes can be read");
        reader.finish(&mut |event| events.push(event.clone().into_owned()));
        assert!(session::tell(&events) > 0, "nothing was found in {lines}");
    }

    #[test]
    fn a_command_does_inside_bash_what_it_does_bare(command in command()) {
        shell::says_the_same_inside_bash(&command);
    }
}
