//! What is made from the rules' own words: a page each, the catalogue, the config's schema, the README's table.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::config::LEVELS;
use crate::meta::Meta;
use crate::rules;

/// Every rule, by what it says of itself.
pub fn all() -> impl Iterator<Item = &'static Meta> {
    rules::metas()
}

/// The rule of that id, or of that name alone.
pub fn find(id: &str) -> Option<&'static Meta> {
    all().find(|meta| meta.id == id || meta.name() == id)
}

/// The rule's page, as Markdown.
pub fn page(meta: &Meta) -> String {
    let moments: Vec<&str> = meta.moments.iter().map(|moment| moment.words()).collect();
    let mut page = format!("# {}\n\n{}.\n\n", meta.id, sentence(meta.summary));
    let _ = writeln!(page, "| severity | confidence | asked | live, at most | since |\n|---|---|---|---|---|");
    let _ = writeln!(
        page,
        "| {} | {} | {} | {} | {} |",
        meta.severity.word(),
        meta.confidence.word(),
        moments.join(", "),
        meta.loudest.words(),
        meta.since
    );
    let _ = writeln!(page, "\nMessage: `{}`\n", meta.message);
    let mut fenced = false;
    for line in meta.docs.lines() {
        // Doc comments carry one blank in front, and their headings belong below the page's own.
        let line = line.strip_prefix(' ').unwrap_or(line);
        fenced ^= line.starts_with("```");
        let _ = writeln!(page, "{}{line}", if line.starts_with("# ") && !fenced { "#" } else { "" });
    }
    page
}

fn sentence(summary: &str) -> String {
    let mut letters = summary.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The catalogue of rules: the fields of the session lint specification, and ours beside them.
pub fn catalogue() -> Value {
    let rule = |meta: &'static Meta| {
        json!({
            "id": meta.id,
            "category": meta.category(),
            "severity": meta.severity.word(),
            "description": meta.summary,
            "trigger": meta.trigger,
            "message": meta.message,
            "fixable": false,
            "stability": "stable",
            "confidence": meta.confidence.word(),
            "live": meta.loudest.words(),
            "moments": meta.moments.iter().map(|moment| moment.words()).collect::<Vec<_>>(),
            "options": meta.options.iter().map(|option| json!({
                "name": option.name, "description": option.summary, "values": option.values, "default": option.default,
            })).collect::<Vec<_>>(),
            "since": meta.since,
            "page": format!("docs/rules/{}.md", meta.name()),
        })
    };
    json!({ "version": 1, "tool": env!("CARGO_PKG_NAME"), "rules": all().map(rule).collect::<Vec<_>>() })
}

/// The JSON Schema of the config file.
pub fn config_schema() -> Value {
    let mut rules = Map::new();
    for meta in all() {
        let mut keys = Map::new();
        let words: Vec<&str> = LEVELS.iter().map(|(word, _)| *word).collect();
        keys.insert("level".into(), json!({ "enum": words, "default": "block", "description": "how loud the rule may be" }));
        for option in meta.options {
            let schema = if option.takes_names() {
                let default: Vec<&str> = option.default.split(',').collect();
                json!({ "type": "array", "items": { "type": "string" }, "default": default, "description": option.summary })
            } else {
                json!({ "enum": option.values, "default": option.default, "description": option.summary })
            };
            keys.insert(option.name.into(), schema);
        }
        rules.insert(
            meta.id.into(),
            json!({ "type": "object", "description": meta.summary, "properties": keys, "additionalProperties": false }),
        );
    }
    let text = |description: &str| json!({ "type": "string", "description": description });
    let entry = json!({
        "type": "object",
        "properties": {
            "rule": { "enum": all().flat_map(|meta| [meta.id, meta.name()]).collect::<Vec<_>>() },
            "path": text("a glob over the paths that a finding is about; without a `/` in front it matches at any depth"),
            "command": text("a glob over the commands that a finding is about, as a report shows them"),
            "reason": text("why, for whoever reads it later"),
            "expires": { "type": "string", "format": "date", "description": "the last day that it counts" },
        },
        "required": ["rule"],
        "oneOf": [{ "required": ["path"] }, { "required": ["command"] }],
        "additionalProperties": false,
    });
    let siblings =
        json!({ "type": "array", "items": { "type": "string" }, "description": "folders of the projects to compare this one with" });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "turnstop config",
        "type": "object",
        "properties": {
            "rules": { "type": "object", "properties": rules, "additionalProperties": false },
            "allow": { "type": "array", "items": entry, "description": "what is found and not reported" },
            "scan": { "type": "object", "properties": { "siblings": siblings }, "additionalProperties": false },
        },
        "additionalProperties": false,
    })
}

/// The rules as a Markdown table.
pub fn table() -> String {
    let mut table = String::from("| rule | severity | asked | live, at most | finds that |\n|---|---|---|---|---|\n");
    for meta in all() {
        let moments: Vec<&str> = meta.moments.iter().map(|moment| moment.words()).collect();
        let page = format!("docs/rules/{}.md", meta.name());
        let _ = writeln!(
            table,
            "| [`{}`]({page}) | {} | {} | {} | {} |",
            meta.id,
            meta.severity.word(),
            moments.join(", "),
            meta.loudest.words(),
            meta.summary
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_the_specification_is_here() {
        const SPECIFIED: [&str; 12] = [
            "session/missing-secret",
            "session/diverged-file",
            "session/missing-workflow",
            "session/stale-memory",
            "session/duplicate-memory",
            "session/consecutive-repeat",
            "session/cyclic-pattern",
            "session/memory-index-overflow",
            "session/unverified-gate-claimed-clean",
            "session/default-branch-accumulation",
            "session/shared-temp-path",
            "session/unresolvable-sha",
        ];
        for id in SPECIFIED {
            assert!(find(id).is_some(), "{id}");
        }
    }

    #[test]
    fn messages_keep_their_style() {
        for meta in all() {
            for text in [meta.trigger, meta.summary] {
                assert!(text.starts_with(char::is_lowercase), "{}: {text}", meta.id);
            }
            for text in [meta.message, meta.trigger, meta.summary] {
                assert!(!text.ends_with('.'), "{}: {text}", meta.id);
            }
        }
    }
}
