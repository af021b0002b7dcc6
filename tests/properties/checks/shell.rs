//! Effects of a command text.

use turnstop::shell::gates::gates;
use turnstop::shell::{Dialect, Effect, EffectKind, Effects, effects};

use super::text;

/// The effects of any text, in both dialects: they refer to commands that are there, in order, and `bash -c` around a
/// text changes nothing.
pub(crate) fn effects_of_any_text(bytes: &[u8]) {
    let command = text(bytes);
    for dialect in [Dialect::Bash, Dialect::PowerShell] {
        is_consistent(&effects(&command, dialect));
    }
    says_the_same_inside_bash(&command);
}

fn is_consistent(found: &Effects) {
    assert!(found.list.iter().all(|effect| effect.command < found.commands.len()), "{found:?}");
    // What a redirect reads for a text of another shell is read before anything in there goes to the background.
    assert!(found.list.iter().all(|effect| !effect.background || found.commands[effect.command].background), "{found:?}");
    assert!(found.commands.iter().rev().skip(1).all(|command| !command.last), "{found:?}");
    for run in gates(found) {
        assert!(run.command < found.commands.len() && run.narrow.len() <= 80, "{run:?}");
        assert_eq!(run.implies.without(run.gates), run.implies, "{run:?}");
    }
}

/// Effects of `cmd` = effects of `bash -c 'cmd'`, but for the directory, which nothing after it stands in. What was only
/// split is not compared: where the quote ends is a guess.
pub(crate) fn says_the_same_inside_bash(command: &str) {
    // Behind `-c`, an option is one of bash's; and arguments, which nobody can know of the text alone, there are none. A
    // line's end in the manner of Windows becomes one of ours in each text anew.
    if command.starts_with(['-', '+']) || names_arguments(command) || command.contains("\r\r\n") {
        return;
    }
    let bare = effects(command, Dialect::Bash);
    let inside = effects(&format!("bash -c '{}'", command.replace('\'', r"'\''")), Dialect::Bash);
    if bare.approximate || inside.approximate {
        return;
    }
    let lasting = |found: &Effects| -> Vec<Effect> {
        found.list.iter().filter(|effect| !matches!(effect.kind, EffectKind::ChangeDir { .. })).cloned().collect()
    };
    assert_eq!(lasting(&bare), lasting(&inside), "{command:?}");
    assert_eq!(gates(&bare), gates(&inside), "{command:?}");
}

/// `$1`, `$*`, `${@:2}`, `${!1}`.
fn names_arguments(command: &str) -> bool {
    command.replace("\\\n", "").split('$').skip(1).any(|rest| {
        let name = rest.trim_start_matches(['{', '!', '#', '$', '"', '\\', '\'']);
        name.len() < rest.len() && name.is_empty()
            || name.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '@' | '*' | '#' | '-' | '_'))
    })
}
