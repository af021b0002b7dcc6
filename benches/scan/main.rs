//! What a scan costs beside a bare typed decode of the same files.
//!
//! ```sh
//! cargo bench --bench scan                 # a home of 50 MB
//! cargo bench --bench scan -- 50 500 2000
//! ```
//!
//! The home is made up, the same each time ([`corpus`]). The decode reads every line of every transcript into
//! typed records with the fields that a scan needs, on as many threads as the scan, and does nothing with them. It
//! takes turns with `turnstop scan --format json` of the whole home, as a process. `TURNSTOP_BIN` names another
//! binary, `TURNSTOP_BENCH_KEEP` a folder to leave the homes in.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]
#![expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "numbers of this program's own making")]
#![expect(clippy::needless_pass_by_value, reason = "values made where they are handed over")]

mod corpus;
mod decode;
mod object;
mod words;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use corpus::Home;

fn main() -> Result<()> {
    // `cargo bench` adds arguments of its own.
    let mut sizes: Vec<u64> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    if sizes.is_empty() {
        sizes.push(50);
    }
    let threads = std::thread::available_parallelism()?.get();
    println!("{threads} threads; medians\n");
    println!(
        "| home (MB) | files | lines | decode / scan (ms) | ratio | processor: decode / scan (ms) | ratio | MB/s | peak (MiB) | findings |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for size in sizes {
        let scratch = tempfile::Builder::new().prefix("turnstop-bench-").tempdir()?;
        let root = std::env::var_os("TURNSTOP_BENCH_KEEP")
            .map_or_else(|| scratch.path().to_owned(), |keep| PathBuf::from(keep).join(size.to_string()));
        let home = Home::write(&root, size * 1_000_000)?;
        println!("{}", measure(&home, threads)?);
    }
    Ok(())
}

/// One row of the table.
fn measure(home: &Home, threads: usize) -> Result<String> {
    let rounds = (1_000_000_000 / home.bytes).clamp(3, 21);
    let (mut decodes, mut scans) = (Vec::new(), Vec::new());
    let (mut decoding, mut scanning, mut peak) = (0.0, 0.0, 0.0_f64);
    let (mut lines, mut findings) = (0, 0);
    for _ in 0..rounds {
        let (begin, before) = (Instant::now(), processor_seconds()?);
        lines = decode::files(&home.files, threads)?;
        decodes.push(begin.elapsed());
        decoding += processor_seconds()? - before;
        scans.push(timed(home)?);
        let run = scan(home)?;
        scanning += run.processor;
        peak = peak.max(run.peak);
        findings = run.findings;
    }
    let (decode, scan) = (median(decodes), median(scans));
    let each = |seconds: f64| seconds / rounds as f64 * 1e3;
    Ok(format!(
        "| {} | {} | {lines} | {:.0} / {:.0} | {:.2} | {:.0} / {:.0} | {:.2} | {:.0} | {:.1} | {findings} |",
        home.bytes / 1_000_000,
        home.files.len(),
        decode * 1e3,
        scan * 1e3,
        scan / decode,
        each(decoding),
        each(scanning),
        scanning / decoding,
        home.bytes as f64 / 1e6 / scan,
        peak / 1024.0,
    ))
}

/// How long the threads of this process have worked, by the kernel's ticks of 10 ms.
fn processor_seconds() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit_once(')').context("no process")?.1.split_whitespace();
    Ok(fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0)
}

/// One run of the program.
struct Run {
    /// Seconds that its threads worked, together.
    processor: f64,
    /// Peak resident set in KiB, by `getrusage`.
    peak: f64,
    findings: u64,
}

fn binary() -> OsString {
    std::env::var_os("TURNSTOP_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_turnstop").into())
}

/// Has the command scan the home.
fn run(command: &mut Command, home: &Home) -> Result<Output> {
    command.args(["scan", "--format", "json", "--fail-on", "never"]).arg(&home.project);
    command.env_clear().env("HOME", &home.root).env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "turnstop scan: {}", output.status);
    Ok(output)
}

/// How long the program takes to scan the home, from its start to its end.
fn timed(home: &Home) -> Result<Duration> {
    let begin = Instant::now();
    run(&mut Command::new(binary()), home)?;
    Ok(begin.elapsed())
}

/// Scans the home under GNU time.
fn scan(home: &Home) -> Result<Run> {
    let report = home.root.join("time");
    let mut command = Command::new("/usr/bin/time");
    command.args(["-f", "%M %U %S", "-o"]).arg(&report).arg(binary());
    let output = run(&mut command, home).context("GNU time is needed")?;
    let told: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let findings = told["findings"].as_array().map_or(0, Vec::len) as u64;
    let [peak, user, system] = numbers(&report)?;
    Ok(Run { processor: user + system, peak, findings })
}

fn numbers(report: &Path) -> Result<[f64; 3]> {
    let text = fs::read_to_string(report)?;
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().ok().with_context(|| format!("GNU time said {text:?}"))
}

/// In seconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64()
}
