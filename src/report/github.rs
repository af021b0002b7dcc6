//! Workflow commands of GitHub Actions: an annotation for each finding, at its place in the checkout where it has
//! one there.

use std::fmt::Write as _;

use super::{Counts, Gap, gaps, inside, plural, shown};
use crate::finding::Finding;
use crate::meta::Severity;
use crate::scan::Scan;

/// The findings of this weight and graver ones, and what was not read.
pub fn render(scan: &Scan, least: Severity) -> String {
    let mut out = String::new();
    for spotted in shown(scan, least).filter(|spotted| !spotted.prevented) {
        let finding = &spotted.finding;
        let command = match spotted.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let _ = writeln!(out, "::{command} {}title={}::{}", place(finding, scan), property(finding.rule.id), data(&words(finding)));
    }
    for gap in gaps(&scan.read, |file| file.display().to_string()) {
        let (command, line) = match gap {
            Gap::Bound(line) => ("notice", format!("bounded: {line}")),
            Gap::Damage(line) => ("warning", line),
        };
        let _ = writeln!(out, "::{command} title=turnstop::{}", data(&line));
    }
    for note in &scan.notes {
        let _ = writeln!(out, "::notice title=turnstop::{}", data(note));
    }
    let counts = Counts::of(scan);
    let (errors, warnings) = (plural(counts.errors as u64, "error"), plural(counts.warnings as u64, "warning"));
    let rest = format!("{} info, {} prevented, {} suppressed", counts.info, counts.prevented, counts.suppressed);
    let _ = writeln!(out, "{errors}, {warnings}, {rest}; read {}", plural(scan.read.all_sessions().into(), "session"));
    out
}

/// `file=…,line=…,` of the last place inside the project.
fn place(finding: &Finding, scan: &Scan) -> String {
    let at = finding.places.iter().rev().find_map(|place| Some((inside(&place.file, &scan.project)?, place.line)));
    let Some((file, line)) = at else { return String::new() };
    let line = if line == 0 { String::new() } else { format!("line={line},") };
    format!("file={},{line}", property(&file.to_string_lossy()))
}

/// The message, the reasons and the remedy, a line each; the call, where no place shows it.
fn words(finding: &Finding) -> String {
    let mut lines = vec![finding.message.as_str()];
    lines.extend(finding.evidence.iter().map(String::as_str).filter(|line| *line != finding.message));
    let call = finding.places.last().filter(|place| !place.excerpt.is_empty());
    let call = call.map(|place| format!("{} `{}`", place.role, place.excerpt));
    lines.extend(call.as_deref());
    let help = format!("help: {}", finding.remedy);
    lines.extend((!finding.remedy.is_empty()).then_some(help.as_str()));
    lines.join("\n")
}

/// Text after the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_end_its_line_or_begin_a_command() {
        assert_eq!(data("100%\r\n::set-env name=x::y"), "100%25%0D%0A::set-env name=x::y");
        assert_eq!(property("a:b,c%"), "a%3Ab%2Cc%25");
    }
}
