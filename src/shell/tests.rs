//! Command texts and what they are taken to do, through the public door.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{Command, Dialect, EffectKind, Effects, Path, Root, Sink, effects};

/// Effects as a line: `R path sink`, `W path`, `W+ path` (partial), `=path` (a copy of), `D path`, `cd path`.
/// Temporary, home and project places are `T:`, `~:` and `P:`, what is unknown is `?`.
fn shown(found: &Effects) -> String {
    let mut line = String::new();
    for effect in &found.list {
        let separator = if line.is_empty() { "" } else { "; " };
        line.push_str(separator);
        match &effect.kind {
            EffectKind::Read { path, sink } => {
                let sink = match sink {
                    Sink::Into(place) => format!("into {}", path_shown(place)),
                    other => format!("{other:?}").to_lowercase(),
                };
                _ = write!(line, "R {} {sink}", path_shown(path));
            }
            EffectKind::Write { path, whole, copy_of } => {
                _ = write!(line, "W{} {}", if *whole { "" } else { "+" }, path_shown(path));
                if let Some(source) = copy_of {
                    _ = write!(line, " ={}", path_shown(source));
                }
            }
            EffectKind::Remove { path } => _ = write!(line, "D {}", path_shown(path)),
            EffectKind::ChangeDir { path } => _ = write!(line, "cd {}", path_shown(path)),
            EffectKind::MakeTemp => line.push_str("mktemp"),
            EffectKind::Git { dir, action } => _ = write!(line, "git {} {action:?}", path_shown(dir)),
        }
    }
    line
}

fn path_shown(path: &Path) -> String {
    let root = match path.root {
        Root::Absolute | Root::Cwd => "",
        Root::Home => "~:",
        Root::TempDir => "T:",
        Root::Project => "P:",
        Root::Unknown => return "?".to_owned(),
    };
    let text = if path.text.is_empty() && path.root == Root::Cwd { "." } else { &path.text };
    format!("{root}{text}{}", if path.glob { " (glob)" } else { "" })
}

fn bash(text: &str) -> String {
    shown(&effects(text, Dialect::Bash))
}

#[track_caller]
fn each(table: &[(&str, &str)]) {
    for (text, expected) in table {
        let found = effects(text, Dialect::Bash);
        assert_eq!(shown(&found), *expected, "{text}");
        assert!(!found.approximate, "approximate: {text}");
    }
}

#[test]
fn copies_have_a_source_and_a_place() {
    each(&[
        ("cp a b", "R a into b; W b =a"),
        ("cp -p a.txt /tmp", "R a.txt into /tmp/a.txt; W /tmp/a.txt =a.txt"),
        ("cp a b /tmp/d", "R a into /tmp/d/a; R b into /tmp/d/b; W /tmp/d/a =a; W /tmp/d/b =b"),
        ("cp -t /tmp/d a", "R a into /tmp/d/a; W /tmp/d/a =a"),
        ("cp --target-directory=/tmp/d a", "R a into /tmp/d/a; W /tmp/d/a =a"),
        ("cp -T a /tmp", "R a into /tmp; W /tmp =a"),
        ("cp f{,.bak}", "R f into f.bak; W f.bak =f"),
        ("cp /tmp/{a,b} d/", "R /tmp/a into d/a; R /tmp/b into d/b; W d/a =/tmp/a; W d/b =/tmp/b"),
        ("cp /tmp/*.go src/", "R /tmp/*.go (glob) into src/*.go (glob); W src/*.go (glob)"),
        ("cp '/tmp/a b*' x", "R /tmp/a b* into x; W x =/tmp/a b*"),
        ("cp -r d/. /tmp/e/", "R d into /tmp/e; W /tmp/e"),
        ("mv -f a /tmp/b", "R a into /tmp/b; W /tmp/b =a; D a"),
        ("install -m 644 -D /tmp/a b", "R /tmp/a into b; W b =/tmp/a"),
        ("install -d a/b", ""),
        ("rsync -a c/ /tmp/k/", "R c into /tmp/k; W /tmp/k"),
        ("rsync -n c/ /tmp/k/", ""),
        ("ln -s /tmp/a l", "R /tmp/a into l; W l"),
        ("ln -s ../a l", "W l"),
        ("dd if=a of=/tmp/b bs=1M", "R a into /tmp/b; W /tmp/b =a"),
        ("dd if=a of=/tmp/b count=1", "R a into /tmp/b; W /tmp/b"),
        ("scp host:/p /tmp/x", "W /tmp/x"),
        ("scp /tmp/x host:", "R /tmp/x argument"),
        ("rsync host:p/f /tmp/", "W /tmp/f"),
        ("docker cp box:/x /tmp/y", "W /tmp/y"),
        ("kubectl cp /tmp/y ns/pod:/x", "R /tmp/y argument"),
        ("cat a > /tmp/b", "R a into /tmp/b; W /tmp/b =a"),
        ("cat a >> /tmp/b", "R a into /tmp/b; W+ /tmp/b"),
        ("cat a b > /tmp/b", "R a into /tmp/b; R b into /tmp/b; W /tmp/b"),
        ("cat a > /tmp/b 2>/dev/null", "R a into /tmp/b; W /tmp/b =a"),
        ("cat a > /tmp/b 2> e", "R a into /tmp/b; W /tmp/b =a; W e"),
        ("cat a > x > /tmp/b", "R a into /tmp/b; W x; W /tmp/b =a"),
        ("2> /tmp/b cat a", "R a look; W /tmp/b"),
        ("cat a 3> /tmp/b", "R a look; W /tmp/b"),
        ("cat -n a > /tmp/b", "R a into /tmp/b; W /tmp/b"),
        ("cat < a > /tmp/b", "R a into /tmp/b; W /tmp/b =a"),
        ("tee /tmp/b < a", "R a into /tmp/b; W /tmp/b =a"),
        ("head -5 a > /tmp/b", "R a into /tmp/b; W /tmp/b"),
    ]);
}

