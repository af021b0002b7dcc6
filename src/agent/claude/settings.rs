//! The hook entries of turnstop in a settings file of the client, and in the files made for copying.
//!
//! Everything here is text in, text out; which file that is, and whether it may be written, is for the
//! command line. The client merges all its settings files and runs every entry it finds, so nothing here
//! ever replaces what is there.

mod file;
mod json;
mod text;

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use thiserror::Error;

pub use self::file::is_own_program;
use self::file::{Change, File, Own, member, own_entries_at, position};
use self::json::{Json, Layout};
use self::text::spliced;
use super::events::{EVENTS, HookEvent, TIMEOUT_SECONDS};

/// The event whose failure blocks the call in the strict profile.
const GUARD: &str = "PreToolUse";

/// The mark some editors put at the beginning of a file.
const BOM: &str = "\u{feff}";

/// How much turnstop may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profile {
    /// Notes only, never a denial.
    Observe,
    /// Denies what is proven wrong; a failure of its own lets the call pass.
    Standard,
    /// As standard, and a hook that fails, times out or is missing blocks the call.
    Strict,
}

impl Profile {
    /// Every profile, the mildest first.
    pub const ALL: [Self; 3] = [Self::Observe, Self::Standard, Self::Strict];

    /// The name on the command line and of the snippet.
    pub fn name(self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Standard => "standard",
            Self::Strict => "strict",
        }
    }

    /// What the program is started with.
    pub fn arguments(self) -> &'static [&'static str] {
        if self == Self::Observe { &["hook", "--observe"] } else { &["hook"] }
    }
}

/// What the entries shall say.
#[derive(Debug, Clone)]
pub struct Wiring {
    /// The program as the client shall start it: an absolute path, or a name to be found on its `PATH`. Its
    /// base name must be one that [`is_own_program`] knows.
    pub command: String,
    /// How much it may do.
    pub profile: Profile,
}

impl Wiring {
    /// The entry of one event, in the form that the client starts without a shell.
    fn entry(&self, event: &str) -> Vec<(&'static str, Json)> {
        let mut entry = vec![
            ("type", Json::text("command")),
            ("command", Json::text(&self.command)),
            ("args", Json::List(self.profile.arguments().iter().copied().map(Json::text).collect())),
            ("timeout", Json::Number(TIMEOUT_SECONDS)),
        ];
        if self.profile == Profile::Strict && event == GUARD {
            entry.push(("onFailure", Json::text("block")));
        }
        entry
    }

    fn group(&self, event: &HookEvent) -> Json {
        group(event, self.entry(event.name))
    }

    fn hooks(&self) -> Json {
        hooks(|event| self.group(event))
    }
}

fn group(event: &HookEvent, entry: Vec<(&'static str, Json)>) -> Json {
    let matcher = event.matcher.map(|matcher| ("matcher", Json::text(matcher)));
    let hooks = ("hooks", Json::List(vec![Json::Object(entry)]));
    Json::Object(matcher.into_iter().chain([hooks]).collect())
}

fn hooks(group: impl Fn(&HookEvent) -> Json) -> Json {
    Json::Object(EVENTS.iter().map(|event| (event.name, Json::List(vec![group(event)]))).collect())
}

/// Why a settings file is left as it is.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct Refusal {
    /// The line, counted from one.
    pub line: usize,
    /// The column in characters, counted from one.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl Refusal {
    fn at(text: &str, place: usize, message: impl Into<String>, help: impl Into<String>) -> Self {
        let before = &text[..place];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
            help: help.into(),
        }
    }
}

/// What of turnstop stands in a settings file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Installed {
    /// The events with an entry of turnstop, in file order.
    pub events: Vec<String>,
    /// The strictest profile an entry asks for; `None` where there is no entry.
    pub profile: Option<Profile>,
    /// The different commands of the entries: programs, or command lines of a shell.
    pub commands: Vec<String>,
    /// Whether an event has more than one entry.
    pub doubled: bool,
    /// Whether the file turns all hooks off.
    pub hooks_disabled: bool,
    /// The file holds what strict JSON does not allow, a comment or a trailing comma: client 2.1.332 then
    /// ignores all of it.
    pub beyond_json: bool,
}

/// Reads what of turnstop stands in a settings file.
///
/// # Errors
/// Returns why the text cannot be read as settings.
pub fn installed(text: &str) -> Result<Installed, Refusal> {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    let file = File::parse(text)?;
    let mut found = Installed {
        beyond_json: serde_json::from_str::<serde::de::IgnoredAny>(text).is_err(),
        hooks_disabled: matches!(member(&file.root, "disableAllHooks"), Some(Value::BooleanLit(flag)) if flag.value),
        ..Installed::default()
    };
    for own in file.own_entries()?.into_iter().filter(|own| !own.is_overridden()) {
        found.profile = found.profile.max(Some(own.profile()));
        let event = own.event_name();
        if found.events.iter().any(|known| known == event) {
            found.doubled = true;
        } else {
            found.events.push(event.to_owned());
        }
        if !found.commands.iter().any(|known| known == own.command()) {
            found.commands.push(own.command().to_owned());
        }
    }
    Ok(found)
}

