//! One JSON object. Its `version` grows when a field changes its meaning or goes; new fields may come without.
//! `docs/scan.schema.json` is its schema.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Counts, bounds, shown};
use crate::finding::{Finding, Place};
use crate::meta::Severity;
use crate::scan::{Read, Scan, Spotted};
use crate::suppress::{By, Suppressed};

/// Version of the form.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    head: Head,
    read: Sources<'a>,
    findings: Vec<Item<'a>>,
    suppressed: Vec<Item<'a>>,
    notes: &'a [String],
    summary: Summary,
}

/// What the report is, and of what.
#[derive(Debug, Serialize)]
pub(super) struct Head {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    project: String,
}

impl Head {
    pub(super) fn of(scan: &Scan) -> Self {
        Head {
            version: VERSION,
            tool: env!("CARGO_PKG_NAME"),
            tool_version: env!("CARGO_PKG_VERSION"),
            project: scan.project.to_string_lossy().into_owned(),
        }
    }
}

/// What was read.
#[derive(Debug, Serialize)]
pub(super) struct Sources<'a> {
    folders: Vec<String>,
    sessions: u32,
    clients: BTreeMap<&'static str, u32>,
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
    truncated: u32,
    bounded: bool,
    bounds: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Skipped<'a> {
    file: String,
    reason: &'a str,
}

impl<'a> Sources<'a> {
    pub(super) fn of(scan: &'a Scan) -> Self {
        let read: &Read = &scan.read;
        Sources {
            folders: scan.folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect(),
            sessions: read.all_sessions(),
            clients: read.sessions.iter().map(|(client, count)| (client.word(), *count)).collect(),
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
            truncated: read.truncated,
            bounded: read.is_bounded(),
            bounds: bounds(read).collect(),
        }
    }
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
    #[serde(skip_serializing_if = "str::is_empty")]
    fingerprint: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppression: Option<Suppression<'a>>,
    places: Vec<Where<'a>>,
}

#[derive(Debug, Serialize)]
struct Suppression<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    place: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    reason: &'a str,
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

/// How many findings there are, shown or not.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    errors: usize,
    warnings: usize,
    info: usize,
    prevented: usize,
    suppressed: usize,
}

impl Summary {
    pub(super) fn of(scan: &Scan) -> Self {
        let Counts { errors, warnings, info, prevented, suppressed } = Counts::of(scan);
        Summary { errors, warnings, info, prevented, suppressed }
    }
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
            fingerprint: "",
            suppression: None,
            places: finding.places.iter().map(place).collect(),
        }
    }

    pub(super) fn of_scan(spotted: &'a Spotted) -> Self {
        let severity = spotted.severity().word();
        Item { severity, prevented: spotted.prevented, fingerprint: &spotted.fingerprint, ..Item::of(&spotted.finding) }
    }

    pub(super) fn of_suppressed(known: &'a Suppressed) -> Self {
        let (place, reason) = match &known.by {
            By::Allow { place, reason } => (place.as_str(), reason.as_str()),
            By::Baseline => ("", ""),
        };
        let suppression = Suppression { kind: known.by.word(), place, reason };
        Item { suppression: Some(suppression), ..Item::of_scan(&known.spotted) }
    }
}

/// The findings of this weight and graver ones as one JSON object, with a newline.
pub fn render(scan: &Scan, least: Severity) -> String {
    let report = Report {
        head: Head::of(scan),
        read: Sources::of(scan),
        findings: shown(scan, least).map(Item::of_scan).collect(),
        suppressed: scan.suppressed.iter().map(Item::of_suppressed).collect(),
        notes: &scan.notes,
        summary: Summary::of(scan),
    };
    serde_json::to_string_pretty(&report).map(|text| text + "\n").unwrap_or_default()
}
