//! English.

use super::Role;
use super::Role::{
    After, All, And, At, Be, But, Check, Checks, Do, Elsewhere, Everything, Except, Expected, Fail, Failures, Filler, Fine, Fixed, Goal,
    Good, If, Made, Makes, Might, Name, No, Not, Now, Number, Of, Old, Part, Pass, Past, Per, Plan, Run, Says, Since, That, They, Thing,
    To, Trouble, Undone, Verify, Warnings, Was, Well, Who, Whole,
};
use crate::shell::gates::Gate::{Build, Format, Lint, Test, Typecheck};

pub(super) const WORDS: &super::Words = &[
    (Role::Absent, "gone, all gone, have gone away"),
    (
        Role::Steps,
        "verification steps, validation steps, steps completed, completed steps, steps taken, steps performed, testing steps, \
         verification checklist, steps",
    ),
    (Role::Remaining, "remaining"),
    (Role::Cause, "cause of, caused by, root cause, reproduces, reproduced, handles, handle, handling"),
    (Role::Percent, "percent, per cent"),
    (
        Role::Left,
        "more to go, more to fix, more left, to go, remain, remains, remained, remaining to fix, left, leaving, open, to fix, missing, \
         outstanding ones",
    ),
    (Role::Else, "everything else, everything else's, all else, all the rest, rest"),
    // What is spoken of.
    (
        Role::Gate(Test),
        "suite, suites, deployment tests, test files, specs, spec suite, test cases, testcases, unit tests, integration tests, \
         regression tests, test runs, every test, each test, every single test, regression suite, tests suite, test step, test job, \
         test command, test script, test stage, complete test suite, complete suite",
    ),
    (
        Role::Gate(Lint),
        "lint check, lint checks, lint run, linter run, lint step, static analysis, linter checks, linting checks, lint job",
    ),
    (Role::Gate(Format), "code formatting, code style, format checks, format:check"),
    (Role::Gate(Typecheck), "static types, typings, types"),
    (
        Role::Gate(Build),
        "compilation, compile step, build step, build job, build run, build command, compiler, production build, release build",
    ),
    (Name(Test), "snapshot, snapshots, ones"),
    (Name(Format), "formatted"),
    (Name(Typecheck), "typing"),
    (Name(Build), "building"),
    (Everything, "everything, everything's"),
    (Checks, "quality gate, full gate, all gates, gates, quality gates, all checks, verifications, quality checks, whole pipeline locally"),
    (Check, "gate, check"),
    (All, "all, both, every, each, all of, every single, all the, altogether"),
    (Whole, "full, whole, entire"),
    (
        Part,
        "some, most, many, few, several, half, nearly, almost, new, other, others, another, my, these, those, this, affected, related, \
         relevant, targeted, focused, specific, touched, changed, modified, added, only, individual, certain, mostly, partially, partly, \
         first, last, second, majority, existing ones, corresponding, handful, select, selected",
    ),
    (
        Filler,
        "without changes, with no changes, you can merge, you may merge, you can review, can be merged, can be reviewed, please review, \
         please merge, please take a look, safe to merge, ready to merge, ready for review, you can ship, feel free, feel free to merge, \
         you can deploy, go ahead and merge, note, note that, caveat, unfortunately, sadly, end to end, ./..., next.js, node.js, react, \
         electron, storybook, android, ios, windows, linux, macos, the, a, an, our, its, their, still, again, also, already, even, just, \
         consistently, overall, end-to-end, regression, smoke, functional, existing, local, locally, static, strict, quick, final, dev, \
         ui, cli, library, core, project, project's, repo, codebase, package, packages, module's, workspaces, once again, once more, \
         additionally, finally, too, as well, here, there, can confirm, happy to report, pleased to report, glad to report, can report, \
         happy to confirm, nicely, so far, stay, stays, stayed, yes, done, great, perfect, excellent, good news, thus, hence, therefore, \
         indeed, in total, total, times, before committing, before pushing, before merging, before finishing, before each commit, \
         results, status, step, at this point, as before, at last, really, actually, completely, entirely, totally, fully, perfectly, \
         100 percent, have, has, new and existing, existing and new, old and new, new and old, made sure, ensured, verified that, \
         confirmed that, shows that, verification, validation, rerun, re-run, reran, re-ran, fresh, latest, same, of course, right, i.e, \
         suite-wide, headless, type-level, property, property-based, component, contract, snapshot tests, acceptance, eslint's, \
         on the first try, cases, step by step, only existing, which means, both of which, immediately, either, well, no longer so, then, \
         ci-equivalent, ci-style, on my end, on my side, on my machine, result, summary, that were failing, that were failing earlier, \
         that were failing before, that failed before, that failed earlier, which were failing, which failed before, \
         that previously failed, that had failed, that were broken, that were red, that used to fail, previously failing, \
         previously-failing",
    ),
    (They, "they, it, these all, which, them, those all, they all, all of them, all of which, both of them, all of these"),
    (Thing, "code, crate, app, application, program, binary, extension, plugin, site, docs site, implementation, changes, project code"),
    (Who, "i, we, you, he, she, who, i've, we've, i'm, i'd, user"),
    // How it went.
    (
        Be,
        "is, are, be, being, been, it's, they're, that's, run with, runs, ran with, come back, comes back, came back, came out, \
         comes out, come out, comes up, came up, come up, finished, finishes, completed, completes, complete, shows, show, showed, \
         returned, returns, returning, exited, exits, ended, looks, look, stands at, stand at, gave, gives, yields, produced, produces, \
         went, turned, turns, found, finds, emits, emitted, output, prints, printed, comes, came, done with, keep, keeps, having, \
         continue to be",
    ),
    (Was, "was, were, had, had been"),
    (
        Pass,
        "as does, as do, so is, so are, pass, passed, passes, succeed, succeeds, succeeded, success, successful, continue to pass, \
         continues to pass, passed successfully, go through, goes through, went through, keep passing, keeps passing, so does, so do",
    ),
    (
        Good,
        "no longer fails, no longer fail, no longer failing, no longer broken, no longer red, stopped failing, green, clean, passing, \
         error-free, warning-free, exit 0, exits 0, exit code 0, exits with 0, exited 0, exited with 0, exit with 0, exits with code 0, \
         exited with code 0, with exit code 0, error free, issue-free, spotless, happy-green, with code 0, with status 0, exits zero, \
         exits with zero, problem-free",
    ),
    (Fine, "ok, okay, fine, good, happy, satisfied, healthy, all good"),
    (
        Makes(Build),
        "compile cleanly, compiles, builds, compiles and links, build cleanly, build successfully, build fine, compile successfully",
    ),
    (Makes(Typecheck), "type-checks, typechecks, type checks, types check, types check out, types-check, type-check cleanly"),
    (Makes(Lint), "lints"),
    (Made(Build), "compiled, built, compile, compiling"),
    (Made(Typecheck), "type-checked, typechecked"),
    (Made(Lint), "linted"),
    (
        Well,
        "cleanly, successfully, without problems, without a hitch, flawlessly, without incident, without trouble, smoothly, \
         without complaint, without complaints",
    ),
    (
        No,
        "no remaining, no outstanding, no, zero, without, not a single, without a single, without any, no more, free of, 0 new, zero new, \
         no new, none",
    ),
    (
        Trouble,
        "error, errors, issue, issues, problem, problems, violation, violations, complaint, complaints, offense, offenses, findings, \
         diagnostics, regressions, mistakes",
    ),
    (Warnings, "warning, warnings"),
    (Failures, "failure, failures, test failures"),
    // What takes it back.
    (
        Not,
        "intermittently, sometimes, occasionally, now and then, from time to time, most of the time, half the time, every other time, \
         on and off, on some runs, on some days, not, never, hardly, barely, neither, nor, cannot, can't, cant, couldn't, isn't, aren't, \
         wasn't, weren't, don't, doesn't, didn't, haven't, hasn't, won't, wouldn't, shouldn't, unable, nothing, nobody, none of, non, \
         not all, not every, yet to, far from, failed to, rather than, instead of, no longer, unclear, unsure, unknown",
    ),
    (
        Might,
        "e.g, for example, for instance, i'm sure, i'm confident, confident, my understanding, looks like, look like, sounds like, \
         should, would, could, may, might, must, will, shall, can, i'll, we'll, it'll, they'll, you'll, that'll, going to, gonna, hope, \
         hopefully, hoping, likely, probably, presumably, perhaps, maybe, possibly, apparently, supposedly, seems, seem, appears, appear, \
         seemingly, expect, expects, expecting, supposed to, assume, assuming, assumed, believe, think, guess, suspect, ideally, \
         allegedly, want, wants, wanted, try, trying, tried, attempt, pretend, pretends, plans, planning, ought, theoretically, \
         in theory, would've, needs to be, i'd expect, no guarantee, about to, remember, please, how, doubt, plan to, so",
    ),
    (
        If,
        "if, when, whenever, once, until, till, unless, whether, provided, as soon as, as long as, in case, where, how many, which tests, \
         only when, only if, every time, each time, wherever, otherwise, while waiting, even though i",
    ),
    (
        Plan,
        "odd that, strange that, weird that, surprising that, suspicious that, puzzling that, curious that, wonder, wondering, \
         astonishing that, how come, so that, means, mean, implies, imply, let me, let's, let us, ensure, ensures, ensuring, make sure, \
         making sure, makes sure, be sure, in order to, to make, to get, to keep, to see, to have, to ensure, to let, make, makes, \
         making, let, lets, letting, need, needs, needed, required, requires, require, get, getting, wait for, waiting for, wait until, \
         want to, expect that, demand, demands, guarantee, guarantees, watch, asking, imagine, suppose, say, next, to prove, so i, aim, \
         goal is, toward, towards, necessary, used to, trying to, would like, follow, assert, asserts, asserting, checks that, \
         check that, checks if, checks whether, test whether, determine, determines, returns true, counts, true, false, false if",
    ),
    (
        Verify,
        "verify, verifies, verifying, confirm, confirms, confirming, validate, validates, validating, see if, see that, to check, \
         to verify, to confirm, double-check, check whether, see whether, checking",
    ),
    (
        Goal,
        "exit condition, exit conditions, merge condition, merge conditions, condition, conditions, precondition, preconditions, \
         pre-condition, exit criteria, exit criterion, success criterion, criterion, checklist, checklist for the reviewer, \
         reviewer checklist, review checklist, merge checklist, release checklist, gate condition, stop condition, entry criteria, \
         deliverables, what remains, left to do, still open, blockers, completion criteria, completion criterion, done criteria, \
         release criteria, merge criteria, quality bar, wish list, option, alternative, idea, proposal, suggestion, question, test plan, \
         todo, to do, to-do, next steps, acceptance criteria, acceptance criterion, definition of done, goals, goal, plan, requirements, \
         requirement, how to test, how to verify, follow-ups, follow-up, remaining work, what's left, still to do, success criteria, \
         checklist for you, before merging you, open items, expectations, expectation, expected, expected result, expected output, \
         expected outcome, prerequisites, prerequisite, instructions, recommended next steps, proposed, example, objective, target, \
         criteria, rule, rules, template, todos",
    ),
    (Do, "set, add, use, install, enable, export, apply, run the following, change, replace, remove, delete, rename, pass --"),
    (
        Says,
        "reports, report, reported, says, said, claim, claims, claimed, claiming, states, stated, mentions, mentioned, reads, wrote, \
         writes, suggests, suggested, promises, promised, told, tells, reported that, alleges, insists, insisted, asserted, asked, asks, \
         reportedly, i was told, you mentioned, shown in, documents, documented, documentation says, comment says, quoted, describes, \
         described, announces, announced, argued, noted that",
    ),
    (
        Per,
        "according to, as stated in, as reported by, as claimed, per the, as you said, as you mentioned, as documented, you said, \
         you told me, you reported, as you",
    ),
    (
        Past,
        "at commit, as of commit, at the last commit, before, before that, before this, before my, before the, previously, earlier, \
         originally, initially, formerly, at first, prior to, beforehand, last time, last week, yesterday, in the past, at the start, \
         baseline, used to be, until now, on the previous, ago, back then, at that time, prior",
    ),
    (Now, "now, afterwards, today, since then, currently, but now, and now"),
    (After, "after, after the, after all, following"),
    (
        Role::Trial,
        "without my change, without my changes, without the change, without the changes, without this change, without this patch, \
         without this fix, without that change, without either change, without the commit, without my refactoring, \
         without the refactoring, without these changes, without my patch, without the patch, without the fix, without my fix, \
         without this commit, without my commit, without my edits, reverted, reverting, undone by hand, backed out, stashed, git stash, \
         git bisect, bisect, bisecting, parent commit, previous commit, the commit before, last commit at which, commit before mine, \
         last good commit, last green commit, at head, original code, unmodified code, clean checkout, fresh clone, old version, \
         older version, with the old, with an older, with the previous version, in isolation, isolated, when run alone, run alone, \
         individually, one by one, one at a time, warm cache, cold cache",
    ),
    (
        Elsewhere,
        "files i touched, files i changed, files i modified, files i edited, changed files, touched files, modified files, edited files, \
         files touched, files changed, for my changes, on my changes, in my changes, for my files, ci, github actions, gitlab, jenkins, \
         pipeline, pipelines, workflow, workflows, ci/cd, pr, prs, pull request, pull-request, merge request, pull requests, on main, \
         on master, main, master, on develop, on staging, staging, upstream, main branch, master branch, other branch, another branch, \
         feature branch, base branch, the branch, on the branch, remote, manually, manual, manual testing, by hand, in the browser, \
         in production, deployment, vercel, netlify, remotely, other machine, on your machine, your machine, codecov, dependabot, \
         dev branch, release branch, trunk, on trunk, fork, nightly, status checks, required checks, health checks, preflight checks, \
         manual checks, sanity check by hand, spot-check, spot checks, branch protection, security checks, permission checks, \
         null checks, bounds checks, runtime checks, background checks",
    ),
    // Honest words.
    (Fail, "fail, fails, failed, failing, broken, red, breaks, broke, errored, errors out, fails with, not passing, unsuccessful"),
    (
        Undone,
        "skipped, skip, skips, skipping, unverified, untested, crashed, crash, crashes, crashing, blocked, inconclusive, timed out, \
         time out, times out, hung, hangs, unavailable, aborted, not verified, not run, not tested, not executed, segfaults, segfaulted, \
         incomplete, pending, still running, not confirmed, interrupted, cancelled, canceled, disabled, unconfirmed, outstanding, \
         no tests ran, no tests were run, killed, ignored, deselected, xfailed, quarantined, nothing ran, no-op, did not finish, \
         didn't finish, did not complete, didn't complete, no tests to run",
    ),
    (Run, "run, ran, execute, executed, verified, checked, confirmed, tested, validated, start, finish, reproduce, running"),
    (Old, "pre-existing, preexisting, flaky, unrelated, known, existing failures, intermittent"),
    (Expected, "as expected, as intended, expectedly"),
    (
        Fixed,
        "fix, fixes, fixed, fixing, resolve, resolves, resolved, resolving, repaired, addressed, addresses, corrected, corrects, cured, \
         eliminates, eliminated, solved, solves, removed, cleared, made, updated, cleaned up",
    ),
    (
        Except,
        "being the exception, is the exception, the one exception, the only exception, with one exception, as the exception, save three, save two, save one, save the, aside, excepted, less the, leaving out, leaving aside, not counting, barring, ignoring, disregarding, setting aside, \
         not including, not considering, without counting, sans, other than that of, omitting, except, except for, apart from, \
         aside from, other than, with the exception of, excluding, bar, save for, minus, besides, modulo",
    ),
    (
        Role::Other,
        "blocked on, lint rules, linting rules, lint rule, linting rule, eslint rules, eslint rule, clean and readable, clean and simple, \
         clean and short, clean and concise, clean and complete, clean and focused, clean and maintainable, clean and easy, \
         clean and tidy, clean and well-structured, clean and clear, green and readable, readable and clean, short and clean, \
         simple and clean, lint config, type names, test names, two passes, three passes, multiple passes, several passes, test data, \
         test-driven, pass rate, lint fix, lint fixes, build artifacts, build number, build time, test coverage, type definitions, \
         green button",
    ),
    // Joints.
    (But, "but, however, although, though, whereas, yet, nevertheless, despite, in spite of, only that, even though, while"),
    (And, "and, or, as well as, plus, and also, and then, and all of, along with, and the, nor any, and no"),
    (Since, "because, since, now that, as a result, given that, due to the fact"),
    (That, "that"),
    (Of, "of, out of, for the, of the, 's"),
    (To, "to, through, along, into, down, onto, up, around, over, off, back, as, him, her, us, out"),
    (
        At,
        "as of, without changes to, without any changes to, with no changes to, without modifications to, without touching, \
         without modifying, without changing, in, on, for, across, with, at, under, against, using, via, from, within, throughout, \
         including, by, per, due, during, both on, among, between, inside, between runs, because of, due to",
    ),
    (Number(1), "one"),
    (Number(2), "two"),
    (Number(3), "three"),
    (Number(4), "four"),
    (Number(5), "five"),
    (Number(6), "six"),
    (Number(7), "seven"),
    (Number(8), "eight"),
    (Number(9), "nine"),
    (Number(10), "ten"),
    (Number(12), "a dozen, dozen"),
];