#[test]
fn names_are_unescaped_and_wrappers_seen_through() {
    for wrapper in [
        "\\cp a b",
        "'cp' a b",
        "/usr/bin/cp a b",
        "command cp a b",
        "sudo -u x cp a b",
        "sudo env A=1 cp a b",
        "doas cp a b",
        "timeout -s KILL 5 cp a b",
        "nice -n 5 nohup cp a b",
        "time cp a b",
        "exec cp a b",
        "stdbuf -oL cp a b",
        "rtk cp a b",
        "bash -c 'cp a b'",
        "sh -lc \"cp a b\"",
        "zsh -c 'cp a b'",
        "bash -c 'cp $1 $2' x a b",
        "eval 'cp a b'",
        "mise exec -- cp a b",
        "direnv exec . cp a b",
        "busybox cp a b",
        "echo 'cp a b' | sh",
        "bash <<'EOF'\ncp a b\nEOF",
        "f() { cp \"$1\" \"$2\"; }; f a b",
        "function f { cp \"$@\"; }\nf a b",
        "for x in a; do cp $x b; done",
        "if cp a b; then :; fi",
        "{ cp a b; }",
        "(cp a b)",
        "! cp a b",
        "cp a b &",
    ] {
        assert_eq!(bash(wrapper), "R a into b; W b =a", "{wrapper}");
    }
}

#[test]
fn directories_apply_to_what_follows() {
    each(&[
        ("cd /tmp && cp a b; cp c d", "cd /tmp; R /tmp/a into /tmp/b; W /tmp/b =/tmp/a; R /tmp/c into /tmp/d; W /tmp/d =/tmp/c"),
        ("(cd /tmp; rm a); rm b", "D /tmp/a; D b"),
        ("cd /tmp | cat; rm b", "D b"),
        ("cd /tmp & rm b", "D b"),
        ("cd sub; cd ../..; rm b", "cd sub; cd ..; D ../b"),
        ("cd /tmp || exit 1; rm b", "cd /tmp; D /tmp/b"),
        ("cd /tmp; cd -; rm b", "cd /tmp; cd .; D b"),
        ("pushd /tmp; rm a; popd; rm b", "cd /tmp; D /tmp/a; cd .; D b"),
        ("cd; rm a", "cd ~:; D ~:a"),
        ("cd \"$X\"; rm a /b", "cd ?; D ?; D /b"),
        ("CDPATH=/x; cd d; rm a; cd ./e; cd /w; rm b", "cd ?; D ?; cd ?; cd /w; D /w/b"),
        ("pushd -n /x; rm a", "D a"),
        ("env -C d cp a /b; rm a", "R d/a into /b; W /b =d/a; D a"),
        ("env -C d python3 -c 'open(\"a\")'", "R d/a look"),
        ("if x; then cd /tmp; fi; rm a", "cd /tmp; cd ?; D ?"),
        ("for d in a b; do cd $d; done; rm a", "cd ?; D ?"),
        ("git -C /w -C x commit -m m", "git /w/x Commit"),
        ("cd /w && git commit", "cd /w; git /w Commit"),
        ("git --git-dir=/w/.git commit", "git /w Commit"),
    ]);
}

