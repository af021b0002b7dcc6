#!/usr/bin/env python3
"""Plays a scenario through the genuine client against a scripted model, with turnstop's hooks installed.

Makes a project with a git repository and a person's own settings, runs `turnstop install`, starts the
client once per step, runs `turnstop uninstall`, and prints one JSON report:
  steps        per start of the client: exit status, seconds, result, error output, the events it printed
  model        per request, what the model had not been shown before
  transcripts  what the client left; there to be read after the run only with --work
  checks       each expectation of the scenario and whether it held
Exit status: 0 when every expectation held, 1 when one did not, 2 when the run itself broke.

A scenario is JSON; every string may hold {PROJECT} and {WORK} ({WORK}/shared lies under /tmp, outside the
project). Its keys beside those that model.py reads:
  files   {"path": "content"} of the project's first commit; one that begins with "#!" is executable
  branch  the branch of that commit (main)
  steps   [{"prompt": "...", "args": [...]}]: starts of the client
  expect  [{"where": W, "has" | "lacks": text}] or [{"where": W, "regex": pattern, "min": n, "max": n}]
          where W is model (shown to the model), user (shown to the person), hooks (every hook's answer),
          requests (their conversations), or file:PATH
"""
import argparse
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from model import Model

TOOLS = "Bash,Write,Edit,Read,NotebookEdit,Agent"
SECONDS_PER_START = 120

# What a person may well have in the file already: odd spacing, a number that no float can hold, another
# tool's hook on the same event, no newline at the end. No comments: the client ignores a file with one.
SETTINGS = b"""{
  "env": { "FOO":"bar" },   "cleanupPeriodDays": 30,
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "true" } ] } ]
  },
\t"unknownToAll": 12345678901234567890
}"""


def fill(value, names):
    """The value with every {NAME} in its strings replaced."""
    if isinstance(value, str):
        for name, text in names.items():
            value = value.replace("{%s}" % name, text)
    elif isinstance(value, list):
        value = [fill(item, names) for item in value]
    elif isinstance(value, dict):
        value = {fill(key, names): fill(item, names) for key, item in value.items()}
    return value


def environment(home):
    """The whole environment of every program started here: nothing is inherited but PATH."""
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": home, "LANG": "C.UTF-8", "SHELL": "/bin/bash",
            "TMPDIR": os.path.join(home, "tmp")}


def client_environment(home, port):
    return dict(
        environment(home), ANTHROPIC_BASE_URL="http://127.0.0.1:%d" % port, ANTHROPIC_API_KEY="not-a-key",
        NO_PROXY="127.0.0.1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1", DISABLE_AUTOUPDATER="1",
        DISABLE_ERROR_REPORTING="1", DISABLE_TELEMETRY="1", IS_SANDBOX="1")


