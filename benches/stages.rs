//! The stages of a hook call, each by itself, in this process: `cargo bench --bench stages`.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use serde_json::json;
use turnstop::agent::ValueEnd;
use turnstop::agent::claude::hook;
use turnstop::shell::{self, Dialect};

fn main() {
    divan::main();
}

/// Commands by what they ask of the reader.
const COMMANDS: &[(&str, &str)] = &[
    ("plain", "cargo test --all"),
    ("pair", "cp app.conf /tmp/app.conf.bak && sed -i 's/80/8080/' app.conf"),
    ("wrapped", "sudo env A=1 timeout 60 bash -c 'cd sub && git -C ../other status --short | head -20'"),
    ("message", "git commit -q -m \"$(cat <<'EOF'\nRestore the file\n\ncp /tmp/a.bak a is what it was\nEOF\n)\""),
];

#[divan::bench(args = COMMANDS.iter().map(|(name, _)| *name))]
fn effects(bencher: Bencher, name: &str) {
    let command = COMMANDS.iter().find(|(other, _)| *other == name).map_or("", |(_, command)| command);
    bencher.bench(|| shell::effects(black_box(command), Dialect::Bash));
}

/// A script of as many lines in a heredoc, fed to an interpreter.
#[divan::bench(args = [30, 300, 1000])]
fn effects_of_a_heredoc(bencher: Bencher, lines: usize) {
    let script = "    print(\"a line of 'quoted' text\", value[0])\n".repeat(lines);
    let command = format!("python3 - <<'EOF'\nfor value in rows():\n{script}EOF\n");
    bencher.bench(|| shell::effects(black_box(&command), Dialect::Bash));
}

/// The payload of a `Read` that brought a file of this many bytes.
fn payload(bytes: usize) -> String {
    let line = "a line of \"quoted\" text\tto read, as long as most are\n";
    let content = line.repeat(bytes / line.len());
    let payload = json!({
        "session_id": "00000000-0000-4000-8000-000000000001", "transcript_path": "/home/dev/.claude/projects/-home-dev-app/s.jsonl",
        "cwd": "/home/dev/app", "permission_mode": "acceptEdits", "hook_event_name": "PostToolUse", "tool_name": "Read",
        "tool_input": {"file_path": "/home/dev/app/a.txt"}, "tool_use_id": "toolu_01", "duration_ms": 8,
        "tool_response": {"type": "text", "file": {"filePath": "/home/dev/app/a.txt", "content": content}},
    });
    payload.to_string()
}

const SIZES: &[usize] = &[0, 1_000, 1_000_000];

#[divan::bench(args = SIZES)]
fn end_of_payload(bencher: Bencher, bytes: usize) {
    let payload = payload(bytes);
    bencher.counter(BytesCount::of_str(&payload)).bench(|| ValueEnd::default().feed(black_box(payload.as_bytes())));
}

#[divan::bench(args = SIZES)]
fn parse(bencher: Bencher, bytes: usize) {
    let payload = payload(bytes);
    bencher.counter(BytesCount::of_str(&payload)).bench(|| hook::parse(black_box(payload.as_bytes())));
}