#[test]
fn programs_are_known_by_their_options() {
    each(&[
        ("sed --in-place=.save s/a/b/ x", "R x into x.save; W x.save =x; W+ x"),
        ("sed -Ei.tmpl -e s/a/b/ *.c", "R *.c (glob) into *.c.tmpl (glob); W *.c.tmpl (glob); W+ *.c (glob)"),
        ("perl -pi.orig -e s/a/b/ x", "R x into x.orig; W x.orig =x; W+ x"),
        ("perl -i~ -pe s/a/b/ x; perl -pie x y", "R x into x~; W x~ =x; W+ x; W+ y"),
        ("grep -rn t d; grep -nr t d; grep -E 't|u' d; grep -r -A 1 t d", "R d look; R d look; R d look; R d look"),
        ("grep --color t d; grep --exclude-dir x t d", "R d look; R d look"),
        ("rg -r u t d; rg -t c t d; rg -e t -g '*.c' d", "R d look; R d look; R d look"),
        ("jq -f p x > y", "R p run; R x into y; W y"),
        ("ed -s x <<< w", "W+ x"),
        ("xxd /t w; iconv -f a -t b -o w /t; shuf -o w /t", "R /t into w; W w; R /t into w; W w; R /t into w; W w"),
        ("expand -t 4 /t > w", "R /t into w; W w"),
        ("shred a; shred -n 1 -u b", "W+ a; W+ b; D b"),
        ("split -l 5 /t; split /t p.", "R /t into x* (glob); W x* (glob); R /t into p.* (glob); W p.* (glob)"),
        ("python3 -m json.tool /t; python3 -m json.tool --indent 2 /t w", "R /t look; R /t into w; W w"),
        ("tar -cf x -T l", "R l argument; W x"),
        ("printf 'rm a\\n' | sh; printf '%s\\n' 'rm a' 'rm b' | bash; printf '%d' 1 | sh", "D a; D a; D b"),
        ("cat a 1<> b", "R a into b; W+ b"),
        ("read x 3< a; cat <&3; while read -u 4 x; do y; done 4< b", "R a argument; R b argument"),
    ]);
}

#[test]
fn what_is_not_run_has_no_effects() {
    each(&[
        ("exit; rm a", ""),
        ("rm a; { rm b; exit 1; }; rm c", "D a; D b"),
        ("(exit); rm a", "D a"),
        ("exec rm a; rm b", "D a"),
        ("exec 2> x; rm a", "W x; D a"),
        ("x || exit; rm a", "D a"),
        ("if x; then exit; fi; rm a", "D a"),
        ("return; rm a", "D a"),
        ("f() { rm a; return; rm b; }; f; rm c", "D a; D c"),
        ("f() { rm a; }; unset -f f; f; rm b", "D b"),
        ("rm() { :; }; rm a; command rm b; env rm c", "D b; D c"),
        ("f() { rm a; }; bash -c f; f", "D a"),
        ("f() { rm a; }; export -f f; bash -c f", "D a"),
    ]);
}

#[test]
fn what_is_left_for_the_end_is_run_then() {
    each(&[
        ("trap 'rm a' EXIT; rm b", "D b; D a"),
        ("trap -- 'rm a' INT 0\nrm b; exit 1; rm c", "D b; D a"),
        ("trap 'rm a' EXIT; trap - EXIT; rm b", "D b"),
        ("trap 'rm a' INT; rm b", "D b"),
        ("bash -c 'trap \"rm a\" EXIT; rm b'; rm c", "D b; D a; D c"),
        ("if x; then trap 'rm a' EXIT; fi; rm b", "D b; D a"),
    ]);
    let found = effects("trap 'rm a' EXIT; cargo test", Dialect::Bash);
    let shown: Vec<_> = found.commands.iter().map(|command| (command.program.as_str(), command.last, command.status_visible)).collect();
    assert_eq!(shown, [("trap", false, false), ("cargo", true, true), ("rm", false, false)]);
}

#[test]
fn variables_fold_only_where_they_are_certain() {
    each(&[
        ("D=/tmp/x; rm \"$D/f\"", "D /tmp/x/f"),
        ("export D=/tmp/x && rm ${D}.bak", "D /tmp/x.bak"),
        ("readonly D=/tmp; local E=$D/e; rm $E", "D /tmp/e"),
        ("D=/tmp; D+=/x; rm $D", "D /tmp/x"),
        ("D=/tmp/x rm $D", "D ?"),
        ("D=$(mktemp); rm $D", "mktemp; D ?"),
        ("if x; then D=/a; fi; rm $D", "D ?"),
        ("D=/a; if x; then D=/b; else D=/b; fi; rm $D", "D /b"),
        ("x || D=/a; rm $D", "D ?"),
        ("i=0; while x; do rm /tmp/$i; i=$((i+1)); done", "D ?"),
        ("for f in a b; do rm /tmp/$f; done", "D ?"),
        ("read D; rm $D", "D ?"),
        ("rm /tmp/$$ /tmp/$RANDOM /tmp/$(date +%s) /tmp/x-$SESSION_ID", "D ?; D ?; D ?; D ?"),
        ("rm ${TMPDIR:-/tmp}/x $TEMP/y ${TMPDIR%/}/z", "D T:x; D T:y; D T:z"),
        ("rm ~/a $HOME/b \"$PWD\"/c $CLAUDE_PROJECT_DIR/d", "D ~:a; D ~:b; D c; D P:d"),
        ("cd /w; rm $PWD/c $(pwd)/d", "cd /w; D /w/c; D /w/d"),
        ("f=(a b); rm \"${f[@]}\" ${f[1]}", "D a; D b; D b"),
        ("f=a; bash -c 'rm $f'; bash <<< 'rm $f'; eval 'rm $f'; (rm $f)", "D ?; D ?; D a; D a"),
        ("export f=a; g=b; export g; bash -c 'rm $f $g'", "D a; D b"),
        ("f() { local d=x; rm $d; }; d=y; f; rm $d", "D x; D y"),
        ("f() { d=x; }; d=y; f; rm $d", "D x"),
        ("f() { local d=x; }; f; rm $d", "D ?"),
        ("f=(a); f+=(b); rm \"${f[@]}\"", "D a; D b"),
        ("IFS=:; f=a:b; rm $f \"$f\" /tmp/c:d", "D ?; D a:b; D /tmp/c:d"),
        ("IFS=:; f=a; rm $f", "D a"),
        ("dd if=a of=~/b", "R a into ~:b; W ~:b =a"),
        ("rm --x=~/b c=\"~/b\" ~/d", "D c=~/b; D ~:d"),
    ]);
}

