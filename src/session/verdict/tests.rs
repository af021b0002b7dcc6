use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::*;

/// `meta.json` of a folder of outputs.
#[derive(Deserialize)]
struct Meta {
    gate: Gate,
    runner: String,
    #[serde(default)]
    files: BTreeMap<String, File>,
}

#[derive(Deserialize)]
struct File {
    whole: bool,
}

fn asked(gate: Gate, runner: &'static str) -> Asked {
    Asked { gate, runner, alone: true, whole: true }
}

/// Every output of `fixtures/gate-output` gets the verdict that its name says.
#[test]
fn every_sample_gets_its_verdict() -> anyhow::Result<()> {
    let mut wrong = Vec::new();
    for folder in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gate-output"))? {
        let folder = folder?.path();
        if !folder.is_dir() {
            continue;
        }
        let meta: Meta = serde_json::from_slice(&fs::read(folder.join("meta.json"))?)?;
        for file in fs::read_dir(&folder)? {
            let path = file?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let want = match name.split('-').next() {
                Some("pass") => Verdict::Pass,
                Some("fail") => Verdict::Fail,
                Some("none") => Verdict::NothingExecuted,
                Some("unknown") => Verdict::Unknown,
                _ => continue,
            };
            let whole = meta.files.get(&name).is_none_or(|file| file.whole);
            let asked = Asked { gate: meta.gate, runner: meta.runner.clone().leak(), alone: true, whole };
            let got = summary(&String::from_utf8_lossy(&fs::read(&path)?), &asked);
            if got.verdict != want {
                wrong.push(format!("{}/{name}: {got:?}", meta.runner));
            }
        }
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}
