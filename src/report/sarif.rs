//! SARIF 2.1.0, for code scanning: every finding with its places, what is suppressed, and what was not read.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::{Gap, catalogue, gaps, inside, shown};
use crate::finding::{Finding, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::scan::{Scan, Spotted};
use crate::suppress::{By, Suppressed};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The name by which a result speaks of the project's folder.
const BASE: &str = "PROJECT";
/// The name of our fingerprint; it grows when the way it is made changes.
const FINGERPRINT: &str = "turnstop/v1";

/// The findings of this weight and graver ones.
pub fn render(scan: &Scan, least: Severity) -> String {
    let rules: Vec<&'static Meta> = catalogue::all().collect();
    let result = |spotted: &Spotted, suppressions: Value| result(spotted, &suppressions, &rules, &scan.project);
    let found = shown(scan, least).map(|spotted| result(spotted, json!([])));
    let known = scan.suppressed.iter().map(|known| result(&known.spotted, suppressions(known)));
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": env!("CARGO_PKG_NAME"),
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|meta| rule(meta)).collect::<Vec<_>>(),
            } },
            "originalUriBaseIds": { BASE: { "uri": format!("{}/", uri(&scan.project)) } },
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications(scan),
                "toolConfigurationNotifications": scan.notes.iter().map(|note| notification("note", note)).collect::<Vec<_>>(),
            }],
            "results": found.chain(known).collect::<Vec<_>>(),
            "properties": { "bounded": scan.read.is_bounded(), "sessions": scan.read.all_sessions(), "files": scan.read.files, "lines": scan.read.lines },
        }],
    });
    format!("{log:#}\n")
}

fn rule(meta: &Meta) -> Value {
    let page = catalogue::page(meta);
    json!({
        "id": meta.id,
        "name": meta.name(),
        "shortDescription": { "text": meta.summary },
        "fullDescription": { "text": meta.trigger },
        "help": { "text": page, "markdown": page },
        "defaultConfiguration": { "level": level(meta.severity) },
        "properties": { "tags": [meta.category()], "precision": if meta.confidence == Confidence::Verified { "high" } else { "medium" } },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(spotted: &Spotted, suppressions: &Value, rules: &[&Meta], project: &Path) -> Value {
    let finding = &spotted.finding;
    let (last, earlier) = finding.places.split_last().map_or((None, &[] as &[Place]), |(last, earlier)| (Some(last), earlier));
    // The schema wants each of these once.
    let mut related: Vec<Value> = Vec::new();
    for location in earlier.iter().map(|place| location(place, project)) {
        if !related.contains(&location) {
            related.push(location);
        }
    }
    let mut result = json!({
        "ruleId": finding.rule.id,
        "level": level(spotted.severity()),
        "message": { "text": words(finding) },
        "locations": last.into_iter().map(|place| location(place, project)).collect::<Vec<_>>(),
        "relatedLocations": related,
        "partialFingerprints": { FINGERPRINT: spotted.fingerprint },
        "suppressions": suppressions,
        "properties": { "confidence": finding.confidence.word(), "prevented": spotted.prevented, "remedy": finding.remedy },
    });
    if let Some(index) = rules.iter().position(|meta| meta.id == finding.rule.id) {
        result["ruleIndex"] = json!(index);
    }
    result
}

/// The message, the reasons and the remedy.
fn words(finding: &Finding) -> String {
    let reasons = finding.evidence.iter().filter(|line| **line != finding.message);
    let mut lines: Vec<&str> = std::iter::once(&finding.message).chain(reasons).map(String::as_str).collect();
    lines.extend((!finding.remedy.is_empty()).then_some(finding.remedy.as_str()));
    lines.join("\n")
}

fn suppressions(known: &Suppressed) -> Value {
    // Neither way stands in the place that the result is about.
    let mut suppression = json!({ "kind": "external", "status": "accepted", "justification": known.by.why() });
    if let By::Allow { place, .. } = &known.by {
        suppression["properties"] = json!({ "entry": place });
    }
    json!([suppression])
}

fn location(place: &Place, project: &Path) -> Value {
    let mut location = Map::new();
    if !place.file.is_empty() {
        let artifact = match inside(&place.file, project) {
            Some(below) => json!({ "uri": encoded(&below.to_string_lossy()), "uriBaseId": BASE }),
            None => json!({ "uri": uri(Path::new(&place.file)) }),
        };
        let mut physical = json!({ "artifactLocation": artifact });
        if place.line > 0 {
            physical["region"] = json!({ "startLine": place.line });
        }
        location.insert("physicalLocation".into(), physical);
    }
    let call = if place.excerpt.is_empty() { String::new() } else { format!(" `{}`", place.excerpt) };
    let text = format!("{}{call}", place.role);
    if !text.is_empty() {
        location.insert("message".into(), json!({ "text": text }));
    }
    let about = [("session", &place.session), ("agent", &place.agent), ("time", place.time.as_ref().unwrap_or(&String::new()))]
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(key, value)| (key.to_owned(), json!(value)))
        .collect::<Map<_, _>>();
    location.insert("properties".into(), Value::Object(about));
    Value::Object(location)
}

fn notifications(scan: &Scan) -> Vec<Value> {
    let tell = |gap: Gap| match gap {
        Gap::Bound(line) => notification("note", &format!("bounded: {line}")),
        Gap::Damage(line) => notification("warning", &line),
    };
    gaps(&scan.read, |file| file.display().to_string()).into_iter().map(tell).collect()
}

fn notification(level: &str, text: &str) -> Value {
    json!({ "level": level, "message": { "text": text } })
}

fn uri(path: &Path) -> String {
    format!("file://{}", encoded(&path.to_string_lossy()).trim_end_matches('/'))
}

/// A path as that of a URI.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.extend([byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0').to_ascii_uppercase()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri(Path::new("/w/a b/ü#")), "file:///w/a%20b/%C3%BC%23");
        assert_eq!(encoded("docs/a.md"), "docs/a.md");
    }
}
