//! What the output of a gate's run says.

use turnstop::session::verdict::{Asked, Summary, Verdict, summary};
use turnstop::shell::gates::{Gate, gates};
use turnstop::shell::{Dialect, effects};

use super::{parts, text};

/// Any command and any output: a verdict rests on a line of the output, and neither colours nor Windows' line ends
/// change it.
pub(crate) fn of_any_output(bytes: &[u8]) {
    let [command, output] = parts::<2>(bytes);
    let (command, output) = (text(command), text(output));
    let runs = gates(&effects(&command, Dialect::Bash));
    let mut asked: Vec<(Gate, &'static str)> =
        runs.iter().flat_map(|run| run.gates.iter().map(|gate| (gate, run.runner))).take(3).collect();
    if asked.is_empty() {
        asked.extend(Gate::ALL.map(|gate| (gate, "")));
    }
    for (gate, runner) in asked {
        of_one(&output, &Asked { gate, runner, alone: true, whole: true });
        of_one(&output, &Asked { gate, runner, alone: false, whole: false });
    }
}

fn of_one(output: &str, asked: &Asked) {
    let found = summary(output, asked);
    if found.verdict == Verdict::Unknown {
        assert_eq!(found, Summary::default());
        return;
    }
    assert!(found.line.len() <= 160 + '…'.len_utf8(), "{found:?}");
    if output.len() < 1000 && !output.contains(['\r', '\u{1b}']) {
        for told in [output.replace('\n', "\r\n"), format!("\u{1b}[32m{}\u{1b}[0m", output.replace('\n', "\u{1b}[0m\n\u{1b}[1;31m"))] {
            assert_eq!(summary(&told, asked), found, "{asked:?} {told:?}");
        }
    }
}
