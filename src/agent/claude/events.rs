//! The one table of events turnstop is registered for. The installer, the settings snippets and the
//! plugin's `hooks.json` are made from it.

/// The tools whose calls a rule may ask about, in the client's matcher syntax: letters and `|` only, so
/// the client compares exact names.
pub const TOOLS: &str = "Bash|PowerShell|Write|Edit|MultiEdit|NotebookEdit|Read|AskUserQuestion|ExitPlanMode";

/// Seconds the client waits for an answer before it goes on without one. A hook call takes
/// milliseconds; the client's own default of 600 would let a stuck disk hold a session for ten minutes.
pub const TIMEOUT_SECONDS: u32 = 10;

/// One event of the client that turnstop answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookEvent {
    /// The client's name of the event.
    pub name: &'static str,
    /// Which tools it is registered for; `None` where the client has nothing to match.
    pub matcher: Option<&'static str>,
    /// What turnstop uses it for.
    pub purpose: &'static str,
}

const fn event(name: &'static str, matcher: Option<&'static str>, purpose: &'static str) -> HookEvent {
    HookEvent { name, matcher, purpose }
}

/// Every registered event, in the order a session meets them.
pub const EVENTS: &[HookEvent] = &[
    event("SessionStart", None, "catches up with a session that was already running"),
    event("UserPromptSubmit", None, "marks where a prompt begins; calls still open then never ended"),
    event("PreToolUse", Some(TOOLS), "judges a call before it runs"),
    event("PostToolUse", Some(TOOLS), "records what a call did"),
    event("PostToolUseFailure", Some(TOOLS), "records that a call failed"),
    event("Stop", None, "speaks at the end of a turn"),
    event("SubagentStop", None, "records what a subagent left, to be said at Stop"),
    event("PreCompact", None, "catches up before the conversation is compacted"),
];