#[test]
fn bytes_are_followed_to_their_sink() {
    each(&[
        ("cat /t | sed s/a/b/ > w", "R /t into w; W w"),
        ("cat /t | tee w", "R /t into w; W w"),
        ("cat /t | jq . | sponge w", "R /t into w; W w"),
        ("{ cat /t; echo; } >> w", "R /t into w; W+ w"),
        ("cat /t | (cd d && cat > w)", "R /t into d/w; W d/w"),
        ("cat /t | { grep x | sort > w; }", "R /t argument; W w"),
        ("for x in 1; do cat /t; done > w", "R /t into w; W w"),
        ("f() { cat /t; }; f > w", "R /t into w; W w"),
        ("grep x /t > w", "R /t into w; W w"),
        ("sort /t -o w", "R /t into w; W w"),
        ("X=w; cat <<E - /t > \"${X}\"\nx\nE\nrm ${X}", "R /t into w; W w; D w"),
        ("cat <<E | tee \"$(dirname /a/b)/w\"\n$(cat /t)\nE", "R /t into ?; W ?"),
        ("cat /t > >(sort > w)", "W w; R /t into w"),
        ("ruby -e 'puts File.read(\"/t\")' > w", "R /t into w; W w"),
        ("python3 - > w <<'E'\nprint(open('/t').read())\nE", "R /t into w; W w"),
        ("bash <<< 'cat /t' > w", "R /t into w; W w"),
        ("base64 -d /t > w", "R /t into w; W w"),
        ("envsubst < /t > w", "R /t into w; W w"),
        ("tar -xzf /t.tgz -C d", "R /t.tgz into d; W+ d"),
        ("tar xf /t.tar", "R /t.tar into ."),
        ("unzip -o /t.zip -d d", "R /t.zip into d; W+ d"),
        ("unzip -p /t.zip x > w", "R /t.zip into w; W w"),
        ("gunzip -c /t.gz > w", "R /t.gz into w; W w"),
        ("echo \"$(cat /t)\" > w", "R /t into w; W w"),
        ("printf '%s' `cat /t` > w", "R /t into w; W w"),
        ("cat > w <<EOF\n$(cat /t)\nEOF", "R /t into w; W w"),
        ("cat > w <<'EOF'\n$(cat /t)\nEOF", "W w"),
        ("X=$(< /t); echo \"$X\" > w", "R /t argument; R /t into w; W w"),
        ("X=$(cat /t); git commit -m \"$X\"", "R /t argument; R /t quote; git . Commit"),
        ("git apply /t", "R /t apply"),
        ("git apply --check /t", "R /t look"),
        ("git apply < /t", "R /t apply"),
        ("cat /t | git apply -", "R /t apply"),
        ("git am /t", "R /t apply"),
        ("patch -p1 < /t", "R /t apply"),
        ("patch -i /t -o w", "R /t apply; W w"),
        ("psql -f /t db", "R /t apply"),
        ("cat /t | psql", "R /t apply"),
        ("sqlite3 db < /t", "R /t apply"),
        ("sqlite3 db '.read /t'", "R /t apply"),
        ("kubectl apply -f /t", "R /t apply"),
        ("docker load -i /t", "R /t apply"),
        ("crontab /t", "R /t apply"),
        ("sh /t", "R /t run"),
        ("bash -x /t /u", "R /t run; R /u argument"),
        ("sh < /t", "R /t run"),
        ("cat /t | bash -s", "R /t run"),
        (". /t", "R /t run"),
        ("source <(cat /t)", "R /t run"),
        ("bash -c \"$(cat /t)\"", "R /t run"),
        ("python3 -u /t", "R /t run"),
        ("node --import x /t", "R /t run"),
        ("deno run -A /t", "R /t run"),
        ("uv run /t.py", "R /t.py run"),
        ("npx tsx /t.ts", "R /t.ts run"),
        ("/tmp/app --x", "R /tmp/app run"),
        ("make -f /t", "R /t run"),
        ("awk -f /t", "R /t run"),
        ("git commit -F /t", "R /t quote; git . Commit"),
        ("cat /t | git commit -F -", "R /t quote; git . Commit"),
        ("git commit -F- < /t", "R /t quote; git . Commit"),
        ("gh pr create --body-file /t", "R /t quote"),
        ("gh pr create --body \"$(cat /t)\"", "R /t quote"),
        ("cat /t | xargs rm", "R /t argument; D ?"),
        ("cat /t | ssh h 'cat > x'", "R /t argument"),
        ("cat /t | docker exec -i c tee /x", "R /t argument"),
        ("while read x; do echo $x >> w; done < /t", "R /t look; W+ w"),
        ("curl -d @/t -F f=@/u URL", "R /t argument; R /u argument"),
        ("./tool --config /t --log=/u", "R tool run; R /t argument; R /u argument"),
        ("cat /t | grep x", "R /t look"),
        ("cat /t > /dev/null", "R /t look"),
        ("diff <(sort /t) w", "R /t look; R w look"),
        ("wc -l /t > w", "R /t look; W w"),
        ("jq -r --arg a b '.x' /t", "R /t look"),
        ("rg -n 'a/b' /t", "R /t look"),
        ("sed -n '/a/,/b/p' /t", "R /t look"),
        ("test -f /t && [ -s /t ] && [[ -r /t ]] && ls -l /t && stat /t", ""),
    ]);
}

