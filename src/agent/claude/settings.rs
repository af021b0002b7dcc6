//! The hook entries of turnstop in a settings file of the client, and in the files made for copying.
//!
//! Everything here is text in, text out; which file that is, and whether it may be written, is for the
//! command line. The client merges all its settings files and runs every entry it finds, so nothing here
//! ever replaces what is there.

mod json;
mod text;

use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use thiserror::Error;

use self::json::{Json, Layout, quoted};
use self::text::{Container, Splice, spliced};
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
    /// Whether the file turns all hooks off.
    pub hooks_disabled: bool,
}

/// Reads what of turnstop stands in a settings file.
///
/// # Errors
/// Returns why the text cannot be read as settings.
pub fn installed(text: &str) -> Result<Installed, Refusal> {
    let file = File::parse(text.strip_prefix(BOM).unwrap_or(text))?;
    let mut found = Installed {
        hooks_disabled: matches!(member(&file.root, "disableAllHooks"), Some(Value::BooleanLit(flag)) if flag.value),
        ..Installed::default()
    };
    for own in file.own_entries()? {
        found.profile = found.profile.max(Some(own.profile()));
        let event = own.event_name();
        if found.events.last().is_none_or(|last| last != event) {
            found.events.push(event.to_owned());
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

enum Change {
    Done,
    Splices(Vec<Splice>),
    NothingLeft,
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
    let stale = file.own_entries()?.into_iter().rfind(|own| EVENTS.iter().all(|event| event.name != own.event_name()));
    Ok(stale.map_or(Change::Done, |own| file.without(&own)))
}

/// A parsed settings file.
struct File<'t> {
    text: &'t str,
    root: Object<'t>,
}

/// The way from the root to one entry of turnstop.
struct Own<'f, 't> {
    hooks: &'f Object<'t>,
    event: usize,
    groups: &'f Array<'t>,
    group: usize,
    entries: &'f Array<'t>,
    entry: usize,
    node: &'f Object<'t>,
}

impl<'f, 't> Own<'f, 't> {
    fn event_name(&self) -> &'f str {
        self.hooks.properties[self.event].name.as_str()
    }

    fn group_node(&self) -> Option<&'f Object<'t>> {
        self.groups.elements[self.group].as_object()
    }

    fn profile(&self) -> Profile {
        let observes = match member(self.node, "args") {
            Some(Value::Array(arguments)) => string_items(arguments).any(|argument| argument == "--observe"),
            _ => string_member(self.node, "command").is_some_and(|command| command.contains(" --observe")),
        };
        match string_member(self.node, "onFailure") {
            _ if observes => Profile::Observe,
            Some("block") => Profile::Strict,
            _ => Profile::Standard,
        }
    }
}

impl<'t> File<'t> {
    fn parse(text: &'t str) -> Result<Self, Refusal> {
        // The client reads JSON; comments and trailing commas are what people and editors add to it.
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| Refusal {
            line: error.line_display(),
            column: error.column_display(),
            message: lower_first(&error.kind().to_string()),
            help: "correct the file there; it was not touched".to_owned(),
        })?;
        match parsed.value {
            Some(Value::Object(root)) => Ok(Self { text, root }),
            Some(other) => Err(Refusal::at(
                text,
                other.start(),
                "the settings are not an object",
                "make the file one `{ ... }` object; it was not touched",
            )),
            None => Err(Refusal::at(
                text,
                0,
                "the file holds no settings",
                "write `{}` into it or delete it, then run this again; it was not touched",
            )),
        }
    }

    fn refusal(&self, place: usize, message: impl Into<String>, help: &str) -> Refusal {
        Refusal::at(self.text, place, message, format!("{help}; the file was not touched"))
    }

    fn hooks(&self) -> Result<Option<&Object<'t>>, Refusal> {
        match member(&self.root, "hooks") {
            None => Ok(None),
            Some(Value::Object(hooks)) => Ok(Some(hooks)),
            Some(other) => Err(self.refusal(other.start(), "`hooks` is not an object", "make it an object, or remove it")),
        }
    }

    fn own_entries(&self) -> Result<Vec<Own<'_, 't>>, Refusal> {
        let Some(hooks) = self.hooks()? else {
            return Ok(Vec::new());
        };
        Ok((0..hooks.properties.len()).flat_map(|event| own_entries_at(hooks, event)).collect())
    }

    fn layout(&self) -> Layout<'t> {
        Container::object(self.text, &self.root).layout()
    }

    /// Gives members their values, where they stand or behind the last one.
    fn set_members(&self, object: &Object<'_>, members: &[(&'static str, Json)]) -> Change {
        let (container, layout) = (Container::object(self.text, object), self.layout());
        let (mut splices, mut added) = (Vec::new(), Vec::new());
        for (key, value) in members {
            let text = value.render(layout, container.item_indent());
            match member(object, key) {
                Some(found) if value.says(found) => {}
                Some(found) => splices.push(Splice::replace(found.start()..found.end(), text)),
                None => added.push(format!("{}: {text}", quoted(key))),
            }
        }
        splices.sort_by_key(Splice::start);
        if !added.is_empty() {
            splices.extend(container.append(layout, &added));
        }
        Change::Splices(splices)
    }

    fn remove_member(&self, object: &Object<'_>, key: &str) -> Option<Change> {
        position(object, key).map(|position| Change::Splices(Container::object(self.text, object).remove(position)))
    }

    fn append_element(&self, array: &Array<'_>, value: &Json) -> Change {
        let (container, layout) = (Container::array(self.text, array), self.layout());
        Change::Splices(container.append(layout, &[value.render(layout, container.item_indent())]))
    }

    /// The first step that brings an entry and its group to what they shall say.
    fn update(&self, own: &Own<'_, 't>, event: &HookEvent, entry: &[(&'static str, Json)]) -> Option<Change> {
        let group = own.group_node()?;
        let wanted = event.matcher.map(Json::text);
        let fits = match (&wanted, member(group, "matcher")) {
            (Some(wanted), Some(found)) => wanted.says(found),
            (None, Some(found)) => matches!(found, Value::StringLit(text) if matches!(&*text.value, "" | "*")),
            (wanted, None) => wanted.is_none(),
        };
        if !fits && own.entries.elements.len() > 1 {
            // The group belongs to others as well; turnstop gets one of its own in the next step.
            return Some(self.without(own));
        }
        if !fits {
            return match wanted {
                Some(wanted) => Some(self.set_members(group, &[("matcher", wanted)])),
                None => self.remove_member(group, "matcher"),
            };
        }
        let says = |(key, wanted): &(&str, Json)| member(own.node, key).is_some_and(|found| wanted.says(found));
        if !entry.iter().all(says) {
            return Some(self.set_members(own.node, entry));
        }
        let blocks = string_member(own.node, "onFailure") == Some("block");
        let may_block = entry.iter().any(|(key, _)| *key == "onFailure");
        if blocks && !may_block { self.remove_member(own.node, "onFailure") } else { None }
    }

    /// Takes out an entry, and every container around it that turnstop made and that it leaves empty.
    fn without(&self, own: &Own<'_, 't>) -> Change {
        if own.entries.elements.len() > 1 {
            return Change::Splices(Container::array(self.text, own.entries).remove(own.entry));
        }
        let groups = Container::array(self.text, own.groups);
        if !groups.is_ours_but_for(own.group) {
            return Change::Splices(groups.remove(own.group));
        }
        let hooks = Container::object(self.text, own.hooks);
        if !hooks.is_ours_but_for(own.event) {
            return Change::Splices(hooks.remove(own.event));
        }
        let root = Container::object(self.text, &self.root);
        let position = position(&self.root, "hooks");
        match position {
            Some(position) if root.is_whole_text() && root.is_ours_but_for(position) => Change::NothingLeft,
            Some(position) => Change::Splices(root.remove(position)),
            None => Change::Done,
        }
    }
}

fn own_entries_at<'f, 't>(hooks: &'f Object<'t>, event: usize) -> Vec<Own<'f, 't>> {
    let mut found = Vec::new();
    let Value::Array(groups) = &hooks.properties[event].value else {
        return found;
    };
    for (group, node) in groups.elements.iter().enumerate() {
        let Some(Value::Array(entries)) = node.as_object().and_then(|node| member(node, "hooks")) else {
            continue;
        };
        for (entry, node) in entries.elements.iter().enumerate() {
            if let Some(node) = node.as_object().filter(|node| is_own_entry(node)) {
                found.push(Own { hooks, event, groups, group, entries, entry, node });
            }
        }
    }
    found
}

fn is_own_entry(entry: &Object<'_>) -> bool {
    let Some(command) = string_member(entry, "command") else {
        return false;
    };
    match member(entry, "args") {
        None => is_own_command_line(command),
        Some(Value::Array(arguments)) => is_own_program(command) && string_items(arguments).next() == Some("hook"),
        Some(_) => false,
    }
}

/// Whether a program is turnstop by its base name, with either kind of separator before it.
pub fn is_own_program(program: &str) -> bool {
    matches!(program.rsplit(['/', '\\']).next(), Some("turnstop" | "turnstop.exe"))
}

/// Whether a shell command line runs `turnstop hook` and nothing else: `"/a b/turnstop" hook --observe`, also
/// with its failure ignored (`2>/dev/null || true`).
fn is_own_command_line(line: &str) -> bool {
    let line = line.trim();
    let (program, rest) = match line.chars().next() {
        Some(quote @ ('"' | '\'')) => line[1..].split_once(quote).unwrap_or((line, "")),
        _ => line.split_at(line.find(char::is_whitespace).unwrap_or(line.len())),
    };
    let mut words = rest.split_whitespace();
    is_own_program(program)
        && rest.starts_with(char::is_whitespace)
        && words.next() == Some("hook")
        && words.all(|word| {
            matches!(word, "||" | "2>/dev/null") || word.chars().all(|next| next.is_ascii_alphanumeric() || "-_=./,:".contains(next))
        })
}

/// Where the value stands that counts for a key: the last one, as in the client.
fn position(object: &Object<'_>, key: &str) -> Option<usize> {
    object.properties.iter().rposition(|property| property.name.as_str() == key)
}

fn member<'f, 't>(object: &'f Object<'t>, key: &str) -> Option<&'f Value<'t>> {
    position(object, key).map(|position| &object.properties[position].value)
}

fn string_member<'f>(object: &'f Object<'_>, key: &str) -> Option<&'f str> {
    member(object, key)?.as_string_lit().map(|text| &*text.value)
}

fn string_items<'f>(array: &'f Array<'_>) -> impl Iterator<Item = &'f str> {
    array.elements.iter().map_while(|item| item.as_string_lit().map(|text| &*text.value))
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// A whole settings file with nothing but the entries.
pub fn snippet(wiring: &Wiring) -> String {
    file(&Json::Object(vec![("hooks", wiring.hooks())]))
}

/// The plugin's `hooks/hooks.json`. Its command is a shell shim, because a plugin cannot know where the binary
/// is; quoted, because the plugin's folder may have a space in it.
pub fn plugin_hooks() -> String {
    let entry = vec![
        ("type", Json::text("command")),
        ("command", Json::text("\"${CLAUDE_PLUGIN_ROOT}/hooks/turnstop-hook\"")),
        ("timeout", Json::Number(TIMEOUT_SECONDS)),
    ];
    file(&Json::Object(vec![
        ("description", Json::text(env!("CARGO_PKG_DESCRIPTION"))),
        ("hooks", hooks(|event| group(event, entry.clone()))),
    ]))
}

/// The plugin's `.claude-plugin/plugin.json`.
pub fn plugin_manifest() -> String {
    file(&Json::Object(vec![
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
    file(&Json::Object(vec![("name", Json::text(env!("CARGO_PKG_NAME"))), ("owner", author()), ("plugins", Json::List(vec![plugin]))]))
}

fn author() -> Json {
    Json::Object(vec![("name", Json::text("the turnstop authors"))])
}

fn file(value: &Json) -> String {
    format!("{}\n", value.render(Layout::NEW_FILE, ""))
}

#[cfg(test)]
mod tests;
