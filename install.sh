#!/bin/sh
# Builds turnstop, installs it, wires the hooks and plays a short session through them.
set -eu

usage() {
    cat <<'END'
Usage: ./install.sh [options]

Builds turnstop from this checkout, installs it, puts its hook entries into the settings of Claude Code, and
plays a short session through the hooks as they are wired, so that you see one restore blocked, and scans a
recorded one.

  --prefix DIR      install to DIR/bin [default: ~/.local]
  --scope SCOPE     local (this project, you alone), project (committed) or user (all projects) [default: local]
  --project DIR     the project to wire [default: the git work tree around the current folder, else that folder]
  --profile NAME    observe (notes only), standard or strict [default: what is installed, else standard]
  --no-hooks        leave the settings alone
  --no-demo         play nothing
  --build-only      build, and say where the binary is
  -h, --help        this text

Examples:
  cd ~/my-project && ~/src/turnstop/install.sh
  ./install.sh --scope user --profile observe
END
}

say() { printf '==> %s\n' "$*"; }

fail() {
    printf 'error: %s\n' "$1" >&2
    shift
    for help in "$@"; do printf 'help: %s\n' "$help" >&2; done
    exit 1
}

usage_error() {
    printf 'error: %s\nhelp: see ./install.sh --help\n' "$1" >&2
    exit 2
}

# Sets $binary to a release build. Static where that needs nothing but the toolchain, and at a fixed address: loading
# shared libraries and relocating addresses would be a large part of what one hook call costs.
build() {
    command -v cargo >/dev/null 2>&1 || fail "cargo is not on PATH" "get Rust from https://rustup.rs, then run this again"
    host=$(cd "$source" && rustc -vV | sed -n 's/^host: //p')
    target=${CARGO_TARGET_DIR:-target}
    case $target in /*) ;; *) target=$source/$target ;; esac
    say "building for $host (a few minutes the first time)"
    case $host in
        # With --target the flags reach the binary only; compile-time plugins have to stay shared.
        *-linux-gnu*)
            (cd "$source" && RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+crt-static -C relocation-model=static -C force-unwind-tables=no" \
                cargo build --release --locked --target-dir "$target" --target "$host") ||
                fail "the build failed" "on Debian and Ubuntu a missing linker is: apt install build-essential"
            binary=$target/$host/release/turnstop
            ;;
        *)
            (cd "$source" && cargo build --release --locked --target-dir "$target") || fail "the build failed"
            binary=$target/release/turnstop
            ;;
    esac
}

# Puts $binary to $installed, never half: a hook may start it at any time.
install_binary() {
    folder=$prefix/bin
    mkdir -p "$folder" || fail "$folder cannot be made" "choose another place with --prefix DIR"
    cp "$binary" "$folder/.turnstop.$$" && chmod 755 "$folder/.turnstop.$$" && mv -f "$folder/.turnstop.$$" "$installed" ||
        fail "$installed cannot be written" "choose another place with --prefix DIR"
    say "installed $installed ($("$installed" --version))"
    case ":$PATH:" in
        *":$folder:"*) ;;
        *) printf 'note: %s is not on your PATH; add to ~/.profile:\n  export PATH="%s:$PATH"\n' "$folder" "$folder" ;;
    esac
}

# Runs `turnstop install` with the arguments given, and sets $settings to the file and $undo to the command that
# it names.
wire() {
    report=$("$installed" install "$@") || exit $?
    printf '%s\n' "$report"
    settings=$(printf '%s\n' "$report" | sed -n 's/^  file: //p')
    undo=$(printf '%s\n' "$report" | sed -n 's/^undo: //p')
}

# Prints the command line that the settings file has for an event: the program, then its arguments.
wired() {
    tr '\n\r\t' '   ' <"$settings" | awk -v event="\"$1\"" '{
        text = substr($0, index($0, event))
        if (!match(text, /"command" *: *"[^"]*turnstop(\.exe)?" *, *"args" *: *\[[^]]*\]/)) exit 1
        entry = substr(text, RSTART, RLENGTH)
        sub(/^"command" *: *"/, "", entry)
        program = entry
        sub(/".*/, "", program)
        sub(/^[^[]*\[/, "", entry)
        gsub(/[],"]/, " ", entry)
        print program
        print entry
    }'
}

# Plays one payload through the hook and sets $answer.
play() {
    payload=$(sed "s|@DEMO@|$demo|g" "$source/fixtures/demo/$1.json")
    event=$(printf '%s\n' "$payload" | sed -n 's/.*"hook_event_name": "\(.*\)",*$/\1/p')
    folder=$(printf '%s\n' "$payload" | sed -n 's/.*"cwd": "\(.*\)",*$/\1/p')
    command=$(printf '%s\n' "$payload" | sed -n 's/.*"command": "\(.*\)"$/\1/p')
    entry=$(wired "$event") || fail "$settings has no entry for $event" "run turnstop install, then look at that file"
    program=$(printf '%s\n' "$entry" | sed -n 1p)
    # The arguments are plain words, to be split.
    # shellcheck disable=SC2046
    answer=$(
        cd "$folder"
        printf '%s\n' "$payload" | env HOME="$demo/home" XDG_STATE_HOME="$demo/state" XDG_CONFIG_HOME="$demo/config" \
            CLAUDE_PROJECT_DIR="$folder" "$program" $(printf '%s\n' "$entry" | sed -n 2p)
    ) || fail "the hook ended with exit code $? at $1" "report this with the output of: $program --version"
}

# Does what the agent in the demo does: asks the hook, runs the command, tells the hook.
act() {
    play "$1-before"
    printf '  %-10s %s\n' "$2" "$command"
    case $answer in *'"permissionDecision"'*'"deny"'*) fail "the demo's first calls should pass, but: $answer" ;; esac
    (cd "$folder" && sh -c "$command")
    play "$1-after"
}

