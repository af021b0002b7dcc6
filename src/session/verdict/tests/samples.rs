//! The outputs of `fixtures/gate-output`.

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

/// An output of `fixtures/gate-output`.
struct Sample {
    name: String,
    output: String,
    asked: Asked,
    want: Verdict,
}

fn samples() -> anyhow::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for folder in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gate-output"))? {
        let folder = folder?.path();
        if !folder.is_dir() {
            continue;
        }
        let meta: Meta = serde_json::from_slice(&fs::read(folder.join("meta.json"))?)?;
        let runner = meta.runner.leak();
        for file in fs::read_dir(&folder)? {
            let path = file?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let want = match name.split('-').next() {
                Some("pass") => Pass,
                Some("fail") => Fail,
                Some("none") => NothingExecuted,
                Some("unknown") => Unknown,
                _ => continue,
            };
            let whole = meta.files.get(&name).is_none_or(|file| file.whole);
            let output = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
            samples.push(Sample {
                name: path.display().to_string(),
                output,
                asked: Asked { gate: meta.gate, runner, alone: true, whole },
                want,
            });
        }
    }
    Ok(samples)
}

/// The samples that get another verdict when each of their lines is changed.
fn wrong(change: impl Fn(&str) -> String) -> anyhow::Result<Vec<String>> {
    let told = samples()?.into_iter().filter_map(|sample| {
        let output: String = sample.output.split_inclusive('\n').map(&change).collect();
        let got = summary(&output, &sample.asked);
        (got.verdict != sample.want).then(|| format!("{}: {got:?}", sample.name))
    });
    Ok(told.collect())
}

#[test]
fn every_sample_gets_its_verdict() -> anyhow::Result<()> {
    let wrong = wrong(str::to_owned)?;
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}

#[test]
fn what_runs_in_front_of_every_line_changes_no_verdict() -> anyhow::Result<()> {
    for prefix in [
        "web-1  | ",
        "api:test: ",
        "@scope/api test: ",
        "[api] ",
        "2026-01-01T10:00:00.123Z ",
        "#12 0.345 ",
        "    ",
        "\u{1b}[32mweb\u{1b}[0m:test: ",
    ] {
        let wrong = wrong(|line| format!("{prefix}{line}"))?;
        assert!(wrong.is_empty(), "{prefix:?}: {} wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
    let wrong = wrong(|line| line.replace('\n', "\r\n"))?;
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}
