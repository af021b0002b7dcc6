//! What words do in a sentence, in any language.

use crate::shell::gates::Gate;

/// What a word or a phrase does in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::session::claims) enum Role {
    /// Names a gate: "tests", "linting", "the build".
    Gate(Gate),
    /// Names one, but is a subject only as a label: "test: ok".
    Name(Gate),
    /// Names them all: "checks".
    Checks,
    /// "everything": all that was spoken of, else all gates.
    Everything,
    /// "check": a noun behind a gate or an article, else as [`Role::Verify`].
    Check,
    /// "the rest", "everything else": something passed and was named before it, or it is but a part.
    Else,
    /// "all", "both", "every".
    All,
    /// "full", "entire".
    Whole,
    /// Only a part is meant: "some", "most", "new", "my".
    Part,
    /// Says nothing here: articles, adverbs, "unit", "now".
    Filler,
    /// "they", "it": what was spoken of.
    They,
    /// What can compile: "the code", "the project".
    Thing,
    /// "is", "runs", "finished", "reports".
    Be,
    /// "was": an earlier state, unless something happened then ("was successful").
    Was,
    /// "pass", "passed", "succeeds".
    Pass,
    /// "green", "clean", "passing".
    Good,
    /// "ok", "fine": good, but only of a gate that is named.
    Fine,
    /// A gate and its success in one: "compiles", "type-checks".
    Makes(Gate),
    /// The same of the past, which needs a word of success: "built cleanly".
    Made(Gate),
    /// "cleanly", "successfully".
    Well,
    /// "no", "zero", "without".
    No,
    /// "errors", "issues".
    Trouble,
    /// Both in one: "Typfehler".
    Troubled(Gate),
    /// "there is none", behind what there is none of.
    Absent,
    /// "warnings": their count discloses no failure.
    Warnings,
    /// "failures".
    Failures,
    /// "not", "never", "hardly".
    Not,
    /// Modals and intentions: "should", "will", "I'll", "hopefully".
    Might,
    /// "if", "once", "when", "whether".
    If,
    /// "so that", "ensure", "let me", "need": holds for all that follows.
    Plan,
    /// "verify", "confirm": as [`Role::Plan`], unless it is denied.
    Verify,
    /// "acceptance criteria", "todo": holds for a whole section.
    Goal,
    /// "verification steps": as [`Role::Goal`], unless they are ticked.
    Steps,
    /// "set", "add": as [`Role::If`] at the start of a sentence.
    Do,
    /// "says", "claims".
    Says,
    /// "according to".
    Per,
    /// "before", "previously".
    Past,
    /// "now": ends what [`Role::Past`] began.
    Now,
    /// "after", where a gate follows.
    After,
    /// "CI", "the pull request", "on main", "manually".
    Elsewhere,
    /// "without my change", "at the parent commit", "in isolation": another state than the one that is handed over.
    Trial,
    /// "fails", "failing", "broken".
    Fail,
    /// "skipped", "unverified", "crashed".
    Undone,
    /// "run", "verified": undone where it is denied.
    Run,
    /// "pre-existing", "flaky": discloses beside a word for failure or error.
    Old,
    /// "as expected".
    Expected,
    /// "fixed", "resolved".
    Fixed,
    /// "caused by": tells of what is over.
    Cause,
    /// "except".
    Except,
    /// "but", "however".
    But,
    /// "and", "or".
    And,
    /// "because", "since".
    Since,
    /// "that", which ties what follows to what was before it.
    That,
    /// "of".
    Of,
    /// Behind a pass it makes something be passed on: "to", "through".
    To,
    /// "in", "for", "with".
    At,
    /// "I", "we".
    Who,
    /// "remaining": a part of them, and as a label what is still to do.
    Remaining,
    /// "to go", "remain": with a number, what does not pass yet.
    Left,
    Number(u64),
    /// "percent"
    Percent,
    /// "40/41", "40 of 41".
    Ratio(u64, u64),
    Tick,
    Cross,
    Comma,
    Colon,
    Break,
    Open,
    Close,
    Other,
}

impl Role {
    /// Does it name one gate?
    pub(in crate::session::claims) fn names_gate(self) -> bool {
        matches!(self, Role::Gate(_) | Role::Name(_))
    }

    /// Does it name one or all?
    pub(in crate::session::claims) fn names(self) -> bool {
        self.names_gate() || matches!(self, Role::Checks | Role::Everything)
    }

    /// Is it a word for what is wrong?
    pub(in crate::session::claims) fn is_bad(self) -> bool {
        matches!(self, Role::Trouble | Role::Troubled(_) | Role::Warnings | Role::Failures | Role::Fail)
    }

    /// A gate, how much of it, a tick, or nothing.
    pub(in crate::session::claims) fn is_plain(self) -> bool {
        self.names() || matches!(self, Role::Tick | Role::Filler | Role::All | Role::Whole | Role::Number(_) | Role::Ratio(..))
    }
}