# Prints a string member of the JSON answer as lines.
member() {
    printf '%s\n' "$answer" | awk -v key="\"$1\"" '{
        text = substr($0, index($0, key))
        if (!index($0, key) || !match(text, /: *"([^"\\]|\\.)*"/)) exit
        text = substr(text, RSTART, RLENGTH)
        sub(/^: *"/, "", text)
        sub(/"$/, "", text)
        gsub(/\\n/, "\n", text)
        gsub(/\\"/, "\"", text)
        gsub(/\\\\/, "\\", text)
        print text
    }' | sed 's/^/    /'
}

# Two sessions back up to the same temporary file; the first one then restores the other's bytes.
demo() {
    say "playing two sessions through the hooks of $settings"
    mkdir -p "$demo/home"
    printf 'port = 8080\n' >"$demo/app/app.conf"
    printf 'colour = red\n' >"$demo/lib/lib.conf"
    play 1-app-start
    act 2-app-backup "session A"
    play 3-lib-start
    act 4-lib-backup "session B"
    printf 'port = 9090\n' >"$demo/app/app.conf"
    play 5-app-restore-before
    printf '  %-10s %s\n' "session A" "$command"
    case $answer in
        *'"permissionDecision"'*'"deny"'*)
            printf '  denied:\n'
            member permissionDecisionReason
            say "that restore would have put session B's file into session A's project"
            ;;
        *'"systemMessage"'*)
            case $entry in
                *--observe*)
                    printf '  noted (profile observe denies nothing):\n'
                    member systemMessage
                    ;;
                *) fail "the restore was noted but not denied: $answer" "see whether $settings is wired to this binary" ;;
            esac
            ;;
        *) fail "the hook let a clobbered backup be restored" "see whether $settings is wired to this binary; answer: ${answer:-none}" ;;
    esac
}

# Scans a recorded session in which nothing stopped the restore, and then the sessions of the project itself.
scan() {
    say "scanning a recorded session in which nothing stopped the restore"
    name=$(printf '%s' "$demo/app" | sed 's/[^A-Za-z0-9]/-/g')
    mkdir -p "$demo/claude/projects/$name"
    sed "s|@DEMO@|$demo|g" "$source/fixtures/demo/recorded-session.jsonl" >"$demo/claude/projects/$name/recorded.jsonl"
    found=$(HOME="$demo/home" CLAUDE_CONFIG_DIR="$demo/claude" "$installed" scan --fail-on never "$demo/app")
    printf '%s\n' "$found" | sed "s|$demo/claude|~/.claude|; s/^/    /"
    case $found in *"1 error"*) ;; *) fail "the scan did not find the restore" "report this with the output of: $installed --version" ;; esac
    if [ $hooks = yes ]; then
        say "scanning your own sessions: turnstop scan"
        "$installed" scan --fail-on never ${project:+"$project"} | sed 's/^/    /'
    fi
}

source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
[ -f "$source/Cargo.toml" ] || fail "$source is not the checkout of turnstop" "run install.sh by its own path, not through a link"
prefix=${HOME:-}/.local
scope='' project='' profile=''
hooks=yes play_demo=yes build_only=no undo=''
while [ $# -gt 0 ]; do
    case $1 in
        --prefix=* | --scope=* | --project=* | --profile=*)
            option=${1%%=*} value=${1#*=}
            shift
            set -- "$option" "$value" "$@"
            continue
            ;;
        --prefix | --scope | --project | --profile) [ $# -ge 2 ] || usage_error "$1 needs a value" ;;
    esac
    case $1 in
        --prefix) prefix=$2 && shift ;;
        --scope) scope=$2 && shift ;;
        --project) project=$2 && shift ;;
        --profile) profile=$2 && shift ;;
        --no-hooks) hooks=no ;;
        --no-demo) play_demo=no ;;
        --build-only) build_only=yes ;;
        -h | --help) usage && exit 0 ;;
        *) usage_error "unknown option $1" ;;
    esac
    shift
done
case $scope in '' | local | project | user) ;; *) usage_error "no scope is called $scope" ;; esac
case $profile in '' | observe | standard | strict) ;; *) usage_error "no profile is called $profile" ;; esac
[ -z "$project" ] || [ -d "$project" ] || usage_error "$project is not a folder"
case $prefix in /*) ;; *) prefix=$(pwd)/$prefix ;; esac
[ -n "${HOME:-}" ] || usage_error "HOME is not set"
installed=$prefix/bin/turnstop

build
if [ $build_only = yes ]; then
    say "built $binary"
    exit 0
fi
install_binary

if [ $hooks = yes ]; then
    say "wiring the hooks"
    wire ${scope:+--scope "$scope"} ${project:+--project "$project"} ${profile:+--profile "$profile"}
fi
if [ $play_demo = yes ]; then
    demo=$(mktemp -d /tmp/turnstop-demo.XXXXXX)
    trap 'rm -rf "$demo"' EXIT
    trap 'exit 1' HUP INT TERM
    mkdir "$demo/app" "$demo/lib"
    if [ $hooks = no ]; then
        say "wiring a throw-away project"
        wire ${profile:+--profile "$profile"} --project "$demo/app" >/dev/null
        undo=''
    fi
    demo
    scan
fi
say "done"
printf 'to take it all back: %sremove %s\n' "${undo:+$undo, then }" "$installed"