#[test]
fn writes_are_seen() {
    each(&[
        ("a > /x; a >> /y; a >| /z; a &> /u; a &>> /v; a 2> /w", "W /x; W+ /y; W /z; W /u; W+ /v; W /w"),
        ("a >& /x; a > /x 2>&1; a 2>&1 >&2 >&-", "W /x; W /x"),
        ("> /x", "W /x"),
        ("(a; b) > /x", "W /x"),
        ("a > /dev/null 2> /dev/stderr", ""),
        ("echo a | tee -a /x /y > /dev/null", "W+ /x; W+ /y"),
        ("curl -fsSLo /x URL", "W /x"),
        ("curl -O --output-dir /d https://h/p/f?q", "W /d/f"),
        ("wget -O /x URL; wget -P /d https://h/f; wget -O- URL", "W /x; W /d/f"),
        ("tar czf /x.tgz src", "R src into /x.tgz; W /x.tgz"),
        ("zip -r /x src", "R src into /x.zip; W /x.zip"),
        (
            "sed -i s/a/b/ /x; sed -i.bak -e s/a/b/ /x; sed -i '' s/a/b/ /x; sed -ni p /x",
            "W+ /x; R /x into /x.bak; W /x.bak =/x; W+ /x; W+ /x; W+ /x",
        ),
        ("sed -e 's/i/j/' /x", "R /x look"),
        ("perl -i -pe s/a/b/ /x; perl -pi -e s/a/b/ /y", "W+ /x; W+ /y"),
        ("yq -i '.a=1' /x", "W+ /x"),
        ("git diff --output=/x; git format-patch -o /d; git archive -o /y HEAD; git bundle create /z main", "W /x; W+ /d; W /y; W /z"),
        ("openssl enc -in /a -out /b", "R /a into /b; W /b"),
        ("go build -o /x ./cmd/...; gcc -o /y a.c; rustc -o /z a.rs", ""),
        ("go build -o /x 2> /err", "W /err"),
        ("mkdir -p /tmp/a; touch /tmp/b; truncate -s 0 /tmp/c", "W+ /tmp/b; W /tmp/c"),
        ("rm -rf /a b; unlink c; rmdir d", "D /a; D b; D c; D d"),
        ("find . -name x -exec cp {} /x \\;", "R ? into /x; W /x"),
        ("x | xargs -I{} cp {} /d/", "R ? into ?; W ?"),
    ]);
}

#[test]
fn quoted_text_is_data() {
    for text in [
        "echo 'cp a /tmp/b' \"> /tmp/c\"",
        "# cp a /tmp/b\nls",
        "ls # cp a /tmp/b",
        "grep -rn '> /tmp/seed.sql' docs | head > /dev/null",
        "cat <<'EOF' | head\ncp a /tmp/b > c\nEOF",
        "grep -c x <<< /tmp/list.txt",
        "python3 -c 'print(\"open(/tmp/x)\")'",
        "python3 -c '# open(\"/tmp/x\", \"w\")'",
        "ssh h \"walk > /tmp/w; cat /tmp/w\"",
        "docker exec c sh -c 'cat /tmp/w'",
        "kubectl exec p -- cp a b",
        "f() { cp a b; }",
        "cp",
        "echo \"it's\" && echo \\> x",
    ] {
        let found = effects(text, Dialect::Bash);
        let quiet = found.list.iter().all(|effect| matches!(&effect.kind, EffectKind::Read { sink: Sink::Look, .. }));
        assert!(quiet, "{text}: {}", shown(&found));
    }
    let commit = "git commit -m \"$(cat <<'EOF'\nfix: don't `rm` (yet) > /tmp/x\nEOF\n)\"";
    assert_eq!(bash(commit), "git . Commit");
}

