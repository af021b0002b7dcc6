//! What is shown of hostile text.

use turnstop::{redact, text};

use super::assert_harmless;

/// A secret that stands nowhere else.
const SECRET: &str = "Zq7hunter2Zq7";

/// Ways to write a secret, which every excerpt masks wherever they stand.
const PLANTED: &[&str] = &[
    "--password {}",
    "--token={}",
    "API_KEY={}",
    "Authorization: Bearer {}",
    "https://me:{}@host.example/x",
    "curl -u bob:{}",
    "mysql -p{}",
    "sshpass -p {}",
    "vault login {}",
    "ghp_{}",
];

/// Any text: one harmless line of it is shown, no longer than asked for; a secret in it is masked; a glob is decided.
pub(crate) fn what_is_shown_of_any_text(bytes: &[u8]) {
    let [first, second] = super::parts::<2>(bytes);
    let (first, second) = (super::text(first), super::text(second));
    let clean = text::clean(&first);
    assert_harmless(&clean);
    assert_eq!(text::clean(&clean), clean, "cleaned twice");
    for chars in [0, 1, 7, 80] {
        let cut = text::cut(&first, chars);
        assert!(cut == first || cut.chars().count() <= chars.max(1), "{cut:?}");
        let cut = text::cut_bytes(&first, chars);
        assert!(cut == first || cut.len() <= chars.max(3), "{cut:?}");
        assert!(first.starts_with(text::head(&first, chars)));
    }
    let (excerpt, name) = (text::excerpt(&first), text::name(&first, 160));
    assert_harmless(&excerpt);
    assert_harmless(&name);
    assert!(excerpt.chars().count() <= text::EXCERPT_CHARS && name.len() <= 160);
    assert!(text::glob("**", &first));
    if !first.contains(['*', '?', '[']) {
        assert_eq!(text::glob(&first, &second), first == second);
    }
    let _ = text::glob(&first, &second);
    let _ = (text::millis(&first), text::clock_of(&first), text::seconds_between(Some(&first), Some(&second)));
    never_shows_a_planted_secret(text::head(&first, 600), text::head(&second, 600));
}

/// A secret that is written in any of the known ways between two texts is not shown.
pub(crate) fn never_shows_a_planted_secret(before: &str, after: &str) {
    if text::clean(before).contains(SECRET) || text::clean(after).contains(SECRET) {
        return;
    }
    for way in PLANTED {
        let planted = way.replace("{}", SECRET);
        for text in [format!("{before} {planted} {after}"), format!("{before}\n{planted}\t{after}")] {
            for shown in [redact::mask(&text), text::excerpt(&text), text::name(&text, 4096)] {
                assert!(!shown.contains(SECRET), "{shown:?} of {text:?}");
            }
        }
    }
}
