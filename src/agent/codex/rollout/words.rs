//! What the words of a user's message are: the client speaks in a person's name too.

use std::borrow::Cow;

/// What the words of a user's message are.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// A prompt.
    Prompt(String),
    /// A prompt no person wrote: the client takes up the work by itself.
    Notice(String),
    /// A shell command that a person typed.
    Typed {
        /// Its text.
        command: String,
        /// Its exit status, when the client told one.
        status: Option<i32>,
        /// What it printed.
        output: String,
    },
    /// A person stopped the agent.
    Interrupt,
    /// A stop hook made the agent go on.
    StopFeedback,
    /// Bookkeeping of the client's.
    Nothing,
}

/// How bookkeeping begins that bears no tag of its own.
const BOOKKEEPING: &[&str] = &[
    "# AGENTS.md instructions",
    "Another language model started to solve this problem",
    "You have exceeded the maximum number of tokens",
    "Warning: apply_patch was requested via ",
    "Warning: The maximum number of unified exec processes",
    "Warning: Your account was flagged",
    "The following is the Codex agent history",
];

/// Tags around bookkeeping. Any other tag whose name has a `_`, a `-` or a blank is one where it stands around
/// the whole.
const TAGS: &[&str] = &[
    "INSTRUCTIONS",
    "apps_instructions",
    "codex_internal_context",
    "environment_context",
    "environments_instructions",
    "permissions instructions",
    "recommended_plugins",
    "skill",
    "skills_instructions",
    "subagent_notification",
    "user_action",
    "user_instructions",
];

/// Tags around words by which the client takes up the work again.
const NOTICES: &[&str] = &["codex_internal_context", "goal_context", "heartbeat", "scheduled-task"];

/// What stands before a person's words when an editor put its own before them.
const REQUEST: &str = "## My request for Codex:";

