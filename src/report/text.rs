//! Text for people: each finding with its places and the remedy, and a closing line that leaves nothing out.

use std::fmt::Write as _;
use std::path::Path;

use anstyle::{AnsiColor, Style};

use super::Counts;
use crate::finding::Place;
use crate::meta::{Confidence, Severity};
use crate::scan::{Scan, Spotted};
use crate::text::clean;

/// What is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Show {
    /// Findings that are merely worth knowing, and prevented ones, too.
    pub info: bool,
    /// With colours.
    pub colour: bool,
}

/// The scan as text.
pub fn render(scan: &Scan, home: &Path, show: Show) -> String {
    let mut out = String::new();
    for spotted in scan.findings.iter().filter(|spotted| show.info || spotted.severity() > Severity::Info) {
        finding(&mut out, spotted, home, show);
    }
    closing(&mut out, scan, home, show);
    out
}

fn finding(out: &mut String, spotted: &Spotted, home: &Path, show: Show) {
    let finding = &spotted.finding;
    let colour = match spotted.severity() {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Info => AnsiColor::Cyan,
    };
    let head = if spotted.prevented { "prevented" } else { finding.severity.word() };
    let head = paint(&format!("{head}[{}]", finding.rule.id), colour.on_default().bold(), show);
    let guess = if finding.confidence == Confidence::Heuristic { " (heuristic)" } else { "" };
    let _ = writeln!(out, "{head}{guess}: {}", finding.message);
    for place in &finding.places {
        self::place(out, place, home, show);
    }
    for line in finding.evidence.iter().filter(|line| **line != finding.message) {
        let _ = writeln!(out, "  = {line}");
    }
    let _ = writeln!(out, "  {} {}\n", paint("help:", AnsiColor::Green.on_default().bold(), show), finding.remedy);
}

fn place(out: &mut String, place: &Place, home: &Path, show: Show) {
    let line = if place.line > 0 { format!(":{}", place.line) } else { String::new() };
    let at = format!("{}{line}", short(&place.file, home));
    let _ = write!(out, "  {} {at}", paint("-->", AnsiColor::Blue.on_default().bold(), show));
    let excerpt = if place.excerpt.is_empty() { String::new() } else { format!(" `{}`", place.excerpt) };
    let _ = writeln!(out, "\n      {}{excerpt}{}", place.role, place.time.as_deref().map(when).unwrap_or_default());
}

/// `2026-06-01T09:00:07.418Z` as ` at 2026-06-01 09:00 UTC`.
fn when(time: &str) -> String {
    match (time.get(..10), time.get(11..16), time.ends_with('Z')) {
        (Some(day), Some(minute), true) => format!(" at {} {} UTC", clean(day), clean(minute)),
        _ => format!(" at {}", clean(time)),
    }
}

/// A path with the home directory as `~`, fit to be shown.
fn short(path: &str, home: &Path) -> String {
    let below = Path::new(path).strip_prefix(home).ok().filter(|_| home.components().count() > 1);
    clean(&below.map_or_else(|| path.to_owned(), |below| format!("~/{}", below.display())))
}

fn closing(out: &mut String, scan: &Scan, home: &Path, show: Show) {
    let read = &scan.read;
    for (file, reason) in &read.skipped {
        let _ = writeln!(out, "not read: {}: {}", short(&file.to_string_lossy(), home), clean(reason));
    }
    if scan.read.sessions == 0 {
        let project = clean(&scan.project.to_string_lossy());
        let _ = writeln!(out, "no sessions of {project} were found: no folder of that name holds a transcript");
        if scan.findings.is_empty() {
            return;
        }
    }
    let counts = Counts::of(scan);
    let mut found = vec![plural(counts.errors, "error"), plural(counts.warnings, "warning")];
    let hidden = if show.info { "" } else { " (--verbose shows them)" };
    if counts.info + counts.prevented > 0 {
        found.push(format!("{} info and {} prevented{hidden}", counts.info, counts.prevented));
    }
    let _ = write!(out, "{}; read {}", found.join(", "), plural(read.sessions as usize, "session"));
    let _ = write!(out, ", {}, {} lines", plural(read.files as usize, "file"), read.lines);
    let _ = writeln!(out, ", {} not read", plural(usize::try_from(read.lines_not_read()).unwrap_or(usize::MAX), "line"));
    if read.half_last_lines > 0 {
        let _ = writeln!(out, "{} within a line: a session that still runs, or one that was cut", ends(read.half_last_lines));
    }
    if !read.unknown_types.is_empty() {
        let names: Vec<String> = read.unknown_types.iter().map(|(name, count)| format!("{} ({count})", clean(name))).collect();
        let _ = writeln!(out, "lines of unknown types, passed over: {}", names.join(", "));
    }
}

fn ends(files: u32) -> String {
    if files == 1 { "1 file ends".to_owned() } else { format!("{files} files end") }
}

fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn paint(text: &str, style: Style, show: Show) -> String {
    if show.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
}
