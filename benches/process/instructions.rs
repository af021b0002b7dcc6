//! Instructions instead of times: the same on a busy machine as on a quiet one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::cases::{CASES, Case};
use crate::session::Session;
use crate::{binary, check, prepare, scratch, sessions};

/// Counts the instructions of each kind of call, and compares them with the limits.
pub(crate) fn run(to_check: bool, to_bless: bool) -> Result<()> {
    ensure!(Command::new("valgrind").arg("--version").output().is_ok(), "valgrind is not installed");
    let scratch = scratch()?;
    let limits = limits()?;
    let mut counted = String::from("# call\tevents\tmost instructions\n");
    let mut over = Vec::new();
    let mut sessions = sessions(scratch.path(), &binary()?)?;
    println!("| call | events | instructions | limit |\n|---|---|---|---|");
    for (case, headroom) in CASES.iter().filter_map(|case| Some((case, case.headroom?))) {
        for (events, session) in &mut sessions {
            let count = count(case, session)?;
            let limit = limits.get(&(case.name.to_owned(), *events)).copied();
            println!("| {} | {events} | {count} | {} |", case.name, limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string()));
            let _ = writeln!(counted, "{}\t{events}\t{}", case.name, count * headroom / 100);
            if limit.is_none_or(|limit| count > limit) {
                over.push(format!("{} after {events} events: {count} instructions, limit {limit:?}", case.name));
            }
        }
    }
    if to_bless {
        fs::write(limits_file(), counted)?;
    } else if to_check && !over.is_empty() {
        bail!("over the limit:\n{}", over.join("\n"));
    }
    Ok(())
}

/// Instructions of one call.
fn count(case: &Case, session: &mut Session) -> Result<u64> {
    let input = prepare(case, session)?;
    let (answer, told) = session.run_under(&mut callgrind(), &input)?;
    check(case, &answer)?;
    let line = told.lines().find_map(|line| line.split_once("Collected :")).context("callgrind told no count")?;
    Ok(line.1.trim().parse()?)
}

/// Callgrind, up to the name of its report. It takes none as a word of its own, so a shell joins it.
fn callgrind() -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", r#"exec valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$0" "$@""#]);
    command
}

/// The most instructions of a call, by its name and the events before it.
fn limits() -> Result<BTreeMap<(String, usize), u64>> {
    let text = fs::read_to_string(limits_file())?;
    let rows = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().with_context(|| format!("not a limit: {line}"));
        Ok(((cell()?.to_owned(), cell()?.parse()?), cell()?.parse()?))
    });
    rows.collect()
}

fn limits_file() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "benches/process/limits.tsv"].iter().collect()
}