def make_project(project, scenario, env):
    for path, text in scenario.get("files", {}).items():
        path = os.path.join(project, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        if text.startswith("#!"):
            os.chmod(path, 0o755)
    git = ["git", "-c", "user.name=dev", "-c", "user.email=dev@example.invalid", "-C", project]
    for args in (["init", "-q", "-b", scenario.get("branch", "main")], ["add", "-A"],
                 ["commit", "-q", "--allow-empty", "-m", "start"]):
        subprocess.run(git + args, env=env, check=True)


def turnstop(args, command, project, env):
    subprocess.run([args.turnstop, command, "--scope", "local", "--project", project], env=env, cwd=project,
                   stdin=subprocess.DEVNULL, stdout=sys.stderr, check=True)


def start_client(claude, step, env, project):
    argv = [claude, "-p", "--output-format", "stream-json", "--verbose", "--include-hook-events",
            "--permission-mode", "acceptEdits", "--allowedTools", TOOLS] + step.get("args", []) + ["--", step["prompt"]]
    begin = time.monotonic()
    client = subprocess.Popen(argv, env=env, cwd=project, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8", errors="replace", start_new_session=True)
    try:
        out, err = client.communicate(timeout=SECONDS_PER_START)
    except subprocess.TimeoutExpired:
        os.killpg(client.pid, signal.SIGKILL)
        out, err = client.communicate()
    events = [event for event in map(parsed, out.splitlines()) if event]
    result = next((event for event in events if event.get("type") == "result"), {})
    return {"exit": client.returncode, "seconds": round(time.monotonic() - begin, 2), "result": result.get("result"),
            "stderr": err[-4000:], "events": [e for e in events if e.get("type") in ("system", "unparsed")]}


def parsed(line):
    try:
        return json.loads(line)
    except ValueError:
        return {"type": "unparsed", "text": line} if line.strip() else None


def lines(values):
    return "\n".join(json.dumps(value, ensure_ascii=False) for value in values)


def text_at(where, report):
    """The text an expectation looks at."""
    events = [event for step in report["steps"] for event in step["events"]]
    if where == "model":
        return lines(r["new"] for r in report["model"] if r["conversation"] == "main" or r["conversation"].startswith("agent:"))
    if where == "user":
        shown = [e for e in events if e.get("subtype") not in ("init", "hook_started", "hook_response")]
        return lines(shown + [step["result"] for step in report["steps"]])
    if where == "hooks":
        return lines({key: e.get(key) for key in ("hook_name", "outcome", "exit_code", "stdout", "stderr")}
                     for e in events if e.get("subtype") == "hook_response")
    if where == "requests":
        return " ".join("%s#%d" % (r["conversation"], r["index"]) for r in report["model"])
    if where.startswith("file:"):
        with open(where[len("file:"):], encoding="utf-8", errors="replace") as file:
            return file.read()
    raise ValueError("no place to look at is called %r" % where)


def check(expectation, report):
    text = text_at(expectation["where"], report)
    if "has" in expectation:
        return dict(expectation, ok=expectation["has"] in text)
    if "lacks" in expectation:
        return dict(expectation, ok=expectation["lacks"] not in text)
    found = len(re.findall(expectation["regex"], text))
    low = expectation.get("min", 0 if "max" in expectation else 1)
    return dict(expectation, found=found, ok=low <= found <= expectation.get("max", sys.maxsize))


def run(args, work):
    home, project = os.path.join(work, "home"), os.path.join(work, "app")
    for folder in (os.path.join(home, "tmp"), os.path.join(project, ".claude"), os.path.join(work, "shared")):
        os.makedirs(folder)
    with open(args.scenario, encoding="utf-8") as file:
        scenario = fill(json.load(file), {"PROJECT": project, "WORK": work})
    env = environment(home)
    make_project(project, scenario, env)
    settings = os.path.join(project, ".claude", "settings.local.json")
    with open(settings, "wb") as out:
        out.write(SETTINGS)
    if not args.no_hooks:
        turnstop(args, "install", project, env)
    with Model(scenario) as model:
        steps = [start_client(args.claude, step, client_environment(home, model.port), project)
                 for step in scenario["steps"]]
    if not args.no_hooks:
        turnstop(args, "uninstall", project, env)
    report = {
        "scenario": os.path.basename(args.scenario), "work": work, "steps": steps, "model": model.shown(),
        "transcripts": sorted(glob.glob(os.path.join(home, ".claude/projects/**/*.jsonl"), recursive=True)),
    }
    with open(settings, "rb") as file:
        report["checks"] = [{"why": "the settings file is what it was, byte for byte", "ok": file.read() == SETTINGS}]
    report["checks"] += [{"why": "the client ended well", "ok": step["exit"] == 0} for step in steps]
    report["checks"] += [check(expectation, report) for expectation in scenario["expect"]]
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario")
    parser.add_argument("--claude", required=True, help="the client's native binary")
    parser.add_argument("--turnstop", help="the binary under test")
    parser.add_argument("--no-hooks", action="store_true", help="install nothing: shows that the expectations can fail")
    parser.add_argument("--work", help="a new folder to play in and to leave in place")
    args = parser.parse_args()
    if not (args.turnstop or args.no_hooks):
        parser.error("one of --turnstop and --no-hooks is needed")
    # The scenarios' shared paths lie in here, so it has to be below a root that turnstop calls temporary.
    work = args.work or tempfile.mkdtemp(prefix="turnstop-client-", dir="/tmp")
    try:
        report = run(args, work)
    finally:
        if not args.work:
            shutil.rmtree(work, ignore_errors=True)
    print(json.dumps(report, indent=1, ensure_ascii=False))
    return 0 if all(item["ok"] for item in report["checks"]) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        print("run_scenario: %s" % error, file=sys.stderr)
        sys.exit(2)
