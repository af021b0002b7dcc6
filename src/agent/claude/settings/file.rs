//! One settings file, parsed: where entries of turnstop stand in it, and the single changes that add one, bring
//! it up to date or take it out.

use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::json::{Json, Layout, quoted};
use super::text::{Container, Splice};
use super::{Profile, Refusal};
use crate::agent::claude::events::HookEvent;

/// One step of an edit.
pub(super) enum Change {
    /// There is none to make.
    Done,
    /// These places become other text.
    Splices(Vec<Splice>),
    /// The file was turnstop's and is empty now.
    NothingLeft,
}

/// A parsed settings file.
pub(super) struct File<'t> {
    text: &'t str,
    pub(super) root: Object<'t>,
}

/// The way from the root to one entry of turnstop.
pub(super) struct Own<'f, 't> {
    hooks: &'f Object<'t>,
    event: usize,
    groups: &'f Array<'t>,
    group: usize,
    entries: &'f Array<'t>,
    entry: usize,
    node: &'f Object<'t>,
}

impl<'f, 't> Own<'f, 't> {
    pub(super) fn event_name(&self) -> &'f str {
        self.hooks.properties[self.event].name.as_str()
    }

    /// Another member of the same name stands behind it, and counts in its place.
    pub(super) fn is_overridden(&self) -> bool {
        position(self.hooks, self.event_name()) != Some(self.event)
    }

    fn group_node(&self) -> Option<&'f Object<'t>> {
        self.groups.elements[self.group].as_object()
    }

    /// The command as it stands there: a program, or a shell's command line.
    pub(super) fn command(&self) -> &'f str {
        string_member(self.node, "command").unwrap_or_default()
    }

    pub(super) fn profile(&self) -> Profile {
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
    pub(super) fn parse(text: &'t str) -> Result<Self, Refusal> {
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
        let parsed = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| {
            let message = lower_first(&error.kind().to_string());
            Refusal::at(text, error.range().start, message, "correct the file there; it was not touched")
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

    pub(super) fn refusal(&self, place: usize, message: impl Into<String>, help: &str) -> Refusal {
        Refusal::at(self.text, place, message, format!("{help}; the file was not touched"))
    }

    pub(super) fn hooks(&self) -> Result<Option<&Object<'t>>, Refusal> {
        match member(&self.root, "hooks") {
            None => Ok(None),
            Some(Value::Object(hooks)) => Ok(Some(hooks)),
            Some(other) => Err(self.refusal(other.start(), "`hooks` is not an object", "make it an object, or remove it")),
        }
    }

    pub(super) fn own_entries(&self) -> Result<Vec<Own<'_, 't>>, Refusal> {
        let Some(hooks) = self.hooks()? else {
            return Ok(Vec::new());
        };
        Ok((0..hooks.properties.len()).flat_map(|event| own_entries_at(hooks, event)).collect())
    }

    fn layout(&self) -> Layout<'t> {
        Container::object(self.text, &self.root).layout()
    }

    /// Gives members their values, where they stand or behind the last one.
    pub(super) fn set_members(&self, object: &Object<'_>, members: &[(&'static str, Json)]) -> Change {
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

    pub(super) fn append_element(&self, array: &Array<'_>, value: &Json) -> Change {
        let (container, layout) = (Container::array(self.text, array), self.layout());
        Change::Splices(container.append(layout, &[value.render(layout, container.item_indent())]))
    }

    /// The first step that brings an entry and its group to what they shall say.
    pub(super) fn update(&self, own: &Own<'_, 't>, event: &HookEvent, entry: &[(&'static str, Json)]) -> Option<Change> {
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
    pub(super) fn without(&self, own: &Own<'_, 't>) -> Change {
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

pub(super) fn own_entries_at<'f, 't>(hooks: &'f Object<'t>, event: usize) -> Vec<Own<'f, 't>> {
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
pub(super) fn is_own_command_line(line: &str) -> bool {
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
pub(super) fn position(object: &Object<'_>, key: &str) -> Option<usize> {
    object.properties.iter().rposition(|property| property.name.as_str() == key)
}

pub(super) fn member<'f, 't>(object: &'f Object<'t>, key: &str) -> Option<&'f Value<'t>> {
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
