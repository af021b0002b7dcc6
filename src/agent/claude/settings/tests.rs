use super::file::is_own_command_line;
use super::*;

fn wiring(profile: Profile) -> Wiring {
    Wiring { command: "/opt/turnstop".to_owned(), profile }
}

#[test]
fn own_command_lines_are_told_by_shape() {
    let own = [
        "turnstop hook",
        "/usr/bin/turnstop hook",
        "  turnstop  hook --observe ",
        "\"C:/Users/a b/.cargo/bin/turnstop.exe\" hook",
        "'/a b/turnstop' hook --reply exit-code",
        "turnstop hook 2>/dev/null || true",
    ];
    let foreign = [
        "",
        "turnstop",
        "turnstop scan",
        "turnstop hooks",
        "turnstop-extra hook",
        "my-turnstop hook",
        "echo turnstop hook",
        "turnstop hook; other-tool",
        "turnstop hook && other-tool",
        "turnstop hook | tee log",
        "\"/a b/turnstop\"hook",
        "\"/a b/turnstop hook",
        "\"/a b/turnstop\"",
    ];
    for line in own {
        assert!(is_own_command_line(line), "{line}");
    }
    for line in foreign {
        assert!(!is_own_command_line(line), "{line}");
    }
}

#[test]
fn a_new_file_goes_away_again() {
    for profile in Profile::ALL {
        let text = install(None, &wiring(profile)).expect("a new file");
        assert_eq!(install(Some(&text), &wiring(profile)).expect("again"), text);
        assert_eq!(installed(&text).expect("readable").profile, Some(profile));
        assert_eq!(uninstall(&text).expect("readable"), None);
    }
}