#[test]
fn scripts_are_looked_into() {
    each(&[
        ("node -e 'const fs=require(\"fs\");fs.writeFileSync(\"/b\", fs.readFileSync(\"a\"))'", "R a into /b; W /b =a"),
        ("node -e \"fs.writeFileSync('/b', fs.readFileSync('a').toString().trim())\"", "R a into /b; W /b"),
        ("node <<'X'\nconst p = path.join(os.tmpdir(), 'x');\nfs.copyFileSync(p, 'y')\nX", "R T:x into y; W y =T:x"),
        ("python3 -c \"import shutil; shutil.copy('a','/tmp')\"", "R a into /tmp/a; W /tmp/a =a"),
        ("python3 - <<'X'\nopen('/b','w').write(open('a').read())\nX", "R a into /b; W /b"),
        ("python3 <<X\np='/b'\ns=open(p).read()\nopen(p,'w').write(s.replace('a','b'))\nX", "R /b look; W /b"),
        ("python3 -c \"from pathlib import Path as P; Path('w').write_text(Path('/t').read_text())\"", "R /t into w; W w"),
        ("python3 -c \"(Path('/d') / 'f').write_bytes(b'')\"", "W /d/f"),
        ("python3 -c \"open('/x', mode='a'); open(f'/y{z}', 'w')\"", "W+ /x; W ?"),
        ("python3 -c \"import os; os.replace('a','/b'); os.remove('/c')\"", "R a into /b; W /b =a; D a; D /c"),
        ("python3 -c 'import tempfile; tempfile.mkstemp()'", "mktemp"),
        ("python3 -c \"os.system('rm /x')\"", "D /x"),
        ("ruby -e 'File.write(\"/b\", File.read(\"a\"))'", "R a into /b; W /b"),
        ("deno eval \"Deno.writeTextFileSync('/x', '')\"", "W /x"),
        ("bun -e \"await Bun.write('/x', Bun.file('a'))\"", "R a into /x; W /x =a"),
        ("cat <<'X' | python3\nopen('/x','w')\nX", "W /x"),
        ("ssh h python3 - <<'X'\nopen('/x','w')\nX", ""),
    ]);
}

#[test]
fn git_actions() {
    each(&[
        ("git -c a=b --no-pager commit -qam x; git commit --dry-run", "git . Commit"),
        ("git checkout -b x; git switch -c y; git branch -m z", "git . NewBranch; git . NewBranch; git . NewBranch"),
        ("git checkout main; git switch -", "git . Switch; git . Switch"),
        ("git checkout -- f; git checkout HEAD -- f; git checkout HEAD~1 f; git checkout .", &["git . Discard"; 4].join("; ")),
        ("git restore f; git restore --staged f; git reset --hard; git reset", "git . Discard; git . Discard"),
        ("git stash; git stash push -m x; git stash pop; git stash list", "git . Discard; git . Discard; git . Change"),
        ("git worktree add ../x; git worktree list", "git . AddWorktree"),
        ("git rm f; git mv a b", "D f; R a into b; W b =a; D a"),
    ]);
}

fn visible(text: &str) -> Vec<(String, bool)> {
    effects(text, Dialect::Bash).commands.into_iter().map(|command| (command.program, command.status_visible)).collect()
}

#[test]
fn a_status_is_seen_or_masked() {
    for (text, seen) in [
        ("pytest -q | tail -15", false),
        ("pytest . ; echo done", false),
        ("pytest\necho $?", false),
        ("pytest || true", false),
        ("pytest &", false),
        ("! pytest", false),
        ("if pytest; then echo ok; fi", false),
        ("pytest && echo ok || echo no", false),
        ("echo $(pytest)", false),
        ("set -e; pytest && echo ok; echo done", false),
        ("pytest && echo ok", true),
        ("pytest 2>&1", true),
        ("pytest > /tmp/log", true),
        ("set -o pipefail; pytest -q | tail -3", true),
        ("set -euo pipefail\npytest | tee x\necho done", true),
        ("set -e; pytest; echo done", true),
        ("bash -eo pipefail -c 'pytest | tail; echo'", true),
        ("cd x && timeout 5 pytest", true),
        ("(cd x && pytest)", true),
        ("pytest || exit 1; echo done", true),
        ("pytest || { echo no; exit 1; }; echo done", true),
        ("out=$(pytest)", true),
        ("lint; pytest", true),
        ("pytest; exit $?", true),
        ("pytest\nexit $?", true),
        ("pytest > l 2>&1; s=$?; tail l; exit $s", true),
        ("pytest | tail; exit ${PIPESTATUS[0]}", true),
        ("pytest | tail; exit $?", false),
        ("pytest; s=$?; tail l", false),
        ("pytest; x; exit $?", false),
        ("(pytest; exit $?); x", false),
    ] {
        let found: Vec<bool> = visible(text).into_iter().filter(|(name, _)| name == "pytest").map(|(_, seen)| seen).collect();
        assert_eq!(found, [seen], "{text}");
    }
}

