//! What runs other programs: package managers, task runners, continuous integration tools.

use super::{BUILD, Family, Row, Says, TEST, alone, doubtful, family, row, titled, unnamed};
use crate::shell::gates::{Gate, Gates};
use Says::{Fail, Ok, Pass, Remark, Tasks, Zero};

/// What make says when it has run nothing: of a check that is nothing executed.
const fn idle(shape: &'static str) -> Row {
    alone(Gates::of(&[Gate::Test, Gate::Lint, Gate::Format, Gate::Typecheck]), Zero, shape)
}

pub(super) const FAMILIES: &[Family] = &[family(
    &[],
    &[
        // make
        unnamed(Fail, "{name}: *** […: {name}] Error {x}"),
        unnamed(Fail, "{name}: *** [{name}] Error {x}"),
        unnamed(Fail, "{name}: *** No rule to make target '{name}'. Stop."),
        unnamed(Fail, "{name}: *** No rule to make target '{name}', …"),
        row(BUILD, Ok, "{name}: Nothing to be done for '{name}'."),
        idle("{name}: Nothing to be done for '{name}'."),
        row(BUILD, Ok, "{name}: '{name}' is up to date."),
        idle("{name}: '{name}' is up to date."),
        unnamed(Fail, "{name}: Target '{name}' not remade because of errors."),
        // just, task, mise, composer, rake
        unnamed(Fail, "error: Recipe `{name}` failed on line {n} with exit code {x}"),
        unnamed(Fail, "error: Recipe `{name}` failed with exit code {x}"),
        unnamed(Fail, "error: Recipe `{name}` could not be run …"),
        unnamed(Fail, "error: Justfile does not contain recipe `{name}`…"),
        unnamed(Fail, "task: Failed to run task \"{name}\": exit status {x}"),
        unnamed(Fail, "task: Task \"{name}\" does not exist"),
        unnamed(Fail, "[{name}] ERROR task failed"),
        unnamed(Fail, "ERROR task failed"),
        unnamed(Fail, "mise ERROR …task failed…"),
        unnamed(Fail, "Script … handling the {name} event returned with error code {x}"),
        unnamed(Fail, "rake aborted!"),
        // npm, pnpm, yarn, bun
        row(TEST, Fail, "npm ERR! Test failed.…"),
        row(TEST, Fail, "npm error Test failed.…"),
        unnamed(Fail, "npm ERR! Lifecycle script `{name}` failed with error:…"),
        unnamed(Fail, "npm error Lifecycle script `{name}` failed with error:…"),
        unnamed(Fail, "npm ERR! Missing script: \"{name}\""),
        unnamed(Fail, "npm error Missing script: \"{name}\""),
        unnamed(Fail, "npm ERR! code {name}"),
        unnamed(Fail, "npm error code {name}"),
        unnamed(Fail, "npm ERR! errno {x}"),
        row(TEST, Fail, "ELIFECYCLE Test failed.…"),
        unnamed(Fail, "ELIFECYCLE Command failed with exit code {x}.…"),
        unnamed(Fail, "ELIFECYCLE Command failed.…"),
        unnamed(Fail, "ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL {name} {name}: …"),
        unnamed(Fail, "ERR_PNPM_NO_SCRIPT Missing script: {name}"),
        unnamed(Fail, "error Command failed with exit code {x}.…"),
        unnamed(Fail, "error Command \"{name}\" not found."),
        unnamed(Fail, "Command failed with exit code {x}…"),
        unnamed(Fail, "error: script \"{name}\" exited with code {x}…"),
        unnamed(Fail, "error: script \"{name}\" was terminated by signal …"),
        unnamed(Fail, "error: Script not found \"{name}\""),
        unnamed(Fail, "npm run {name} exited with code {x}"),
        unnamed(Fail, "exited with code {x}"),
        unnamed(Fail, "{name} exited with code {x}"),
        // turbo, nx, lerna
        titled(Fail, "Failed: {name}"),
        titled(Fail, "Failed: {name} …"),
        row(Gates::ALL, Remark, "Tasks: 0 successful, 0 total"),
        unnamed(Tasks, "Tasks: {p} successful, {t} total"),
        unnamed(Fail, "ERROR run failed: command exited (…"),
        unnamed(Fail, "ERROR {name}: command …exited ({x})"),
        unnamed(Fail, "{name}: ERROR: command finished with error…"),
        unnamed(Ok, ">? ?NX Successfully ran target {name} for …"),
        unnamed(Ok, ">? ?NX Successfully ran targets {name}…"),
        unnamed(Fail, ">? ?NX Running target {name} for …failed"),
        unnamed(Fail, ">? ?NX Ran target {name} for …failed…"),
        titled(Fail, "- nx run {name}"),
        unnamed(Fail, "✖ {x}/{n} failed"),
        unnamed(Fail, "✖ {x}/{n} targets failed, …"),
        unnamed(Ok, "Lerna (powered by Nx) Successfully ran target {name} for …"),
        unnamed(Fail, "Lerna (powered by Nx) Running target {name} for …failed"),
        unnamed(Ok, "lerna success run Ran npm script '{name}' in …"),
        unnamed(Fail, "lerna ERR! npm run {name} exited {x} in …"),
        // tox, nox
        unnamed(Fail, "evaluation failed :( …"),
        unnamed(Ok, "congratulations :) …"),
        unnamed(Fail, "{name}: FAIL code {x}…"),
        unnamed(Fail, "{name}: FAIL ✖ in …"),
        unnamed(Fail, "nox > Session {name} failed."),
        unnamed(Fail, "nox > * {name}: failed"),
        unnamed(Ok, "nox > Session {name} was successful…"),
        unnamed(Ok, "nox > * {name}: success"),
        // pre-commit, lefthook, husky
        titled(Fail, "{label}Failed"),
        titled(Pass, "{label}Passed"),
        titled(Zero, "{label}(no files to check)Skipped"),
        titled(Fail, "🥊 {name} ({d} seconds)"),
        titled(Pass, "✔ {name} ({d} seconds)"),
        unnamed(Fail, "husky - {name} script failed (code {x})"),
        // Exit words of whatever
        doubtful(TEST, Fail, "FAILED"),
        unnamed(Fail, "BUILD FAILED"),
    ],
)];
