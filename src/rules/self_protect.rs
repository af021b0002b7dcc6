//! `turnstop/self-protect`

use memchr::memchr_iter;

use super::{Ctx, Moment, SessionRule};
use crate::config::PROJECT_FILE;
use crate::declare_rule;
use crate::finding::{Ask, Finding, Findings, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::session::event::{Action, Call};
use crate::session::facts::Facts;
use crate::session::scope::{Scope, is_at_or_below, is_inside};
use crate::session::temp_files::excerpt;
use crate::shell::{Command, EffectKind};
use crate::text;

declare_rule! {
    /// # What it sees
    ///
    /// An agent that loosens turnstop itself. It runs a command that is a person's to run (`turnstop allow`,
    /// `turnstop trust`, `turnstop uninstall`, `turnstop install` with a profile), writes or removes turnstop's
    /// config, what it remembers of sessions, or the program, or writes the settings file or the project's
    /// `.turnstop.toml` that turnstop goes by.
    ///
    /// # Why it matters
    ///
    /// A guard that is in the way is soon taken out of the way. An agent that was denied a restore wants the restore
    /// to work, and an entry in a config file makes it work.
    ///
    /// # Example
    ///
    /// ```sh
    /// turnstop uninstall                              # denied
    /// rm -rf ~/.local/state/turnstop                  # denied once
    /// sed -i /turnstop/d .claude/settings.local.json  # noted
    /// ```
    ///
    /// # What to do instead
    ///
    /// Ask the person. What they want loosened they loosen in a terminal of their own. What they asked the agent to
    /// write goes through when it is run again.
    ///
    /// # Not flagged
    ///
    /// Reading any of it; `scan`, `status`, `rules`, `replay`, `--help` and `--dry-run`; `trust --revoke`; commands that
    /// a person types; what runs on another machine. It is a guard rail, no sandbox: a program that the agent wrote
    /// may do all of it unseen.
    ///
    /// # Options
    ///
    /// None.
    pub struct SelfProtect {
        id: "turnstop/self-protect",
        summary: "an agent loosens turnstop itself",
        trigger: "a call runs a command of turnstop that is for a person to run, or writes turnstop's config, memory, program or hook entries",
        message: "an agent's call would loosen turnstop itself: <what>",
        severity: Error,
        confidence: Verified,
        moments: [BeforeCall, Scan],
        loudest: Deny,
        options: [],
        since: "0.1.0",
    }
}

/// Commands that loosen, each with the word among its arguments that makes it one; without a word they always do.
const LOOSENING: &[(&str, Option<&str>)] = &[("allow", None), ("trust", None), ("uninstall", None), ("install", Some("--profile"))];

/// Arguments that make a command harmless.
const HARMLESS: &[&str] = &["--help", "-h", "--dry-run", "--revoke"];

/// May the rule have something to say of a call with this text in it, or in this directory? It names the program, a
/// settings file, or a folder that turnstop's own files or the client's may be in.
fn mentions(text: &str) -> bool {
    let hidden = |at: usize| ["claude", "config", "local"].iter().any(|name| text[at + 1..].starts_with(name));
    memchr_iter(b'.', text.as_bytes()).any(hidden) || ["turnstop", "settings", "XDG_"].iter().any(|word| text.contains(word))
}

impl SessionRule for SelfProtect {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn concerned_by(&self, now: &Moment<'_>, cwd: &str, _scope: &Scope) -> bool {
        let Moment::BeforeCall(call) = now else { return false };
        match &call.action {
            Action::Shell { command, .. } => mentions(command) || mentions(cwd),
            Action::Write { path } | Action::Edit { path } => mentions(path) || mentions(cwd),
            Action::Read { .. } | Action::Ask | Action::Other => false,
        }
    }

    fn check(&self, now: &Moment<'_>, _facts: &Facts, cx: &Ctx<'_>, out: &mut Findings) {
        let Moment::BeforeCall(call) = now else { return };
        let approximate = call.effects().is_some_and(|effects| effects.approximate);
        let commands = call.effects().into_iter().flat_map(|effects| &effects.commands);
        let told = commands.filter_map(loosening).map(|what| Trespass { what, ask: Ask::Deny });
        let mut found: Vec<Trespass> = told.chain(changed(call, cx).iter().filter_map(|changed| trespass(changed, cx))).collect();
        found.dedup();
        out.extend(found.into_iter().map(|trespass| trespass.finding(call, approximate)));
    }
}

/// What the call does to turnstop.
#[derive(Debug, PartialEq, Eq)]
struct Trespass {
    what: String,
    ask: Ask,
}

impl Trespass {
    fn finding(self, call: &Call<'_>, approximate: bool) -> Finding {
        let (severity, remedy) = match self.ask {
            Ask::Deny => (Severity::Error, "ask the person to do it in a terminal of their own".to_owned()),
            Ask::DenyOnce => (Severity::Error, "leave it to the person, unless they asked for it".to_owned()),
            _ => (Severity::Warning, "leave what is turnstop's in there as it is, unless the person asked for it".to_owned()),
        };
        Finding {
            rule: SelfProtect::META,
            severity,
            confidence: if approximate { Confidence::Heuristic } else { Confidence::Verified },
            message: SelfProtect::META.message.replace("<what>", &self.what),
            evidence: vec![self.what.clone()],
            remedy,
            places: vec![Place { role: "call", excerpt: excerpt(call), ..Place::default() }],
            ask: if approximate { self.ask.min(Ask::Note) } else { self.ask },
            key: self.what.clone(),
            standing: self.what,
            forecast: false,
        }
    }
}

/// Does the command loosen turnstop? Then the words for it.
fn loosening(command: &Command) -> Option<String> {
    if command.program != "turnstop" || command.remote {
        return None;
    }
    let mut words = command.args.iter().flatten().map(String::as_str);
    if words.clone().any(|word| HARMLESS.contains(&word)) {
        return None;
    }
    let name = words.find(|word| !word.starts_with('-'))?;
    let (name, _) = LOOSENING.iter().find(|(loosening, with)| {
        let given =
            |with: &&str| words.clone().any(|word| word.strip_prefix(*with).is_some_and(|rest| rest.is_empty() || rest.starts_with('=')));
        *loosening == name && with.as_ref().is_none_or(given)
    })?;
    Some(format!("`turnstop {name}` is for a person to run"))
}

/// A path that the call changes.
struct Changed {
    path: String,
    /// It goes, with all that is in it.
    removed: bool,
}

/// What the call writes and removes.
fn changed(call: &Call<'_>, cx: &Ctx<'_>) -> Vec<Changed> {
    if let Action::Write { path } | Action::Edit { path } = &call.action {
        let path = cx.scope.place_of_file(path, cx.cwd).into_path();
        return path.map(|path| Changed { path, removed: false }).into_iter().collect();
    }
    let changed = call.effect_list().iter().filter_map(|effect| {
        let (path, removed) = match &effect.kind {
            EffectKind::Write { path, .. } => (path, false),
            EffectKind::Remove { path } => (path, true),
            _ => return None,
        };
        Some(Changed { path: cx.scope.place(path, cx.cwd).into_path()?, removed })
    });
    changed.collect()
}

/// What a change does to turnstop.
fn trespass(changed: &Changed, cx: &Ctx<'_>) -> Option<Trespass> {
    let reaches = |own: &str| is_at_or_below(&changed.path, own) || (changed.removed && is_inside(own, &changed.path));
    let shown = text::name(&changed.path, 120);
    let own = &*cx.scope.own;
    for (file, what) in
        [(&own.config, "turnstop's config"), (&own.state, "what turnstop remembers"), (&own.program, "the turnstop program")]
    {
        if !file.is_empty() && reaches(file) {
            return Some(Trespass { what: format!("{shown} is {what}"), ask: Ask::DenyOnce });
        }
    }
    let project = &cx.scope.project;
    if changed.path.rsplit('/').next() == Some(PROJECT_FILE) {
        return Some(Trespass { what: format!("{shown} is turnstop's config for the project"), ask: Ask::Note });
    }
    let settings = [own.settings.clone(), format!("{project}/.claude/settings.json"), format!("{project}/.claude/settings.local.json")];
    let runs_it = settings.iter().any(|file| reaches(file) && cx.around.world.runs_turnstop(file));
    runs_it.then(|| Trespass { what: format!("{shown} holds the settings that run turnstop"), ask: Ask::Note })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::{self, Dialect};

    fn told(text: &str) -> Vec<String> {
        shell::effects(text, Dialect::Bash).commands.iter().filter_map(loosening).collect()
    }

    #[test]
    fn a_loosening_command_is_seen_in_any_wrapper() {
        for text in [
            "turnstop allow shared-temp-path --path x --reason y",
            "~/.local/bin/turnstop uninstall",
            "cd sub && /usr/bin/env -u CLAUDECODE turnstop uninstall",
            "bash -c 'turnstop trust .'",
            "script -qec 'turnstop uninstall --yes' /dev/null",
            "sudo -u dev turnstop.exe uninstall",
            "turnstop install --profile observe",
            "echo y | turnstop uninstall",
            "\"$HOME\"/.cargo/bin/turnstop trust",
        ] {
            assert_eq!(told(text).len(), 1, "{text}");
        }
    }
}