#[test]
fn commands_tell_what_is_known() {
    let found = effects("sudo timeout 5 ssh h 'npm test' & git log \"$X\" | head", Dialect::Bash);
    let told: Vec<_> = found
        .commands
        .iter()
        .map(|Command { program, args, remote, background, last, .. }| {
            (program.as_str(), args.iter().map(|arg| arg.as_deref()).collect::<Vec<_>>(), *remote, *background, *last)
        })
        .collect();
    assert_eq!(
        told,
        [
            ("npm", vec![Some("test")], true, true, false),
            ("git", vec![Some("log"), None], false, false, false),
            ("head", vec![], false, false, true),
        ]
    );
}

#[test]
fn what_does_not_parse_is_split() {
    for (text, expected) in [
        ("cp a /tmp/b; echo 'oops", "R a into /tmp/b; W /tmp/b =a"),
        ("cat /t > w; case x in", "R /t into w; W w =/t"),
        ("cat > /x <<'EOF'\nunfinished > /y", "W /x"),
        ("if true; then cp a b", "R a into b; W b =a"),
        ("select x in a b; do rm $x; done; rm y", "D ?; D y"),
    ] {
        let found = effects(text, Dialect::Bash);
        assert!(found.approximate, "{text}");
        assert_eq!(shown(&found), expected, "{text}");
    }
    let long = format!("cp a b\n{}", "x ".repeat(40_000));
    let found = effects(&long, Dialect::Bash);
    assert!(found.approximate);
    assert_eq!(shown(&found), "R a into b; W b =a");
}

#[test]
fn each_effect_is_that_of_a_command() {
    for text in ["((1)) < a", "((1)) > a", "for i in; do ((1)); done < b", "for i in $(<a); do :; done < b", "[[ $(<a) ]]", "x=$(<a)"] {
        let found = effects(text, Dialect::Bash);
        assert!(!found.list.is_empty(), "{text}");
        assert!(found.list.iter().all(|effect| effect.command < found.commands.len()), "{text}");
    }
}

#[test]
fn powershell() {
    for (text, expected) in [
        ("Set-Content -Path $env:TEMP\\x.txt -Value 'a > b'", "W T:x.txt"),
        ("Copy-Item $env:TEMP\\x .\\src\\x", "R T:x into src/x; W src/x =T:x"),
        ("copy C:\\Temp\\a C:\\w\\", "R C:/Temp/a into C:/w/a; W C:/w/a =C:/Temp/a"),
        ("Get-Content 'C:\\Temp\\a b' | Set-Content b", "R C:/Temp/a b into b; W b"),
        ("gc a > b; 'x' >> c; npm test *> $null", "R a into b; W b; W+ c"),
        ("\"hi\" | Out-File -FilePath \"$env:TEMP\\o\" -Append", "W+ T:o"),
        ("Move-Item -Path a -Destination b -Force; del b", "R a into b; W b =a; D a; D b"),
        ("$t = Join-Path $env:TEMP 'x'; Copy-Item p $t", "R p into T:x; W T:x =p"),
        ("cd C:\\w; git commit -m 'cp a b'", "cd C:/w; git C:/w Commit"),
        ("git apply $env:TEMP\\p # > x", "R T:p apply"),
        ("npm test 2>&1 | Tee-Object -FilePath $env:TEMP\\t", "W T:t"),
        ("@'\ncp a b > c\n'@ | Set-Content d", "W d"),
    ] {
        assert_eq!(shown(&effects(text, Dialect::PowerShell)), expected, "{text}");
    }
    assert_eq!(bash("pwsh -Command 'Copy-Item a b'"), "R a into b; W b =a");
}

