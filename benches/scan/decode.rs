//! A bare typed decode of transcripts: the limit of what a scan can reach.

use std::borrow::Cow;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use anyhow::Result;
use serde::Deserialize;
use serde_json::value::RawValue;

/// A line, with the fields that a scan needs.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "decoded, and nothing else")]
struct Line<'a> {
    #[serde(borrow, default)]
    r#type: Cow<'a, str>,
    #[serde(borrow, default)]
    uuid: Cow<'a, str>,
    #[serde(borrow, default)]
    session_id: Cow<'a, str>,
    #[serde(borrow, default)]
    agent_id: Cow<'a, str>,
    #[serde(borrow, default)]
    timestamp: Cow<'a, str>,
    #[serde(borrow, default)]
    cwd: Cow<'a, str>,
    #[serde(borrow, default)]
    git_branch: Cow<'a, str>,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    is_meta: bool,
    #[serde(borrow, default)]
    message: Option<Message<'a>>,
    /// An object or a string.
    #[serde(borrow, default)]
    tool_use_result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    attachment: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "decoded, and nothing else")]
struct Message<'a> {
    #[serde(borrow, default)]
    id: Cow<'a, str>,
    #[serde(borrow, default)]
    model: Cow<'a, str>,
    /// A list or a string.
    #[serde(borrow)]
    content: &'a RawValue,
}

/// A block of a message.
#[derive(Deserialize)]
#[expect(dead_code, reason = "decoded, and nothing else")]
struct Block<'a> {
    #[serde(borrow, default)]
    r#type: Cow<'a, str>,
    #[serde(borrow, default)]
    text: Cow<'a, str>,
    #[serde(borrow, default)]
    id: Cow<'a, str>,
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    input: Option<Input<'a>>,
    #[serde(borrow, default)]
    tool_use_id: Cow<'a, str>,
    #[serde(default)]
    is_error: bool,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
}

/// What a tool is asked to do.
#[derive(Deserialize)]
#[expect(dead_code, reason = "decoded, and nothing else")]
struct Input<'a> {
    #[serde(borrow, default)]
    command: Cow<'a, str>,
    #[serde(borrow, default)]
    file_path: Cow<'a, str>,
    #[serde(default)]
    run_in_background: bool,
}

/// What came of it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "decoded, and nothing else")]
struct Details<'a> {
    #[serde(borrow, default)]
    stdout: Cow<'a, str>,
    #[serde(borrow, default)]
    stderr: Cow<'a, str>,
    #[serde(default)]
    interrupted: bool,
    #[serde(borrow, default)]
    background_task_id: Cow<'a, str>,
}

/// Decodes every line of these files, each file on one of so many threads; the number of lines.
pub(crate) fn files(files: &[PathBuf], threads: usize) -> Result<u64> {
    let (next, lines) = (AtomicUsize::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let work = || -> Result<()> {
            while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                lines.fetch_add(file(path)?, Ordering::Relaxed);
            }
            Ok(())
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    })?;
    Ok(lines.into_inner())
}

fn file(path: &Path) -> Result<u64> {
    let mut source = BufReader::with_capacity(1 << 16, File::open(path)?);
    let (mut line, mut lines) = (Vec::new(), 0);
    while source.read_until(b'\n', &mut line)? > 0 {
        let decoded: Line<'_> = serde_json::from_slice(&line)?;
        if let Some(message) = &decoded.message {
            match message.content.get() {
                blocks if blocks.starts_with('[') => drop(black_box(serde_json::from_str::<Vec<Block<'_>>>(blocks)?)),
                text => drop(black_box(serde_json::from_str::<String>(text)?)),
            }
        }
        if let Some(details) = decoded.tool_use_result.map(RawValue::get).filter(|details| details.starts_with('{')) {
            black_box(serde_json::from_str::<Details<'_>>(details)?);
        }
        black_box(decoded);
        line.clear();
        lines += 1;
    }
    Ok(lines)
}
