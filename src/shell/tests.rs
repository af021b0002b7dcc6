//! What command texts come out as, in a short notation: `read P >into Q`, `write P`, `append P`, `=S` for a copy of S,
//! `rm P`, `cd P`, `mktemp`, `git ACTION DIR`. `~` is the home folder, `$T` the temporary one, `?` unknown.

use super::{Dialect, EffectKind, Effects, GitAction, Path, Root, Sink, effects};

fn path(path: &Path) -> String {
    let root = match path.root {
        Root::Absolute | Root::Cwd => "",
        Root::Home => "~/",
        Root::TempDir => "$T/",
        Root::Project => "$P/",
        Root::Unknown => return "?".to_owned(),
    };
    let text = if path.text.is_empty() && root.is_empty() { "." } else { &path.text };
    format!("{root}{text}{}", if path.glob { " (glob)" } else { "" })
}

fn show(effects: &Effects) -> String {
    let line = |kind: &EffectKind| match kind {
        EffectKind::Read { path: from, sink } => {
            let sink = match sink {
                Sink::Into(to) => format!("into {}", path(to)),
                Sink::Apply => "apply".to_owned(),
                Sink::Run => "run".to_owned(),
                Sink::Quote => "quote".to_owned(),
                Sink::Argument => "argument".to_owned(),
                Sink::Look => "look".to_owned(),
            };
            format!("read {} >{sink}", path(from))
        }
        EffectKind::Write { path: to, whole, copy_of } => {
            let copy = copy_of.as_ref().map(|from| format!(" ={}", path(from))).unwrap_or_default();
            format!("{} {}{copy}", if *whole { "write" } else { "append" }, path(to))
        }
        EffectKind::Remove { path: gone } => format!("rm {}", path(gone)),
        EffectKind::ChangeDir { path: to } => format!("cd {}", path(to)),
        EffectKind::MakeTemp => "mktemp".to_owned(),
        EffectKind::Git { dir, action } => {
            let action = match action {
                GitAction::Commit => "commit",
                GitAction::NewBranch => "new-branch",
                GitAction::Switch => "switch",
                GitAction::AddWorktree => "worktree",
                GitAction::Discard => "discard",
            };
            format!("git {action} {}", path(dir))
        }
    };
    effects.list.iter().map(|effect| line(&effect.kind)).collect::<Vec<_>>().join("; ")
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, want) in cases {
        let found = effects(text, Dialect::Bash);
        let got = show(&found);
        if got != *want || found.approximate {
            wrong.push(format!("{text}\n   want {want}\n   got  {got}{}", if found.approximate { " (approximate)" } else { "" }));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn copies() {
    check(&[
        ("cp a.txt /tmp/a", "read a.txt >into /tmp/a; write /tmp/a =a.txt"),
        ("cp -pf -- a.txt /tmp/a", "read a.txt >into /tmp/a; write /tmp/a =a.txt"),
        ("\\cp /tmp/a b", "read /tmp/a >into b; write b =/tmp/a"),
        ("command cp /tmp/a b", "read /tmp/a >into b; write b =/tmp/a"),
        ("/usr/bin/cp /tmp/a b", "read /tmp/a >into b; write b =/tmp/a"),
        ("cp /tmp/a .", "read /tmp/a >into a; write a =/tmp/a"),
        ("cp /tmp/a /tmp/b dir", "read /tmp/a >into dir/a; read /tmp/b >into dir/b; write dir/a =/tmp/a; write dir/b =/tmp/b"),
        ("cp -t dir /tmp/a", "read /tmp/a >into dir/a; write dir/a =/tmp/a"),
        ("cp /tmp/my\\ file 'o k'", "read /tmp/my file >into o k; write o k =/tmp/my file"),
        ("mv /tmp/a b", "read /tmp/a >into b; write b =/tmp/a; rm /tmp/a"),
        ("install -m 644 /tmp/a b", "read /tmp/a >into b; write b =/tmp/a"),
        ("dd if=/tmp/a of=b bs=1M", "read /tmp/a >into b; write b =/tmp/a"),
        ("cat /tmp/a > b", "read /tmp/a >into b; write b =/tmp/a"),
        ("cat /tmp/a >> b", "read /tmp/a >into b; append b"),
        ("cat < /tmp/a > b", "read /tmp/a >into b; write b =/tmp/a"),
        ("cat h /tmp/a > b", "read h >into b; read /tmp/a >into b; write b"),
        ("sed s/x/y/ /tmp/a > b", "read /tmp/a >into b; write b"),
        ("cat /tmp/a | sed s/x/y/ | tee b", "read /tmp/a >into b; write b"),
        ("tee b < /tmp/a", "read /tmp/a >into b; write b =/tmp/a"),
        ("head -5 /tmp/a | tee -a b >/dev/null", "read /tmp/a >into b; append b"),
        ("sort /tmp/a -o b", "read /tmp/a >into b; write b"),
        ("sed -i s/x/y/ /tmp/a", "append /tmp/a"),
        ("curl -sSo /tmp/x URL", "write /tmp/x"),
        ("curl --output /tmp/x URL", "write /tmp/x"),
        ("wget -qO /tmp/x URL", "write /tmp/x"),
        ("> /tmp/x", "write /tmp/x"),
        (": > /tmp/x", "write /tmp/x"),
        ("prog &> /tmp/x", "write /tmp/x"),
        ("prog 2>&1 >| /tmp/x", "write /tmp/x"),
        ("prog 2>/dev/null", ""),
        ("{ git status; git diff; } > /tmp/x", "write /tmp/x"),
        ("git diff --output=/tmp/p", "write /tmp/p"),
        ("go build -o /tmp/bin cmd", ""),
        ("rm -rf /tmp/a /tmp/b", "rm /tmp/a; rm /tmp/b"),
    ]);
}

#[test]
fn sinks() {
    check(&[
        ("git apply /tmp/p", "read /tmp/p >apply"),
        ("git apply < /tmp/p", "read /tmp/p >apply"),
        ("cat /tmp/p | git apply --3way", "read /tmp/p >apply"),
        ("patch -p1 < /tmp/p", "read /tmp/p >apply"),
        ("psql -d app -f /tmp/s.sql", "read /tmp/s.sql >apply"),
        ("sqlite3 db < /tmp/s.sql", "read /tmp/s.sql >apply"),
        ("kubectl apply -f /tmp/k.yaml", "read /tmp/k.yaml >apply"),
        ("sh /tmp/s", "read /tmp/s >run"),
        ("bash -x /tmp/s arg", "read /tmp/s >run"),
        (". /tmp/s", "read /tmp/s >run"),
        ("source /tmp/s", "read /tmp/s >run"),
        ("/tmp/s --flag", "read /tmp/s >run"),
        ("python3 /tmp/s.py x", "read /tmp/s.py >run"),
        ("cat /tmp/s | sh", "read /tmp/s >run"),
        ("git commit -F /tmp/m", "read /tmp/m >quote; git commit ."),
        ("git commit -m \"$(cat /tmp/m)\"", "read /tmp/m >quote; git commit ."),
        ("gh pr create --body-file /tmp/m", "read /tmp/m >quote"),
        ("gh issue comment 4 --body \"$(< /tmp/m)\"", "read /tmp/m >quote"),
        ("tool --config /tmp/c | head", "read /tmp/c >argument"),
        ("cat /tmp/l; grep -c x /tmp/l", "read /tmp/l >look; read /tmp/l >look"),
        ("diff /tmp/a b", "read /tmp/a >look; read b >look"),
        ("wc -l < /tmp/l", "read /tmp/l >look"),
        ("cat /tmp/l | tail -3 | grep x", "read /tmp/l >look"),
        ("[ -f /tmp/l ] && echo yes", ""),
        ("grep '> /tmp/x' docs", "read docs >look"),
        ("echo /tmp/x", ""),
        ("while read p; do git add $p; done < /tmp/l", "read /tmp/l >look"),
        ("tar -xzf /tmp/a.tgz -C dir", "read /tmp/a.tgz >into dir; append dir"),
        ("unzip -o /tmp/a.zip -d dir", "read /tmp/a.zip >into dir; append dir"),
        ("tar czf /tmp/a.tgz src", "read src >into /tmp/a.tgz; write /tmp/a.tgz"),
    ]);
}

#[test]
fn data_is_not_commands() {
    check(&[
        ("git commit -m 'cp /tmp/a b'", "git commit ."),
        ("echo \"cp /tmp/a b\" # cp /tmp/a b", ""),
        ("cat > notes <<'EOF'\ncp /tmp/a b\nEOF", "write notes"),
        ("cat >> /tmp/x <<EOF\ntext > y\nEOF", "append /tmp/x"),
        ("ssh h 'cp /tmp/a b'", ""),
        ("ssh h cat /etc/x > /tmp/x", "write /tmp/x"),
        ("docker exec c sh -c 'cp /tmp/a b'", ""),
        ("kubectl exec p -- cat /tmp/a", ""),
        ("scp dut:/x /tmp/x", "write /tmp/x"),
        ("grep -c x <<< /tmp/list", ""),
        ("f() { cp /tmp/a b; }", ""),
    ]);
}

#[test]
fn texts_inside_texts() {
    check(&[
        ("bash -c 'cp /tmp/a b'", "read /tmp/a >into b; write b =/tmp/a"),
        ("bash <<'EOF'\ncp /tmp/a b\nEOF", "read /tmp/a >into b; write b =/tmp/a"),
        ("sudo -u me env X=1 timeout -k 5 10 nice -n 3 cp /tmp/a b", "read /tmp/a >into b; write b =/tmp/a"),
        ("eval 'cp /tmp/a b'", "read /tmp/a >into b; write b =/tmp/a"),
        ("f() { cp \"$1\" b; }; f /tmp/a", "read /tmp/a >into b; write b =/tmp/a"),
        ("python3 -c \"import shutil; shutil.copy('/tmp/a','b')\"", "read /tmp/a >into b; write b =/tmp/a"),
        ("python3 - <<'PY'\ns = open('/tmp/a').read()\nopen('b', 'w').write(s)\nPY", "read /tmp/a >into b; write b"),
        ("node -e 'const fs=require(\"fs\");fs.writeFileSync(\"b\", fs.readFileSync(\"/tmp/a\"))'", "read /tmp/a >into b; write b =/tmp/a"),
        ("python3 -c 'print(open(\"/tmp/a\").read())'", "read /tmp/a >look"),
        ("echo \"$(cat /tmp/a)\" > b", "read /tmp/a >into b; write b"),
        ("X=$(cat /tmp/a); echo \"$X\" > b", "read /tmp/a >argument; read /tmp/a >into b; write b"),
        ("X=$(cat /tmp/a)", "read /tmp/a >argument"),
        ("cat > b <<EOF\n$(cat /tmp/a)\nEOF", "read /tmp/a >into b; write b"),
    ]);
}

#[test]
fn paths_and_names() {
    check(&[
        ("cd /tmp && cp ~/a b", "cd /tmp; read ~/a >into /tmp/b; write /tmp/b =~/a"),
        ("cd sub; cp ../a .", "cd sub; read a >into sub/a; write sub/a =a"),
        ("(cd /tmp; cp a b); cp c d", "read /tmp/a >into /tmp/b; write /tmp/b =/tmp/a; read c >into d; write d =c"),
        ("cd \"$X\" && cp a b", "cd ?; read ? >into ?; write ? =?"),
        ("D=/tmp/x; cp \"$D/f\" y", "read /tmp/x/f >into y; write y =/tmp/x/f"),
        ("T=$(mktemp); cp a \"$T\"", "mktemp; read a >into ?; write ? =a"),
        ("cp a /tmp/x.$$", "read a >into ?; write ? =a"),
        ("cp a $TMPDIR/x", "read a >into $T/x; write $T/x =a"),
        ("cp a \"${TMPDIR:-/tmp}/x\"", "read a >into $T/x; write $T/x =a"),
        ("cp a{,.bak}", "read a >into a.bak; write a.bak =a"),
        ("cp /tmp/*.bak .", "read /tmp/*.bak (glob) >into *.bak (glob); write *.bak (glob)"),
        ("for i in 1 2; do cp a /tmp/x.$i; done", "read a >into ?; write ? =a"),
        ("cp '$HOME/a' b", "read $HOME/a >into b; write b =$HOME/a"),
        ("git -C sub -c user.name=x commit -qm m", "git commit sub"),
        ("git commit --dry-run -m m", ""),
        ("git checkout -b new", "git new-branch ."),
        ("git switch main", "git switch ."),
        ("git checkout HEAD -- a", "git discard ."),
    ]);
}

#[test]
fn whose_status_is_seen() {
    for (text, want) in [
        ("pytest -q | tail -15", "no"),
        ("ruff check . ; echo done", "no"),
        ("npm test || true", "no"),
        ("make test &", "no"),
        ("cargo test && echo ok", "yes"),
        ("cargo test 2>&1", "yes"),
        ("set -o pipefail; pytest -q | tail -3", "yes"),
        ("cd x && cargo test", "yes"),
        ("set -e\ncargo test\necho ok", "yes"),
        ("cargo test\necho $?", "no"),
        ("if cargo test; then echo ok; fi", "no"),
        ("bash -c 'cargo test; true'", "no"),
        ("timeout 60 cargo test", "yes"),
    ] {
        let found = effects(text, Dialect::Bash);
        let gates = ["pytest", "ruff", "npm", "make", "cargo"];
        let gate = found.commands.iter().find(|command| gates.contains(&command.program.as_str())).expect("the gate is seen");
        assert_eq!(if gate.status_visible { "yes" } else { "no" }, want, "{text}");
    }
}

#[test]
fn background() {
    let found = effects("prog > /tmp/x & cp /tmp/y z", Dialect::Bash);
    assert_eq!(found.list.iter().map(|effect| effect.background).collect::<Vec<_>>(), [true, false, false]);
}

#[test]
fn what_does_not_parse_is_read_as_far_as_it_goes_and_marked() {
    for text in ["cp /tmp/a b; if (", "cp /tmp/a b && echo \"open", &format!("cp /tmp/a b; {}", "(".repeat(200))] {
        let found = effects(text, Dialect::Bash);
        assert!(found.approximate, "{text}");
        assert!(show(&found).starts_with("read /tmp/a >into b"), "{text}: {}", show(&found));
    }
}

#[test]
fn no_nesting_costs_the_stack() {
    for piece in [
        "(",
        "{ ",
        "$(",
        "`",
        "if true; then ",
        "${a:-",
        "((",
        "[[ ! ",
        "! ",
        "f() { ",
        "\"$(",
        "case x in x) ",
        "while true; do ",
        "<(",
        "for i in 1; do ",
        "a|",
        "a&&",
        "$((",
        "[[ ( ",
        "x=(",
        "until ",
        "select i in 1; do ",
        "time ",
        "coproc ",
        "cat <<E\n",
        "'",
        "eval ",
        "bash -c '",
        "{a,",
        "[",
        "function f { ",
    ] {
        for count in [10, 140, 160, 20_000] {
            let _ = effects(&piece.repeat(count), Dialect::Bash);
            let _ = effects(&format!("cp /tmp/a b; {}x{}", piece.repeat(count), ")".repeat(count)), Dialect::Bash);
        }
    }
}

#[test]
fn power_shell() {
    for (text, want) in [
        ("Copy-Item a.txt $env:TEMP\\a", "read a.txt >into $T/a; write $T/a =a.txt"),
        ("Copy-Item -Path \"$env:TEMP\\a\" -Destination b", "read $T/a >into b; write b =$T/a"),
        ("Get-Content $env:TEMP\\a | Set-Content b", "read $T/a >into b; write b"),
        ("'x' | Out-File -Append $env:TEMP\\a", "append $T/a"),
        ("Remove-Item $env:TEMP\\a", "rm $T/a"),
    ] {
        assert_eq!(show(&effects(text, Dialect::PowerShell)), want, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn nothing_panics(parts in proptest::collection::vec(
        proptest::sample::select(vec![
            "cp", "/tmp/a", "b", "|", "&&", "||", ";", "&", "\n", "(", ")", "{", "}", "$(", "`", "\"", "'", "\\", ">", ">>", "<", "<<E", "E",
            "$X", "${X:-y}", "${X", "if", "then", "fi", "for i in", "do", "done", "case", "esac", "in", "python -c", "bash -c", "cd", "..",
            "~", "*", "{a,b}", "ü", "\u{202e}", "=", "X=", "#", "!", "[[", "]]", "((", "))", "git", "commit", "-m", "-F", "tee", "-a",
        ]), 0..40)) {
        for separator in ["", " "] {
            let text = parts.join(separator);
            let _ = effects(&text, Dialect::Bash);
            let _ = effects(&text, Dialect::PowerShell);
        }
    }

    #[test]
    fn a_text_in_bash_c_is_the_text(index in 0..SAMPLES.len()) {
        let text = SAMPLES[index];
        let quoted = format!("bash -c '{}'", text.replace('\'', "'\\''"));
        proptest::prop_assert_eq!(show(&effects(&quoted, Dialect::Bash)), show(&effects(text, Dialect::Bash)));
    }
}

const SAMPLES: &[&str] = &[
    "cp a.txt /tmp/a",
    "cat /tmp/a | sed 's/x/y/' > b",
    "D=/tmp/x; cp \"$D/f\" y && git apply /tmp/p",
    "for f in a b; do cp $f /tmp/$f; done",
    "python3 -c 'open(\"/tmp/a\",\"w\").write(\"x\")'",
    "cat > /tmp/x <<EOF\nhello\nEOF\nsh /tmp/x",
];