/// The settings with the entries of turnstop complete, up to date and single. `None` stands for a file that
/// is not there. The same text comes back when there is nothing to do.
///
/// # Errors
/// Returns why the text cannot be read, or not be added to.
pub fn install(text: Option<&str>, wiring: &Wiring) -> Result<String, Refusal> {
    let Some(text) = text else {
        return Ok(snippet(wiring));
    };
    edited(text, |file| next_change(file, wiring)).map(Option::unwrap_or_default)
}

/// The settings without any entry of turnstop, with everything else as it was before the entries came.
/// `None` when nothing is left of a file that [`install`] made.
///
/// # Errors
/// Returns why the text cannot be read.
pub fn uninstall(text: &str) -> Result<Option<String>, Refusal> {
    // Backwards, so that each removal meets the text as the installation of that entry left it.
    edited(text, |file| Ok(file.own_entries()?.last().map_or(Change::Done, |own| file.without(own))))
}

/// Makes changes, one at a time, until there is none to make.
fn edited(text: &str, next: impl Fn(&File<'_>) -> Result<Change, Refusal>) -> Result<Option<String>, Refusal> {
    let (bom, body) = if text.starts_with(BOM) { text.split_at(BOM.len()) } else { ("", text) };
    let mut body = body.to_owned();
    loop {
        match next(&File::parse(&body)?)? {
            Change::Done => return Ok(Some(format!("{bom}{body}"))),
            Change::Splices(splices) => body = spliced(&body, &splices),
            Change::NothingLeft if bom.is_empty() => return Ok(None),
            Change::NothingLeft => return Ok(Some(format!("{bom}{{}}"))),
        }
    }
}

/// The first thing that keeps the file from saying what `wiring` asks for.
fn next_change(file: &File<'_>, wiring: &Wiring) -> Result<Change, Refusal> {
    let Some(hooks) = file.hooks()? else {
        return Ok(file.set_members(&file.root, &[("hooks", wiring.hooks())]));
    };
    for event in EVENTS {
        let Some(position) = position(hooks, event.name) else {
            return Ok(file.set_members(hooks, &[(event.name, Json::List(vec![wiring.group(event)]))]));
        };
        let value = &hooks.properties[position].value;
        let Value::Array(groups) = value else {
            return Err(file.refusal(
                value.start(),
                format!("`hooks.{}` is not an array", event.name),
                "make it an array of `{ \"hooks\": [...] }` groups, or remove it",
            ));
        };
        let own = own_entries_at(hooks, position);
        let Some(first) = own.first() else {
            return Ok(file.append_element(groups, &wiring.group(event)));
        };
        if let Some(change) = file.update(first, event, &wiring.entry(event.name)) {
            return Ok(change);
        }
        if let [_, .., double] = own.as_slice() {
            return Ok(file.without(double));
        }
    }
    let is_registered = |own: &Own<'_, '_>| EVENTS.iter().any(|event| event.name == own.event_name());
    let stale = file.own_entries()?.into_iter().rfind(|own| !is_registered(own) || own.is_overridden());
    Ok(stale.map_or(Change::Done, |own| file.without(&own)))
}

/// A whole settings file with nothing but the entries.
pub fn snippet(wiring: &Wiring) -> String {
    whole_file(&Json::Object(vec![("hooks", wiring.hooks())]))
}

/// The plugin's `hooks/hooks.json`. Its command is a shell shim, because a plugin cannot know where the binary
/// is; quoted, because the plugin's folder may have a space in it.
pub fn plugin_hooks() -> String {
    let entry = vec![
        ("type", Json::text("command")),
        ("command", Json::text("\"${CLAUDE_PLUGIN_ROOT}/hooks/turnstop-hook\"")),
        ("timeout", Json::Number(TIMEOUT_SECONDS)),
    ];
    whole_file(&Json::Object(vec![
        ("description", Json::text(env!("CARGO_PKG_DESCRIPTION"))),
        ("hooks", hooks(|event| group(event, entry.clone()))),
    ]))
}

/// The plugin's `.claude-plugin/plugin.json`.
pub fn plugin_manifest() -> String {
    whole_file(&Json::Object(vec![
        ("name", Json::text(env!("CARGO_PKG_NAME"))),
        ("version", Json::text(env!("CARGO_PKG_VERSION"))),
        ("description", Json::text(env!("CARGO_PKG_DESCRIPTION"))),
        ("author", author()),
        ("license", Json::text(env!("CARGO_PKG_LICENSE"))),
        ("keywords", Json::List(["hooks", "guardrails", "lint", "agents"].map(Json::text).to_vec())),
    ]))
}

/// The `.claude-plugin/marketplace.json` that lets the repository be added as a marketplace of one plugin.
pub fn plugin_marketplace() -> String {
    let plugin = Json::Object(vec![
        ("name", Json::text(env!("CARGO_PKG_NAME"))),
        ("source", Json::text("./")),
        ("description", Json::text(env!("CARGO_PKG_DESCRIPTION"))),
    ]);
    whole_file(&Json::Object(vec![
        ("name", Json::text(env!("CARGO_PKG_NAME"))),
        ("owner", author()),
        ("plugins", Json::List(vec![plugin])),
    ]))
}

fn author() -> Json {
    Json::Object(vec![("name", Json::text("the turnstop authors"))])
}

fn whole_file(value: &Json) -> String {
    format!("{}\n", value.render(Layout::NEW_FILE, ""))
}

#[cfg(test)]
mod tests;
