//! JSON, a line for each finding and a last one for the summary: for a program that reads as it comes. The lines are
//! `$defs/line` of `docs/scan.schema.json`.

use serde::Serialize;

use super::json::{Head, Item, Sources, Summary};
use super::shown;
use crate::meta::Severity;
use crate::scan::Scan;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'a> {
    Finding(Item<'a>),
    Summary(End<'a>),
}

#[derive(Serialize)]
struct End<'a> {
    #[serde(flatten)]
    head: Head,
    read: Sources<'a>,
    notes: &'a [String],
    #[serde(flatten)]
    counts: Summary,
}

/// The findings of this weight and graver ones, what is suppressed, and the summary.
pub fn render(scan: &Scan, least: Severity) -> String {
    let findings = shown(scan, least).map(Item::of_scan).chain(scan.suppressed.iter().map(Item::of_suppressed));
    let end = End { head: Head::of(scan), read: Sources::of(scan), notes: &scan.notes, counts: Summary::of(scan) };
    let lines = findings.map(Line::Finding).chain([Line::Summary(end)]);
    lines.filter_map(|line| serde_json::to_string(&line).ok()).fold(String::new(), |text, line| text + &line + "\n")
}