/// Every kind of nesting, far deeper than any stack: none may overflow it or take long. Tests run on a
/// 2 MiB stack.
#[test]
fn nesting_costs_neither_stack_nor_time() {
    const OPENERS: [(&str, &str); 36] = [
        ("(", ")"),
        ("( ", ";)"),
        ("((", "))"),
        ("{ ", ";}"),
        ("$(", ")"),
        ("\"$(", ")\""),
        ("echo $(", ")"),
        ("`", "`"),
        ("${a:-", "}"),
        ("\"${a:-", "}\""),
        ("$((", "))"),
        ("$[", "]"),
        ("if true; then ", "; fi"),
        ("if ", "; then a; fi"),
        ("while true; do ", "; done"),
        ("until ", "; do a; done"),
        ("for x in a; do ", "; done"),
        ("case x in y) ", ";; esac"),
        ("case x in (y) ", " esac"),
        ("[[ ! ", " ]]"),
        ("[[ ( ", " ) ]]"),
        ("! ", ""),
        ("f() { ", "; }"),
        ("function f { ", "; }"),
        ("coproc ", ""),
        ("<(", ")"),
        ("cat <(", ")"),
        ("cat <<A $(", ")"),
        ("eval ", ""),
        ("sudo ", ""),
        ("bash -c \"", "\""),
        ("{a,", "}"),
        ("a[", "]=1"),
        ("a=(", ")"),
        ("[[ a =~ (", ") ]]"),
        ("python -c \"f(", ")\""),
    ];
    for (open, close) in OPENERS {
        for depth in [30, 5_000] {
            for text in [
                format!("{}a{}", open.repeat(depth), close.repeat(depth)),
                open.repeat(depth),
                format!("echo \"{}a", open.repeat(depth)),
                format!("[[ {}a", open.repeat(depth)),
            ] {
                let start = std::time::Instant::now();
                effects(&text, Dialect::Bash);
                effects(&text, Dialect::PowerShell);
                let took = start.elapsed();
                // An unoptimised build on a busy machine; the point is that no growth is exponential.
                assert!(took.as_secs() < 20, "{depth} x {open:?} took {took:?}");
            }
        }
    }
}

#[test]
fn hostile_text_is_survived() {
    for text in [
        "echo 99999999999999>x",
        "a <<<",
        "<<",
        "cat <<'",
        "cat <<\"\"\n\n",
        "${",
        "$'",
        "\\",
        "a=\\",
        "\u{feff}ls\r\n\0",
        "𝕏=1; echo $𝕏 ${𝕏} '𝕏' > 𝕏*",
        "ls\u{202e} {é,ü}",
        "cp {1..2147483647} x",
        "cp {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b} x",
        "f() { f; f; }; f",
        "x=$x$x; x=$x$x; eval $x",
    ] {
        effects(text, Dialect::Bash);
        effects(text, Dialect::PowerShell);
    }
    let doubling = format!("x=/aaaaaaaa; {} cp $x y", "x=$x$x; ".repeat(60));
    effects(&doubling, Dialect::Bash);
    let loops = format!("{} x=$y {}", "while a; do y=1; ".repeat(30), "; x=1; done".repeat(30));
    effects(&loops, Dialect::Bash);
}

/// Pieces that mean something to a shell, for soup.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "cp",
        "cat",
        "/tmp/a",
        "b",
        "$(",
        ")",
        "`",
        "\"",
        "'",
        "\\",
        "|",
        "||",
        "&&",
        "&",
        ";",
        "\n",
        ">",
        ">>",
        "<",
        "<<EOF\n",
        "EOF\n",
        "<<<",
        "2>&1",
        "{",
        "}",
        "(",
        "((",
        "))",
        "[[",
        "]]",
        "if",
        "then",
        "fi",
        "while",
        "do",
        "done",
        "case",
        "in",
        "esac",
        "for",
        "x=",
        "$x",
        "${x:-",
        "${x%",
        "python -c",
        "node -e",
        "open(",
        "'w'",
        "sudo",
        "bash -c",
        "eval",
        "é",
        "*",
        "~",
        "#",
        "git",
        "commit",
        "-m",
        "tar",
        "xf",
        "-",
        "--",
        "=",
        ",",
        "{a,",
        "..",
        "$'",
        "$",
        "!",
        "npm",
        "run",
        "test",
        "yarn",
        "pytest",
        "make",
        "function",
        "coproc",
        "time",
        "xargs",
        "ssh",
        "-i",
        "-o",
    ];
    prop_oneof![8 => prop::sample::select(pieces.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,3}"]
}

proptest! {
    #[test]
    fn soup_never_panics(pieces in prop::collection::vec((piece(), prop::bool::ANY), 0..40)) {
        let text: String = pieces.into_iter().map(|(piece, space)| if space { piece + " " } else { piece }).collect();
        for dialect in [Dialect::Bash, Dialect::PowerShell] {
            let found = effects(&text, dialect);
            for effect in &found.list {
                prop_assert!(effect.command < found.commands.len());
            }
            for run in super::gates::gates(&found) {
                prop_assert!(run.command < found.commands.len() && run.narrow.len() <= 80);
            }
        }
    }

    #[test]
    fn a_quoted_text_does_what_the_text_does(
        source in "[a-z]{1,6}", place in "/tmp/[a-z]{1,6}", joint in prop::sample::select(vec!["; ", " && ", " | ", "\n"]),
    ) {
        let text = format!("cp '{source}' \"{place}\"{joint}cat {place} | sort > {source}; rm -f {place}");
        let quoted = format!("bash -c '{}'", text.replace('\'', "'\\''"));
        prop_assert_eq!(effects(&text, Dialect::Bash).list, effects(&quoted, Dialect::Bash).list);
    }
}