/// What the parts of a message are.
pub(super) fn words(parts: &[Cow<'_, str>]) -> Words {
    let mut said = String::new();
    for part in parts {
        let text = part.trim();
        match tag(text) {
            Some("turn_aborted") => return Words::Interrupt,
            Some("user_shell_command") => return typed(text),
            Some("hook_prompt") => return Words::StopFeedback,
            Some(name) if NOTICES.contains(&name) => return Words::Notice(text.to_owned()),
            Some(name) if is_bookkeeping(text, name) => continue,
            // Around a picture.
            Some("image" | "/image") => continue,
            _ => {}
        }
        if text.is_empty() || BOOKKEEPING.iter().any(|start| text.starts_with(start)) {
            continue;
        }
        if !said.is_empty() {
            said.push('\n');
        }
        said.push_str(request(text));
    }
    if said.is_empty() { Words::Nothing } else { Words::Prompt(said) }
}

/// A command that a person typed: `<command>`, and a `<result>` of lines `Exit code: 0`, `Output:` and what was printed.
fn typed(text: &str) -> Words {
    let within = |start: &str, end: &str| text.split_once(start).and_then(|(_, rest)| rest.split_once(end)).map(|(inner, _)| inner.trim());
    let command = within("<command>", "</command>").unwrap_or_default().to_owned();
    let result = text.split_once("</command>").map_or("", |(_, rest)| rest);
    let status = result.lines().find_map(|line| line.strip_prefix("Exit code: ")?.trim().parse().ok());
    let output = result.split_once("Output:").map_or("", |(_, rest)| rest);
    let output = output.rsplit_once("</result>").map_or(output, |(inner, _)| inner).trim().to_owned();
    if command.is_empty() { Words::Nothing } else { Words::Typed { command, status, output } }
}

/// The folder in an `<environment_context>`, in its newer form or its older one.
pub(super) fn folder(parts: &[Cow<'_, str>]) -> Option<String> {
    let context = parts.iter().map(|part| part.trim()).find(|text| tag(text) == Some("environment_context"))?;
    let newer = context.split_once("<cwd>").and_then(|(_, rest)| rest.split_once("</cwd>")).map(|(cwd, _)| cwd);
    let older = || context.lines().find_map(|line| line.trim().strip_prefix("Current working directory: "));
    newer.or_else(older).map(|cwd| cwd.trim().to_owned())
}

/// A person's words, behind those of an editor.
fn request(text: &str) -> &str {
    match text.split_once(REQUEST) {
        Some((before, request)) if before.is_empty() || before.starts_with('#') => request.trim(),
        _ => text,
    }
}

/// The name of the tag that a text begins with.
fn tag(text: &str) -> Option<&str> {
    let (inner, _) = text.strip_prefix('<')?.split_once('>')?;
    let name = inner.split_once('=').map_or(inner, |(before, _)| before.rsplit_once(' ').map_or(before, |(name, _)| name));
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ' | '/');
    (!name.is_empty() && name.len() <= 64 && name.chars().all(is_name)).then(|| name.trim())
}

fn is_bookkeeping(text: &str, name: &str) -> bool {
    let stands_around = || {
        let end = text.strip_suffix('>').and_then(|text| text.strip_suffix(name));
        end.is_some_and(|text| text.ends_with("</"))
    };
    TAGS.contains(&name) || (name.contains(['_', '-', ' ']) && stands_around())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(parts: &[&str]) -> Words {
        words(&parts.iter().map(|part| Cow::Borrowed(*part)).collect::<Vec<_>>())
    }

    #[test]
    fn what_words_are() {
        let prompt = |text: &str| Words::Prompt(text.to_owned());
        for (parts, expected) in [
            (&["fix it"][..], prompt("fix it")),
            (&["<b>fix</b> it"], prompt("<b>fix</b> it")),
            (&["<div class=\"x\">why?</div>"], prompt("<div class=\"x\">why?</div>")),
            (&["see <environment_context>"], prompt("see <environment_context>")),
            (&["x < y and y > z"], prompt("x < y and y > z")),
            (&["<my-app> does not start"], prompt("<my-app> does not start")),
            (&["<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"], Words::Nothing),
            (
                &["# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>", "<environment_context>x</environment_context>"],
                Words::Nothing,
            ),
            (&["<user_instructions>\n\nx\n\n</user_instructions>"], Words::Nothing),
            (&["<some_new_kind a=\"b c\">x</some_new_kind>"], Words::Nothing),
            (&["<permissions instructions>x</permissions instructions>"], Words::Nothing),
            (
                &[
                    "<user_shell_command>\n<command>\nls a\n</command>\n<result>\nExit code: 2\nDuration: 0.1 seconds\nOutput:\nno a\n</result>\n</user_shell_command>",
                ],
                Words::Typed { command: "ls a".into(), status: Some(2), output: "no a".into() },
            ),
            (&["<user_shell_command><command>ls</command>"], Words::Typed { command: "ls".into(), status: None, output: String::new() }),
            (&["<user_shell_command>"], Words::Nothing),
            (&["<turn_aborted>\nThe user interrupted\n</turn_aborted>"], Words::Interrupt),
            (&["<hook_prompt hook_run_id=\"a:1\">tests fail</hook_prompt>"], Words::StopFeedback),
            (
                &["<codex_internal_context source=\"goal\">go on</codex_internal_context>"],
                Words::Notice("<codex_internal_context source=\"goal\">go on</codex_internal_context>".into()),
            ),
            (&["<image name=[Image #1]>", "</image>", "what is this?"], prompt("what is this?")),
            (&["# Context from my IDE setup:\n\n## Open tabs:\n- a\n\n## My request for Codex:\nfix it\n"], prompt("fix it")),
            (&["a", "b"], prompt("a\nb")),
            (&[" \n"], Words::Nothing),
            (&[], Words::Nothing),
        ] {
            assert_eq!(of(parts), expected, "{parts:?}");
        }
    }

    #[test]
    fn folders_of_both_forms() {
        for (text, expected) in [
            ("<environment_context>\n  <cwd>/w/app</cwd>\n</environment_context>", Some("/w/app")),
            ("<environment_context>\n\nCurrent working directory: /w/app\nApproval policy: never\n</environment_context>", Some("/w/app")),
            ("<environment_context></environment_context>", None),
            ("the <cwd>/x</cwd>", None),
        ] {
            assert_eq!(folder(&[Cow::Borrowed("hi"), Cow::Borrowed(text)]).as_deref(), expected, "{text}");
        }
    }
}
