//! What a scan found, in the forms that people and programs read: one file each, over the same [`Scan`].

pub mod catalogue;
pub mod github;
pub mod json;
pub mod jsonl;
pub mod sarif;
pub mod text;

use std::path::Path;

use crate::meta::Severity;
use crate::scan::{Read, Scan, Spotted};

/// How many findings there are of each weight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Worth knowing.
    pub info: usize,
    /// Of calls that never ran; not among the others.
    pub prevented: usize,
    /// Allowed or acknowledged; not among the others.
    pub suppressed: usize,
}

impl Counts {
    /// Counts the findings of a scan.
    pub fn of(scan: &Scan) -> Self {
        let mut counts = Counts { suppressed: scan.suppressed.len(), ..Counts::default() };
        for spotted in &scan.findings {
            let count = match (spotted.prevented, spotted.finding.severity) {
                (true, _) => &mut counts.prevented,
                (false, Severity::Error) => &mut counts.errors,
                (false, Severity::Warning) => &mut counts.warnings,
                (false, Severity::Info) => &mut counts.info,
            };
            *count += 1;
        }
        counts
    }
}

/// The findings of at least this weight.
fn shown(scan: &Scan, least: Severity) -> impl Iterator<Item = &Spotted> {
    scan.findings.iter().filter(move |spotted| spotted.severity() >= least)
}

/// What was not read, and whether that is as it was asked for, or damage.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Gap {
    /// Left out as was asked for.
    Bound(String),
    /// A file, or a part of one, that could not be read.
    Damage(String),
}

/// What was not read, a line each.
fn gaps(read: &Read, show: impl Fn(&Path) -> String) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = bounds(read).map(Gap::Bound).collect();
    gaps.extend(read.skipped.iter().map(|(file, reason)| Gap::Damage(format!("not read: {}: {}", show(file), crate::text::clean(reason)))));
    if read.lines_not_read() > 0 {
        let not_read = read.lines_not_read();
        gaps.push(Gap::Damage(format!("{} not read: no JSON, or not what a transcript holds", plural(not_read, "line"))));
    }
    if read.half_last_lines > 0 {
        let ends = if read.half_last_lines == 1 { "1 file ends".to_owned() } else { format!("{} files end", read.half_last_lines) };
        gaps.push(Gap::Damage(format!("{ends} within a line: a session that still runs, or one that was cut")));
    }
    if !read.unknown_types.is_empty() {
        let names: Vec<String> = read.unknown_types.iter().map(|(name, n)| format!("{} ({n})", crate::text::name(name, 80))).collect();
        gaps.push(Gap::Damage(format!("lines of unknown types, passed over: {}", names.join(", "))));
    }
    gaps
}

/// What was left out as was asked for, a line each.
fn bounds(read: &Read) -> impl Iterator<Item = String> {
    let truncated = (read.truncated > 0).then(|| format!("--max-lines: {} read in part", plural(read.truncated.into(), "file")));
    read.bounds.iter().cloned().chain(truncated)
}

/// `1 file`, `2 files`.
fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// The path of a file inside the project, with `/` between its parts.
fn inside<'a>(file: &'a str, project: &Path) -> Option<&'a Path> {
    Path::new(file).strip_prefix(project).ok().filter(|below| project.components().count() > 1 && !below.as_os_str().is_empty())
}
