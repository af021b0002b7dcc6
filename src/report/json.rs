//! One JSON object. Its `version` grows when a field changes its meaning or goes; new fields may come without.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Counts;
use crate::finding::{Finding, Place};
use crate::scan::{Scan, Spotted};

/// Version of the form.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    project: String,
    read: Sources<'a>,
    findings: Vec<Item<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Sources<'a> {
    folders: Vec<String>,
    sessions: u32,
    files: u32,
    lines: u64,
    lines_not_read: u64,
    not_json: u64,
    misshapen: u64,
    oversized: u64,
    duplicates: u64,
    half_last_lines: u32,
    unknown_types: &'a BTreeMap<String, u64>,
    skipped: Vec<Skipped<'a>>,
    bounded: bool,
}

#[derive(Serialize)]
struct Skipped<'a> {
    file: String,
    reason: &'a str,
}

/// One finding.
#[derive(Debug, Serialize)]
pub struct Item<'a> {
    rule: &'a str,
    severity: &'static str,
    confidence: &'static str,
    message: &'a str,
    evidence: &'a [String],
    remedy: &'a str,
    prevented: bool,
    places: Vec<Where<'a>>,
}

#[derive(Debug, Serialize)]
struct Where<'a> {
    role: &'a str,
    session: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    agent: &'a str,
    file: &'a str,
    line: u32,
    time: Option<&'a str>,
    call: &'a str,
}

#[derive(Serialize)]
struct Summary {
    errors: usize,
    warnings: usize,
    info: usize,
    prevented: usize,
}

impl<'a> Item<'a> {
    /// The form of a finding of a call that is taken to have run.
    pub fn of(finding: &'a Finding) -> Self {
        let place = |place: &'a Place| Where {
            role: place.role,
            session: &place.session,
            agent: &place.agent,
            file: &place.file,
            line: place.line,
            time: place.time.as_deref(),
            call: &place.excerpt,
        };
        Item {
            rule: finding.rule.id,
            severity: finding.severity.word(),
            confidence: finding.confidence.word(),
            message: &finding.message,
            evidence: &finding.evidence,
            remedy: &finding.remedy,
            prevented: false,
            places: finding.places.iter().map(place).collect(),
        }
    }

    fn of_scan(spotted: &'a Spotted) -> Self {
        Item { severity: spotted.severity().word(), prevented: spotted.prevented, ..Item::of(&spotted.finding) }
    }
}

/// The scan as one JSON object, with a newline.
pub fn render(scan: &Scan) -> String {
    let read = &scan.read;
    let counts = Counts::of(scan);
    let report = Report {
        version: VERSION,
        tool: env!("CARGO_PKG_NAME"),
        tool_version: env!("CARGO_PKG_VERSION"),
        project: scan.project.to_string_lossy().into_owned(),
        read: Sources {
            folders: scan.folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect(),
            sessions: read.sessions,
            files: read.files,
            lines: read.lines,
            lines_not_read: read.lines_not_read(),
            not_json: read.not_json,
            misshapen: read.misshapen,
            oversized: read.oversized,
            duplicates: read.duplicates,
            half_last_lines: read.half_last_lines,
            unknown_types: &read.unknown_types,
            skipped: read.skipped.iter().map(|(file, reason)| Skipped { file: file.to_string_lossy().into_owned(), reason }).collect(),
            bounded: false,
        },
        findings: scan.findings.iter().map(Item::of_scan).collect(),
        summary: Summary { errors: counts.errors, warnings: counts.warnings, info: counts.info, prevented: counts.prevented },
    };
    serde_json::to_string_pretty(&report).map(|text| text + "\n").unwrap_or_default()
}
