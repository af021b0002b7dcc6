//! Texts that need no grammar: words, quotes, names of variables, pipes, lists and redirects on one line. Most commands
//! are such, and the flat splitter gives of them what the parser would, in a fraction of the time.

use memchr::memchr2;

/// Words that begin something other than a simple command.
const KEYWORDS: &[&str] = &[
    "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "for", "case", "esac", "select", "function", "time", "coproc", "in",
];

/// What stands before a place in the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing, or an operator that a command has to follow.
    Command,
    /// A `;`, which may stand last.
    End,
    /// A redirect, which a word has to follow.
    Target,
    /// A word.
    Word,
}

/// Is the text one that the splitter and the parser read alike?
pub(super) fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut before = Before::Command;
    // The word that was read last, and what stood before it.
    let (mut last, mut before_last) = (0..0, Before::Command);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let double = bytes.get(at + 1) == Some(&byte);
        at += match (byte, before) {
            (b' ' | b'\t', _) => 1,
            (b'|' | b'&', Before::Word) if byte == b'|' || double => {
                before = Before::Command;
                1 + usize::from(double)
            }
            (b';', Before::Word) if !double => {
                before = Before::End;
                1
            }
            // `2>&1` and `>>`, and the same of input but for `<<`.
            (b'>' | b'<', Before::Word) if byte == b'>' || !double => {
                if last.end == at && !names_no_other(&text[last.clone()], before_last) {
                    return false;
                }
                before = Before::Target;
                1 + usize::from(double || bytes.get(at + 1) == Some(&b'&'))
            }
            _ => {
                let Some(end) = word_end(bytes, at) else { return false };
                if !is_plain_word(&text[at..end], before) {
                    return false;
                }
                (last, before_last, before) = (at..end, before, Before::Word);
                end - at
            }
        };
    }
    matches!(before, Before::Word | Before::End)
}

/// Where the word ends that begins here; `None` where it holds what has to be parsed, or is none.
fn word_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        at += match byte {
            b'\'' => 2 + memchr2(b'\'', b'\n', &bytes[at + 1..]).filter(|length| bytes[at + 1 + length] == b'\'')?,
            b'"' => 2 + double_quoted(&bytes[at + 1..])?,
            b'$' if names_variable(bytes, at) => 2,
            // Behind a letter or a digit it is no home (`HEAD~2`).
            b'~' if at > start && bytes[at - 1].is_ascii_alphanumeric() => 1,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'/' | b':' | b',' | b'+' | b'@' | b'%' | b'=' | b'*' | b'^' => {
                1
            }
            b' ' | b'\t' | b';' | b'|' | b'&' | b'<' | b'>' => break,
            _ => return None,
        };
    }
    (at > start).then_some(at)
}

/// How long the text is up to the `"` that closes it; `None` where something in it has to be parsed.
fn double_quoted(bytes: &[u8]) -> Option<usize> {
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => return Some(at),
            b'$' if names_variable(bytes, at) => {}
            b'\n' | b'\r' | b'$' | b'`' | b'\\' | b'!' => return None,
            _ => {}
        }
    }
    None
}

/// `$x`, `$1`, `$?`: no bracket or quote follows that would open something.
fn names_variable(bytes: &[u8], at: usize) -> bool {
    bytes.get(at + 1).is_some_and(|byte| matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'?'))
}

/// A word right before a redirect: is it one digit, or none that could be the number of a descriptor?
fn names_no_other(word: &str, before: Before) -> bool {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    !is_number || (word.len() == 1 && before == Before::Word)
}

/// No keyword where a command begins, and nothing that may be an assignment.
fn is_plain_word(word: &str, before: Before) -> bool {
    let is_keyword = matches!(before, Before::Command | Before::End) && KEYWORDS.contains(&word);
    let name = word.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let assigns = name > 0 && (word[name..].starts_with('=') || word[name..].starts_with("+="));
    !(is_keyword || assigns)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::super::{Dialect, effects};
    use super::is_plain;

    const PIECES: &[&str] = &[
        " ",
        " ",
        " ",
        " && ",
        " || ",
        " | ",
        "; ",
        ";",
        "|",
        "&&",
        " > ",
        ">",
        " >> ",
        " < ",
        " 2>&1",
        " 2>",
        ">&2",
        "|&",
        " &",
        "cp",
        "cat",
        "a.txt",
        "/tmp/x",
        "sudo",
        "env",
        "A=1",
        "-f",
        "--out=/tmp/y",
        "if",
        "time",
        "do",
        "in",
        "'two words'",
        "\"it's\"",
        "'",
        "\"",
        "rm",
        "tee",
        "mv",
        "cd",
        "sub",
        "git",
        "commit",
        "-m",
        "2",
        "1",
        "sed",
        "-i",
        "*",
        "a*b",
        "^x",
        "sh",
        "-c",
        "'cat a > b'",
        "\"cp a b && c\"",
        "xargs",
        "function",
        "export",
        "echo",
        "@",
        "%",
        ":",
        ",",
        "+",
        "bash",
        "timeout",
        "5",
        "make",
        "test",
        "cargo",
        "exec",
        "!",
        "''",
        "\"\"",
        "$x",
        "$?",
        "\"$x y\"",
        "\"exit=$?\"",
        "'{print $1}'",
        "'a[] | b\\'",
        "HEAD~2",
        "~",
        "x=",
        "$1",
        "cp $x",
        "for",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 10000, ..ProptestConfig::default() })]

        /// A line's end is no part of a plain text, and changes nothing that a command does.
        #[test]
        fn the_splitter_and_the_parser_read_plain_text_alike(pieces in prop::collection::vec(select(PIECES), 1..12)) {
            let text = pieces.concat();
            if is_plain(&text) {
                prop_assert_eq!(effects(&text, Dialect::Bash), effects(&format!("{text}\n"), Dialect::Bash), "{}", text);
            }
        }
    }

    #[test]
    fn what_needs_a_grammar_is_not_plain() {
        for text in [
            "cargo test --all",
            "cd a && ls -la | head -3; git status 2>&1 >> log",
            "git commit -m 'one two'",
            "a;",
            "awk '{print $1}' a | sort",
            "jq '.a[] | \\(.b)' x",
            "echo $x \"exit=$?\"",
            "git diff HEAD~2",
        ] {
            assert!(is_plain(text), "{text}");
        }
        for text in [
            "",
            " ",
            "a &",
            "a &&",
            "| a",
            "a || | b",
            "a >",
            "a > > b",
            "a;; b",
            "x=1 a",
            "dd if=a",
            "echo ${x}",
            "echo $'a'",
            "echo $",
            "echo 'a",
            "echo 'a\nb'",
            "if a",
            "a (b)",
            "a\nb",
            "# a",
            "a << b",
            "! a",
            "a \\b",
            "echo \"$(x)\"",
            "echo \"${x}\"",
            "echo \"$\"",
            "a `b`",
            "{ a",
            "a; done",
            "time a",
            "~/a",
            "a=~/b",
            "a:~b",
        ] {
            assert!(!is_plain(text), "{text}");
        }
    }
}
