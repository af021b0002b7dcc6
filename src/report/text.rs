//! Text for people: session by session, each finding with its places and the remedy, and a closing line that leaves
//! nothing out.

use std::fmt::Write as _;
use std::path::Path;

use anstyle::{AnsiColor, Style};

use super::{Counts, Gap, gaps, plural, shown};
use crate::agent::Client;
use crate::finding::{Finding, Place};
use crate::meta::{Confidence, Severity};
use crate::scan::{Read, Scan, Spotted};
use crate::suppress::By;
use crate::text::{clean, name};

/// What is shown, and how.
#[derive(Debug, Clone, Copy)]
pub struct Show<'a> {
    /// The findings of this weight and graver ones.
    pub least: Severity,
    /// What is allowed or acknowledged, too.
    pub suppressed: bool,
    /// With colours.
    pub colour: bool,
    /// The home folder, shown as `~`.
    pub home: &'a Path,
}

/// The scan as text.
pub fn render(scan: &Scan, show: Show<'_>) -> String {
    let mut out = String::new();
    let mut listed: Vec<(&Spotted, Option<&By>)> = shown(scan, show.least).map(|spotted| (spotted, None)).collect();
    if show.suppressed {
        listed.extend(scan.suppressed.iter().map(|known| (&known.spotted, Some(&known.by))));
    }
    for (session, findings) in by_session(&listed) {
        let head = if session.is_empty() { "the project".to_owned() } else { format!("session {}", name(session, 80)) };
        let _ = writeln!(out, "{}\n", paint(&head, Style::new().bold().underline(), show));
        for (spotted, by) in findings {
            finding(&mut out, spotted, by, show);
        }
    }
    for note in &scan.notes {
        let _ = writeln!(out, "{} {}", paint("note:", AnsiColor::Cyan.on_default().bold(), show), clean(note));
    }
    closing(&mut out, scan, show);
    out
}

type Listed<'a> = (&'a Spotted, Option<&'a By>);

/// The findings of each session, in the order of their first ones: by the session of the last place.
fn by_session<'a>(listed: &[Listed<'a>]) -> Vec<(&'a str, Vec<Listed<'a>>)> {
    let mut places = std::collections::HashMap::new();
    let mut groups: Vec<(&str, Vec<Listed<'_>>)> = Vec::new();
    for item in listed {
        let session = item.0.finding.places.last().map_or("", |place| &place.session);
        let at = *places.entry(session).or_insert(groups.len());
        if at == groups.len() {
            groups.push((session, Vec::new()));
        }
        groups[at].1.push(*item);
    }
    groups
}

fn finding(out: &mut String, spotted: &Spotted, by: Option<&By>, show: Show<'_>) {
    let finding = &spotted.finding;
    let (word, colour) = match (by, spotted.severity()) {
        (Some(_), _) => ("suppressed", AnsiColor::Cyan),
        (None, Severity::Error) => ("error", AnsiColor::Red),
        (None, Severity::Warning) => ("warning", AnsiColor::Yellow),
        (None, Severity::Info) => (if spotted.prevented { "prevented" } else { "info" }, AnsiColor::Cyan),
    };
    let head = paint(&format!("{word}[{}]", finding.rule.id), colour.on_default().bold(), show);
    let guess = if finding.confidence == Confidence::Heuristic { " (heuristic)" } else { "" };
    let _ = writeln!(out, "{head}{guess}: {}", finding.message);
    for place in &finding.places {
        self::place(out, place, show);
    }
    for line in reasons(finding) {
        let _ = writeln!(out, "   = {line}");
    }
    if let Some(by) = by {
        let _ = writeln!(out, "   = {}", by.why());
    }
    if !finding.remedy.is_empty() {
        let _ = writeln!(out, "   = {} {}", paint("help:", AnsiColor::Green.on_default().bold(), show), finding.remedy);
    }
    out.push('\n');
}

/// Why it is a finding, but for what the message has said.
fn reasons(finding: &Finding) -> impl Iterator<Item = &String> {
    finding.evidence.iter().filter(|line| **line != finding.message)
}

fn place(out: &mut String, place: &Place, show: Show<'_>) {
    let blue = AnsiColor::Blue.on_default().bold();
    let line = if place.line == 0 { String::new() } else { format!(":{}", place.line) };
    if !place.file.is_empty() {
        let _ = writeln!(out, "  {} {}{line}", paint("-->", blue, show), short(&place.file, show.home));
    }
    let call = if place.excerpt.is_empty() { String::new() } else { format!(" `{}`", place.excerpt) };
    let what = format!("{}{call}{}", place.role, place.time.as_deref().map(when).unwrap_or_default());
    if !what.is_empty() {
        let _ = writeln!(out, "   {} {what}", paint("|", blue, show));
    }
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

fn closing(out: &mut String, scan: &Scan, show: Show<'_>) {
    let read = &scan.read;
    for gap in gaps(read, |file| short(&file.to_string_lossy(), show.home)) {
        let _ = match gap {
            Gap::Bound(line) => writeln!(out, "bounded: {line}"),
            Gap::Damage(line) => writeln!(out, "{line}"),
        };
    }
    if read.all_sessions() == 0 && read.bounds.is_empty() {
        let _ = match clean(&scan.project.to_string_lossy()).as_str() {
            "" => writeln!(out, "no sessions were found"),
            project => writeln!(out, "no sessions of {project} were found: no folder of that name holds a transcript"),
        };
        if scan.findings.is_empty() && scan.suppressed.is_empty() {
            return;
        }
    }
    let counts = Counts::of(scan);
    let mut found = vec![plural(counts.errors as u64, "error"), plural(counts.warnings as u64, "warning")];
    if counts.info + counts.prevented > 0 {
        let hidden = if show.least > Severity::Info { " (--verbose shows them)" } else { "" };
        found.push(format!("{} info and {} prevented{hidden}", counts.info, counts.prevented));
    }
    if counts.suppressed > 0 {
        found.push(suppressed(scan, show));
    }
    let _ = write!(out, "{}; read {}{}", found.join(", "), plural(read.all_sessions().into(), "session"), clients(read));
    let _ = write!(out, ", {}, {}", plural(read.files.into(), "file"), plural(read.lines, "line"));
    let _ = writeln!(out, ", {} not read", plural(read.lines_not_read(), "line"));
}

/// Whose sessions they are, unless all are of the client that most are of.
fn clients(read: &Read) -> String {
    match read.sessions.keys().collect::<Vec<_>>()[..] {
        [] | [Client::Claude] => String::new(),
        [only] => format!(" of {}", only.name()),
        _ => format!(
            " ({})",
            read.sessions.iter().map(|(client, count)| format!("{count} of {}", client.name())).collect::<Vec<_>>().join(", ")
        ),
    }
}

fn suppressed(scan: &Scan, show: Show<'_>) -> String {
    let allowed = scan.suppressed.iter().filter(|known| known.by != By::Baseline).count();
    let hidden = if show.suppressed { "" } else { "; --verbose shows them" };
    format!("{} suppressed ({allowed} allowed, {} in the baseline{hidden})", scan.suppressed.len(), scan.suppressed.len() - allowed)
}

fn paint(text: &str, style: Style, show: Show<'_>) -> String {
    if show.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
}
