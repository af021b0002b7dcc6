//! What a script for the client's `exec` tool runs, as far as its text tells: one `tools.exec_command({…})`
//! with its arguments written out, and no other tool.

/// The one command of a script.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Only {
    pub(super) command: String,
    pub(super) workdir: Option<String>,
}

const CALL: &str = "tools.exec_command(";

/// How long a script may be to be looked at, in bytes.
const MAX_SCRIPT: usize = 64 << 10;

/// The command of a script that runs one, and nothing else by way of the client's tools.
pub(super) fn only_command(script: &str) -> Option<Only> {
    if script.len() > MAX_SCRIPT || script.matches("tools").count() != 1 || script.contains("for") || script.contains("while") {
        return None;
    }
    let (_, arguments) = script.split_once(CALL)?;
    let mut rest = arguments.trim_start().strip_prefix('{')?.trim_start();
    let (mut command, mut workdir) = (None, None);
    while !rest.starts_with('}') {
        let (key, after) = key(rest)?;
        let value = after.trim_start().strip_prefix(':')?.trim_start();
        let (text, after) = match literal(value) {
            Some((text, after)) => (Some(text), after),
            None => (None, plain(value)?),
        };
        match (key, text) {
            ("cmd", text) => command = Some(text?),
            ("workdir", text) => workdir = Some(text?),
            _ => {}
        }
        rest = after.trim_start();
        rest = rest.strip_prefix(',').map_or(rest, str::trim_start);
    }
    Some(Only { command: command?, workdir })
}

/// A key, bare or in quotes, and what follows it.
fn key(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''));
    let bare = quote.map_or(text, |_| &text[1..]);
    let end = bare.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|end| *end > 0)?;
    let (key, rest) = bare.split_at(end);
    Some((key, quote.map_or(Some(rest), |quote| rest.strip_prefix(quote))?))
}

/// What follows a number or a word such as `true`.
fn plain(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))).filter(|end| *end > 0)?;
    let rest = &text[end..];
    rest.trim_start().starts_with([',', '}']).then_some(rest)
}

/// A string that is written out, and what follows it; `None` for one that is put together.
fn literal(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\'' | '`'))?;
    let mut characters = text[1..].char_indices();
    let mut value = String::new();
    while let Some((at, c)) = characters.next() {
        match c {
            _ if c == quote => {
                let rest = &text[1 + at + 1..];
                return rest.trim_start().starts_with([',', '}']).then_some((value, rest));
            }
            '$' if quote == '`' && characters.as_str().starts_with('{') => return None,
            '\n' if quote != '`' => return None,
            '\\' => match characters.next()?.1 {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                'r' => value.push('\r'),
                '\n' => {}
                // Of no use in a command, and more than one character long.
                'u' | 'x' | '0'..='9' => return None,
                other => value.push(other),
            },
            _ => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_with_one_command() {
        for (script, command, workdir) in [
            (
                r#"const r = await tools.exec_command({cmd: "npm test", workdir: "/w", yield_time_ms: 1000}); text(r.output)"#,
                "npm test",
                Some("/w"),
            ),
            (r#"text(await tools.exec_command({"cmd":"echo \"a\"\nls"}))"#, "echo \"a\"\nls", None),
            ("tools.exec_command({ cmd: `cd x\nls`, tty: false, })", "cd x\nls", None),
            (r"tools.exec_command({cmd:'it\'s'})", "it's", None),
        ] {
            let found = only_command(script).unwrap_or_else(|| panic!("{script}"));
            assert_eq!((found.command.as_str(), found.workdir.as_deref()), (command, workdir), "{script}");
        }
    }

    #[test]
    fn scripts_that_do_not_tell() {
        for script in [
            "",
            "text('tools')",
            "tools.exec_command({cmd: `rm ${x}`})",
            "tools.exec_command({cmd: 'a' + b})",
            "tools.exec_command({cmd})",
            "tools.exec_command({cmd: 'a', workdir: dir})",
            "tools.exec_command(options)",
            "tools.exec_command({cmd: 'a'}); tools.exec_command({cmd: 'b'})",
            "for (const x of y) tools.exec_command({cmd: 'a'})",
            "tools.exec_command({cmd: 'a",
            "tools.exec_command({cmd: 'é\\",
            "tools.exec_command({",
            "tools.exec_command({é: 1})",
        ] {
            assert_eq!(only_command(script), None, "{script}");
        }
    }
}