#[test]
fn an_entry_in_a_member_that_another_overrides_is_stale() {
    let observing = install(None, &wiring(Profile::Observe)).expect("a new file");
    let own = r#"[{"hooks": [{"type": "command", "command": "turnstop", "args": ["hook"], "timeout": 10}]}]"#;
    let twice = observing.replacen("\"hooks\": {", &format!("\"hooks\": {{\n    \"Stop\": {own},"), 1);
    assert_eq!(installed(&twice).expect("readable").profile, Some(Profile::Observe), "the first one never runs");
    let bare = twice.replace(own, "[]");
    assert_eq!(install(Some(&twice), &wiring(Profile::Observe)).expect("readable"), bare);
    let overridden = format!(r#"{{"hooks": {{"Stop": {own}, "Stop": []}}}}"#);
    assert_eq!(installed(&overridden).expect("readable").events, Vec::<String>::new());
    assert_eq!(uninstall(&overridden).expect("readable").as_deref(), Some(r#"{"hooks": {"Stop": [], "Stop": []}}"#));
}

#[test]
fn refusals_name_the_place() {
    let cases = [
        ("", 1, 1, "the file holds no settings"),
        ("// only this\n", 1, 1, "the file holds no settings"),
        ("[]", 1, 1, "the settings are not an object"),
        ("{\n  \"hooks\": []\n}", 2, 12, "`hooks` is not an object"),
        ("{\n\t\"é\": 1, \"hooks\": null\n}", 2, 19, "`hooks` is not an object"),
        ("{\"hooks\": {\n\"Stop\": {}}}", 2, 9, "`hooks.Stop` is not an array"),
        ("{}\r // one line\n[", 2, 1, "text cannot contain more than one JSON value"),
        ("{\n  \"a\": 1\n  \"b\": 2\n}", 2, 9, "expected comma"),
        ("{\n  \"a\": ", 2, 8, "expected value after colon in object property"),
        ("{\"hooks\": {\"Stop\": [{} {}]}}", 1, 23, "expected comma"),
        ("{'a': 1}", 1, 2, "single-quoted strings are not allowed"),
    ];
    for (text, line, column, message) in cases {
        let refusal = install(Some(text), &wiring(Profile::Standard)).expect_err(text);
        assert_eq!((refusal.line, refusal.column, refusal.message.as_str()), (line, column, message), "{text}");
    }
}

#[test]
fn a_comment_never_swallows_what_follows() {
    let wired = install(Some("{\n  \"a\": 1 // c\n}"), &wiring(Profile::Standard)).expect("readable");
    let joined = wired.strip_suffix("\n}").expect("a last line of its own").to_owned() + "}";
    assert_eq!(uninstall(&joined).expect("readable").as_deref(), Some("{\n  \"a\": 1 // c\n}"));
    let followed = joined.strip_suffix('}').expect("an object").to_owned() + ", \"b\": 2}";
    assert_eq!(uninstall(&followed).expect("readable").as_deref(), Some("{\n  \"a\": 1, // c\n \"b\": 2}"));
}

/// Generated settings texts, spelled in every way a file may be.
mod texts {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    const SPACES: &[&str] = &["", "", "", " ", "\n", "\r\n", "\n  ", "\t", "\n\n", "\r", "  \n\t"];
    const COMMENTS: &[&str] = &["/* c */", "// c\n", "//, \"}\r\n", "/* a\n b */", "/**/", "//\n//\n", "/*,*/", "// c\r"];
    const EVENTS: &[&str] = &["PreToolUse", "Stop", "SessionStart", "Notification", "Pre\\u0054oolUse"];

    fn space() -> impl Strategy<Value = String> {
        let comment = (select(SPACES), select(COMMENTS), select(SPACES)).prop_map(|parts| parts.0.to_owned() + parts.1 + parts.2);
        prop_oneof![6 => select(SPACES).prop_map(str::to_owned), 1 => comment]
    }

    fn bracketed(open: &'static str, close: &'static str, items: impl Strategy<Value = Vec<String>>) -> impl Strategy<Value = String> {
        (items, space(), vec(space(), 12), proptest::bool::weighted(0.2)).prop_map(move |(items, first, spaces, trailing)| {
            let mut spaces = spaces.into_iter().cycle();
            let mut space = move || spaces.next().unwrap_or_default();
            let mut out = format!("{open}{first}");
            for (position, item) in items.iter().enumerate() {
                out += item;
                out += &space();
                if position + 1 < items.len() || trailing {
                    out.push(',');
                    out += &space();
                }
            }
            out + close
        })
    }

    fn pair(key: impl Strategy<Value = String>, value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
        (key, select(&["", " "][..]), select(&["", " ", "\n"][..]), value)
            .prop_map(|(key, before, after, value)| format!("\"{key}\"{before}:{after}{value}"))
    }

    fn foreign_group() -> impl Strategy<Value = String> {
        let commands = ["echo turnstop hook", "turnstop-extra hook", "ls", "// \\\" }"];
        let entry =
            bracketed("{", "}", vec(pair(Just("command".to_owned()), select(commands.to_vec()).prop_map(|it| format!("\"{it}\""))), 0..2));
        let group = bracketed("{", "}", vec(pair(Just("hooks".to_owned()), bracketed("[", "]", vec(entry, 0..3))), 0..2));
        prop_oneof![4 => group, 1 => select(&["null", "1e400", "[]", "\"x\""][..]).prop_map(str::to_owned)]
    }

    fn hooks() -> impl Strategy<Value = String> {
        let event = pair(select(EVENTS).prop_map(str::to_owned), bracketed("[", "]", vec(foreign_group(), 0..3)));
        bracketed("{", "}", vec(event, 0..4))
    }

    fn other() -> impl Strategy<Value = String> {
        let scalar = select(&["1", "-0.10e+3", "true", "null", "\"é // } \\u0041\"", "12345678901234567890", "\"\""][..]);
        let scalar = scalar.prop_map(str::to_owned).boxed();
        let nested = bracketed("[", "]", vec(scalar.clone(), 0..3));
        pair("[a-f ]{0,3}".prop_map(|key| key), prop_oneof![scalar, nested])
    }

    fn members() -> impl Strategy<Value = Vec<String>> {
        let with =
            (vec(other(), 0..3), pair(Just("hooks".to_owned()), hooks()), vec(other(), 0..3)).prop_map(|(mut before, hooks, after)| {
                before.push(hooks);
                before.extend(after);
                before
            });
        prop_oneof![2 => with, 1 => vec(other(), 0..4)]
    }

    pub(super) fn settings() -> impl Strategy<Value = String> {
        (select(&["", "", "\u{feff}"][..]), space(), bracketed("{", "}", members()), space())
            .prop_map(|(bom, before, root, after)| format!("{bom}{before}{root}{after}"))
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn uninstall_gives_back_every_byte(text in texts::settings(), profile in proptest::sample::select(&Profile::ALL[..])) {
        let wiring = wiring(profile);
        let wired = install(Some(&text), &wiring).expect("generated settings are readable");
        let found = installed(&wired).expect("what was written is readable");
        proptest::prop_assert_eq!(found.events.len(), EVENTS.len());
        proptest::prop_assert_eq!(found.profile, Some(profile));
        proptest::prop_assert_eq!(&install(Some(&wired), &wiring).expect("again"), &wired);
        proptest::prop_assert_eq!(uninstall(&wired).expect("readable"), Some(text));
    }

    #[test]
    fn any_text_is_answered(text in "[\\[\\]{}\",:/* \n\ra]{0,40}") {
        let _ = install(Some(&text), &wiring(Profile::Standard));
        let _ = uninstall(&text);
    }
}
