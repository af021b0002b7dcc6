//! What one `turnstop hook` call costs as a whole process, beside the cheapest process there is: an
//! empty static Rust program.
//!
//! ```sh
//! cargo bench --bench process                          # 300 timed calls of each kind
//! cargo bench --bench process -- 1000
//! cargo bench --bench process -- --instructions        # instructions instead of times, by callgrind
//! cargo bench --bench process -- --instructions --check   # and fail where one is over its limit
//! cargo bench --bench process -- --instructions --bless   # write the limits anew
//! ```
//!
//! Each kind of call is made in a session of 0, 1,000 and 10,000 events, played through the hook, with a transcript
//! of 100 MB. Before each call the state is put back to where it was. The two programs take turns, share one
//! processor (`taskset`) and read their input from a file. Every answer is checked. `TURNSTOP_BIN` names the
//! binary; without it `install.sh --build-only` builds the one that is shipped.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

mod cases;
mod instructions;
mod session;

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::cases::{CASES, Case};
use crate::session::{Answer, Session};

/// How many events the sessions have.
const LENGTHS: [usize; 3] = [0, 1_000, 10_000];

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let given = |word: &str| args.iter().any(|arg| arg == word);
    if given("--instructions") {
        return instructions::run(given("--check"), given("--bless"));
    }
    pin()?;
    // `cargo bench` adds arguments of its own.
    let runs = args.iter().find_map(|arg| arg.parse::<usize>().ok()).unwrap_or(300).max(1);
    let scratch = scratch()?;
    let hook = binary()?;
    let empty = empty_program(scratch.path())?;
    println!("{} KB binary, {runs} runs each\n", fs::metadata(&hook)?.len() / 1000);
    println!(
        "| call | events | empty process, median / p95 (ms) | hook, median / p95 (ms) | ratio | difference (ms) | peak memory (MiB) |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut sessions = sessions(scratch.path(), &hook)?;
    for case in CASES {
        for (events, session) in &mut sessions {
            println!("{}", measure(case, *events, session, &empty, runs)?);
        }
    }
    Ok(())
}

/// A folder to play in, with nothing in its path that makes every call concern a rule: no `tmp`, and no name of our own.
fn scratch() -> Result<TempDir> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().context("no target folder")?;
    Ok(tempfile::Builder::new().prefix("bench-").rand_bytes(3).tempdir_in(target)?)
}

/// A session of each length.
fn sessions(scratch: &Path, hook: &Path) -> Result<Vec<(usize, Session)>> {
    let played = LENGTHS.iter().map(|events| {
        let mut session = Session::new(&scratch.join(events.to_string()), hook.to_owned())?;
        session.play(*events)?;
        session.keep_as("played")?;
        Ok((*events, session))
    });
    played.collect()
}

/// Starts this program again on one processor, where `taskset` is there to do it.
fn pin() -> Result<()> {
    const PINNED: &str = "TURNSTOP_BENCH_PINNED";
    if std::env::var_os(PINNED).is_none() {
        let last = std::thread::available_parallelism()?.get() - 1;
        let me = std::env::current_exe()?;
        let error =
            Command::new("taskset").args(["-c", &last.to_string()]).arg(me).args(std::env::args_os().skip(1)).env(PINNED, "1").exec();
        println!("not pinned to one processor: taskset: {error}");
    }
    Ok(())
}

/// The binary under test.
fn binary() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("TURNSTOP_BIN") {
        return Ok(fs::canonicalize(path)?);
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh");
    let output = Command::new("sh").arg(script).arg("--build-only").stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "install.sh --build-only failed");
    let text = String::from_utf8(output.stdout)?;
    let path = text.lines().last().and_then(|line| line.strip_prefix("==> built "));
    Ok(fs::canonicalize(path.context("install.sh --build-only named no path")?)?)
}

/// The cheapest process Rust can make: static, and nothing in it.
fn empty_program(scratch: &Path) -> Result<PathBuf> {
    let (source, path) = (scratch.join("empty.rs"), scratch.join("empty"));
    fs::write(&source, "fn main() {}\n")?;
    let flags = ["-O", "-C", "target-feature=+crt-static", "-C", "panic=abort", "-C", "strip=symbols", "-o"];
    ensure!(Command::new("rustc").args(flags).arg(&path).arg(&source).status()?.success(), "the empty program did not build");
    Ok(path)
}

/// Times the call and the empty program in turns; a row of the table.
fn measure(case: &Case, events: usize, session: &mut Session, empty: &Path, runs: usize) -> Result<String> {
    const WARM_UP: usize = 5;
    let input = prepare(case, session)?;
    let (mut floor, mut hook) = (Vec::new(), Vec::new());
    for n in 0..runs + WARM_UP {
        session.go_back_to("prepared")?;
        let nothing = session.run(&mut Command::new(empty), &input)?;
        let answer = session.run(&mut session.hook_command(), &input)?;
        check(case, &answer)?;
        if n >= WARM_UP {
            floor.push(nothing.time);
            hook.push(answer.time);
        }
    }
    session.go_back_to("prepared")?;
    let memory = peak_memory(session, &input)?.map_or_else(|| "not known".to_owned(), |kib| format!("{:.1}", kib / 1024.0));
    let ((floor, floor_p95), (hook, hook_p95)) = (median_and_p95(floor), median_and_p95(hook));
    Ok(format!(
        "| {} | {events} | {floor:.2} / {floor_p95:.2} | {hook:.2} / {hook_p95:.2} | {:.2} | {:.2} | {memory} |",
        case.name,
        hook / floor,
        hook - floor
    ))
}

/// Brings the session to where the call is made, keeps that, and says where the payload stands. The call follows a
/// prompt, so that it repeats nothing.
fn prepare(case: &Case, session: &mut Session) -> Result<PathBuf> {
    session.go_back_to("played")?;
    session.send(&session.prompt())?;
    let payload = (case.prepare)(session)?;
    session.keep_as("prepared")?;
    session.write_payload("timed.json", &payload)
}

fn check(case: &Case, answer: &Answer) -> Result<()> {
    let as_expected = if case.denied { answer.text.contains("\"deny\"") } else { answer.text.is_empty() };
    ensure!(as_expected, "{}: answered {:?}", case.name, answer.text);
    Ok(())
}

/// Peak resident memory of the next call in KiB, by GNU time where it is installed.
fn peak_memory(session: &Session, input: &Path) -> Result<Option<f64>> {
    let time = Path::new("/usr/bin/time");
    if !time.exists() {
        return Ok(None);
    }
    let (_, told) = session.run_under(Command::new(time).args(["-f", "%M", "-o"]), input)?;
    Ok(Some(told.trim().parse()?))
}

/// Both in milliseconds.
fn median_and_p95(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1e3;
    (at(50), at(95))
}
