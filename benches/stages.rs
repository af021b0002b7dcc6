//! The stages of a hook call, each by itself, in this process: `cargo bench --bench stages`.

use divan::{Bencher, black_box};
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
