//! PowerShell: a small tokenizer and the cmdlets that carry files.

use super::gates::Shown;
use super::walk::{Context, Walker};
use super::words::{Part, Word};
use super::{EffectKind, Path, Root, Sink};

/// Walks a PowerShell text from its start.
pub(super) fn walk(walker: &mut Walker, text: &str) {
    let cwd = Path { root: Root::Cwd, text: String::new(), glob: false, folder: false };
    walk_in(walker, text, &cwd, Context::START);
}

/// Walks a PowerShell text in a directory.
pub(super) fn walk_in(walker: &mut Walker, text: &str, cwd: &Path, context: Context) {
    let mut shell = Shell { cwd: cwd.clone(), vars: Vec::new() };
    let statements = statements(text);
    let count = statements.len();
    for (index, statement) in statements.iter().enumerate() {
        let exits = statements.get(index + 1).is_some_and(|next| exits_with_status(next));
        let inner = Context { visible: context.visible && (index + 1 == count || exits), ..context };
        shell.statement(walker, statement, inner);
    }
}

struct Shell {
    cwd: Path,
    vars: Vec<(String, Word)>,
}

/// A word as it is written, or an operator.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Pipe,
    /// `>` or `>>` of a stream that holds output.
    Redirect {
        append: bool,
        output: bool,
    },
}

/// Splits into statements of pipelines: at `;`, newline, `&&`, `||` and braces, outside quotes, here-strings,
/// comments and parentheses.
fn statements(text: &str) -> Vec<Vec<Token>> {
    let bytes = text.as_bytes();
    let mut done = Vec::new();
    let mut statement: Vec<Token> = Vec::new();
    let mut word = String::new();
    let mut at = 0;
    let mut depth = 0_usize;
    let end_word = |word: &mut String, statement: &mut Vec<Token>| {
        if !word.is_empty() {
            statement.push(Token::Word(std::mem::take(word)));
        }
    };
    while let Some(&byte) = bytes.get(at) {
        let rest = &text[at..];
        let mut width = 1;
        match byte {
            b'#' if word.is_empty() => {
                width = rest.find('\n').unwrap_or(rest.len());
            }
            b'<' if rest.starts_with("<#") => width = rest.find("#>").map_or(rest.len(), |end| end + 2),
            b'@' if rest.starts_with("@'") || rest.starts_with("@\"") => {
                let close = if bytes[at + 1] == b'\'' { "\n'@" } else { "\n\"@" };
                width = rest.find(close).map_or(rest.len(), |end| end + 3);
                word.push_str("'(text)'");
            }
            b'\'' | b'"' => {
                let escaped = byte == b'"';
                let mut end = at + 1;
                while let Some(&inner) = bytes.get(end) {
                    if inner == b'`' && escaped {
                        end += 1;
                    } else if inner == byte {
                        break;
                    }
                    end += 1;
                }
                let mut end = (end + 1).min(text.len());
                while !text.is_char_boundary(end) {
                    end += 1;
                }
                word.push_str(&text[at..end]);
                width = end - at;
            }
            b'`' if rest.starts_with("`\n") => width = 2,
            b'`' if rest.starts_with("`\r\n") => width = 3,
            b'(' => {
                depth += 1;
                word.push('(');
            }
            b')' => {
                depth = depth.saturating_sub(1);
                word.push(')');
            }
            _ if depth > 0 => {
                width = rest.chars().next().map_or(1, char::len_utf8);
                word.push_str(&rest[..width]);
            }
            b' ' | b'\t' | b'\r' => end_word(&mut word, &mut statement),
            b'\n' | b';' | b'{' | b'}' => {
                end_word(&mut word, &mut statement);
                if statement.last() != Some(&Token::Pipe) && !statement.is_empty() {
                    done.push(std::mem::take(&mut statement));
                }
            }
            b'&' | b'|' if rest.starts_with("&&") || rest.starts_with("||") => {
                width = 2;
                end_word(&mut word, &mut statement);
                if !statement.is_empty() {
                    done.push(std::mem::take(&mut statement));
                }
            }
            b'|' => {
                end_word(&mut word, &mut statement);
                statement.push(Token::Pipe);
            }
            b'>' => {
                let stream = std::mem::take(&mut word);
                let numbered = stream.len() == 1 && (stream == "*" || stream.as_bytes()[0].is_ascii_digit());
                if !numbered {
                    word.clone_from(&stream);
                    end_word(&mut word, &mut statement);
                }
                let append = rest.starts_with(">>");
                width = 1 + usize::from(append);
                if rest[width..].starts_with('&') {
                    width += 1 + rest[width + 1..].bytes().take_while(u8::is_ascii_digit).count();
                } else {
                    statement.push(Token::Redirect { append, output: !numbered || stream == "1" || stream == "*" });
                }
            }
            _ => {
                width = rest.chars().next().map_or(1, char::len_utf8);
                word.push_str(&rest[..width]);
            }
        }
        at += width;
    }
    end_word(&mut word, &mut statement);
    if !statement.is_empty() {
        done.push(statement);
    }
    done
}

/// `exit $LASTEXITCODE`
fn exits_with_status(statement: &[Token]) -> bool {
    matches!(statement, [Token::Word(exit), Token::Word(status)]
        if exit.eq_ignore_ascii_case("exit") && status.eq_ignore_ascii_case("$lastexitcode"))
}

/// What a cmdlet or its alias stands for.
fn cmdlet(name: &str) -> &str {
    match name {
        "cp" | "copy" | "cpi" => "copy-item",
        "mv" | "move" | "mi" | "ren" | "rni" | "rename-item" => "move-item",
        "rm" | "del" | "erase" | "ri" | "rd" | "rmdir" => "remove-item",
        "cat" | "gc" | "type" => "get-content",
        "sc" => "set-content",
        "ac" => "add-content",
        "tee" => "tee-object",
        "cd" | "sl" | "chdir" => "set-location",
        "echo" | "write" => "write-output",
        "sls" => "select-string",
        "iex" => "invoke-expression",
        "iwr" | "curl" | "wget" => "invoke-webrequest",
        "irm" => "invoke-restmethod",
        "ni" => "new-item",
        other => other,
    }
}

impl Shell {
    fn statement(&mut self, walker: &mut Walker, tokens: &[Token], context: Context) {
        // `$name = value`
        if let [Token::Word(name), Token::Word(equals), value @ ..] = tokens
            && equals == "="
            && let Some(name) = name.strip_prefix('$')
        {
            let value_word = match value {
                [Token::Word(only)] => self.word(only),
                [Token::Word(join), Token::Word(base), Token::Word(rest)] if join.eq_ignore_ascii_case("join-path") => {
                    self.joined(base, rest)
                }
                _ => {
                    self.pipeline(walker, value, context);
                    Word::unknown()
                }
            };
            let name = name.to_ascii_lowercase();
            self.vars.retain(|(known, _)| *known != name);
            self.vars.push((name, value_word));
            return;
        }
        self.pipeline(walker, tokens, context);
    }

    fn pipeline(&mut self, walker: &mut Walker, tokens: &[Token], context: Context) {
        let stages: Vec<&[Token]> = tokens.split(|token| *token == Token::Pipe).collect();
        let targets = stages.iter().rev().fold(Vec::new(), |mut done: Vec<Vec<Sink>>, stage| {
            let behind = done.last().cloned().unwrap_or_else(|| vec![Sink::Look]);
            done.push(self.intake(stage, behind));
            done
        });
        for (index, stage) in stages.iter().enumerate() {
            let behind = targets.len().checked_sub(index + 2).map_or_else(|| vec![Sink::Look], |at| targets[at].clone());
            let seen = index + 1 == stages.len();
            let shown = stages[index + 1..].iter().fold(context.shown, |shown, stage| shown.min(self.lets_through(stage)));
            self.stage(walker, stage, &behind, Context { visible: context.visible && seen, shown, ..context });
        }
    }

    /// How much of what is piped into a stage is seen.
    fn lets_through(&self, stage: &[Token]) -> Shown {
        let call = self.call(stage);
        match call.name.as_str() {
            _ if call.discards || call.outputs.iter().any(|(.., output)| *output) => Shown::Nothing,
            "out-null" | "out-file" | "set-content" | "add-content" => Shown::Nothing,
            "tee-object" | "out-host" | "out-string" | "out-default" | "write-host" => Shown::Whole,
            _ => Shown::Part,
        }
    }

    /// What a stage does with what is piped into it.
    fn intake(&self, stage: &[Token], behind: Vec<Sink>) -> Vec<Sink> {
        let call = self.call(stage);
        if let Some((path, ..)) = call.outputs.first() {
            return vec![Sink::Into(path.clone())];
        }
        match call.name.as_str() {
            "set-content" | "add-content" | "out-file" => {
                call.path(&["path", "filepath", "literalpath"], 0, &self.cwd).map_or(behind, |path| vec![Sink::Into(path)])
            }
            "tee-object" => {
                let mut sinks = behind;
                sinks.extend(call.path(&["filepath", "path", "literalpath"], 0, &self.cwd).map(Sink::Into));
                sinks
            }
            "invoke-expression" => vec![Sink::Run],
            "git" => vec![Sink::Apply],
            name if name.contains('-') => behind,
            _ => vec![Sink::Argument],
        }
    }

    fn stage(&mut self, walker: &mut Walker, stage: &[Token], behind: &[Sink], context: Context) {
        let call = self.call(stage);
        if call.name.is_empty() && call.outputs.is_empty() {
            return;
        }
        let away = call.discards || call.outputs.iter().any(|(.., output)| *output);
        let context = Context { shown: if away { Shown::Nothing } else { context.shown }, ..context };
        let inner = call.unwrapped();
        let context = Context { remote: context.remote || inner.remote, ..context };
        let (name, args) = inner.words.split_first().map_or(("", &[] as &[Word]), |(name, args)| (name.text().unwrap_or(""), args));
        let index = walker.command(super::wrappers::base_name(name), args, &self.cwd, context);
        let out: Vec<Sink> =
            call.outputs.iter().rfind(|(.., output)| *output).map_or_else(|| behind.to_vec(), |(path, ..)| vec![Sink::Into(path.clone())]);
        walker.keeps_output(index, &out);
        let cwd = self.cwd.clone();
        let first = call.path(&["path", "literalpath", "filepath"], 0, &cwd);
        match call.name.as_str() {
            "get-content" | "select-string" | "import-csv" | "import-clixml" => {
                let at = usize::from(call.name == "select-string" && !call.has("pattern"));
                if let Some(path) = call.path(&["path", "literalpath"], at, &cwd) {
                    walker.read(&path, &out, index, context);
                }
            }
            "set-content" | "out-file" | "export-csv" | "export-clixml" | "tee-object" => {
                if let Some(path) = first {
                    walker.write(path, !call.has("append"), None, index, context);
                }
            }
            "add-content" => {
                if let Some(path) = first {
                    walker.write(path, false, None, index, context);
                }
            }
            "new-item" => {
                if let Some(path) = first.filter(|_| call.has("value")) {
                    walker.write(path, true, None, index, context);
                }
            }
            "copy-item" | "move-item" => {
                let to = call.path(&["destination", "newname"], usize::from(!call.has("path") && !call.has("literalpath")), &cwd);
                if let (Some(from), Some(to)) = (first, to) {
                    let to = if to.is_folder() { super::copies::beneath(&to, &from) } else { to };
                    walker.read(&from, &[Sink::Into(to.clone())], index, context);
                    walker.write(to, true, Some(from.clone()), index, context);
                    if call.name == "move-item" {
                        walker.effect(EffectKind::Remove { path: from }, index, context);
                    }
                }
            }
            "remove-item" => {
                if let Some(path) = first {
                    walker.effect(EffectKind::Remove { path }, index, context);
                }
            }
            "invoke-webrequest" | "invoke-restmethod" => {
                if let Some(path) = call.path(&["outfile"], usize::MAX, &cwd) {
                    walker.write(path, true, None, index, context);
                }
            }
            "set-location" | "push-location" => {
                if let Some(path) = first {
                    self.cwd = path.clone();
                    walker.effect(EffectKind::ChangeDir { path }, index, context);
                }
            }
            name if !name.contains('-') => {
                let args: Vec<Word> = call.args.clone();
                let io = super::programs::analyze(name, &args, &cwd);
                for (path, flow) in &io.reads {
                    let sinks = match flow {
                        super::programs::Flow::To(sink) => vec![sink.clone()],
                        _ => out.clone(),
                    };
                    walker.read(path, &sinks, index, context);
                }
                for written in io.writes {
                    walker.write(written.path, written.whole, written.copy_of, index, context);
                }
                if let Some((dir, action)) = io.git {
                    walker.effect(EffectKind::Git { dir, action }, index, context);
                }
            }
            _ => {}
        }
        for (path, append, _) in &call.outputs {
            walker.write(path.clone(), !append, None, index, context);
        }
    }

    fn call(&self, stage: &[Token]) -> Call {
        let mut call = Call::default();
        let mut words = Vec::new();
        let mut tokens = stage.iter();
        while let Some(token) = tokens.next() {
            match token {
                Token::Word(word) if word == "&" || (word == "." && words.is_empty()) => {}
                Token::Word(word) => words.push(word),
                Token::Redirect { append, output } => {
                    if let Some(Token::Word(target)) = tokens.next() {
                        let path = self.word(target).path(&self.cwd);
                        // `$null` is PowerShell's way to throw output away.
                        if target.eq_ignore_ascii_case("$null") {
                            call.discards |= output;
                        } else {
                            call.outputs.push((path, *append, *output));
                        }
                    }
                }
                Token::Pipe => {}
            }
        }
        let mut words = words.into_iter();
        let Some(first) = words.next() else { return call };
        // A string that nothing calls is data, piped on.
        if first.starts_with(['\'', '"', '@']) && stage.first() == Some(&Token::Word(first.clone())) {
            return call;
        }
        let typed = self.word(first);
        let base = typed.text().map(super::wrappers::base_name).unwrap_or_default();
        base.clone_into(&mut call.typed);
        cmdlet(&base.to_ascii_lowercase()).clone_into(&mut call.name);
        let mut words = words.peekable();
        while let Some(raw) = words.next() {
            let word = self.word(raw);
            call.args.push(word.clone());
            if call.name.contains('-')
                && let Some(option) = raw.strip_prefix('-').filter(|option| option.starts_with(|c: char| c.is_ascii_alphabetic()))
            {
                let option = option.trim_end_matches(':').to_ascii_lowercase();
                let switch = matches!(
                    option.as_str(),
                    "force"
                        | "recurse"
                        | "append"
                        | "nonewline"
                        | "raw"
                        | "passthru"
                        | "noclobber"
                        | "whatif"
                        | "verbose"
                        | "quiet"
                        | "asbytestream"
                        | "usebasicparsing"
                        | "notypeinformation"
                        | "container"
                );
                let value = if switch { None } else { words.next().map(|raw| self.word(raw)) };
                call.args.extend(value.clone());
                call.options.push((option, value));
            } else {
                call.operands.push(word);
            }
        }
        call
    }

    /// `Join-Path base rest`
    fn joined(&self, base: &str, rest: &str) -> Word {
        let mut joined = self.word(base);
        joined.append(&Word::text_of("/"));
        joined.append(&self.word(rest));
        joined
    }

    /// Expands a word: quotes, the known variables, `Join-Path`.
    fn word(&self, raw: &str) -> Word {
        let raw = raw.trim_end_matches(',');
        if let Some(inner) = raw.strip_prefix('(').and_then(|raw| raw.strip_suffix(')')) {
            let parts: Vec<&str> = inner.split_whitespace().collect();
            if let [join, base, rest] = parts.as_slice()
                && join.eq_ignore_ascii_case("join-path")
            {
                return self.joined(base, rest);
            }
            return Word::unknown();
        }
        let single = raw.len() >= 2 && raw.starts_with('\'') && raw.ends_with('\'');
        let double = raw.len() >= 2 && raw.starts_with('"') && raw.ends_with('"');
        let inner = if single || double { &raw[1..raw.len() - 1] } else { raw };
        if single {
            return Word::text_of(inner.replace('\\', "/"));
        }
        let mut word = Word::default();
        let mut rest = inner;
        while let Some(at) = rest.find('$') {
            word.append(&Word::text_of(rest[..at].replace('\\', "/")));
            let name_length = rest[at + 1..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':')).count();
            let name = rest[at + 1..at + 1 + name_length].to_ascii_lowercase();
            let place = match name.as_str() {
                "env:temp" | "env:tmp" | "env:tmpdir" => Some(Root::TempDir),
                "home" | "env:home" | "env:userprofile" => Some(Root::Home),
                "env:claude_project_dir" => Some(Root::Project),
                "pwd" => Some(Root::Cwd),
                _ => None,
            };
            word.append(&match (place, self.vars.iter().find(|(known, _)| *known == name)) {
                (Some(root), _) => Word::from_part(Part::Place(Path { root, text: String::new(), glob: false, folder: false })),
                (None, Some((_, value))) => value.clone(),
                (None, None) => Word::unknown(),
            });
            rest = &rest[at + 1 + name_length..];
        }
        word.append(&Word::text_of(rest.replace('\\', "/")));
        word.glob = !double && inner.contains(['*', '?']);
        // `~/x` and `~\x`
        match word.text().and_then(|text| text.strip_prefix("~/")) {
            Some(below) => {
                let mut home = Word::from_part(Part::Place(Path { root: Root::Home, text: String::new(), glob: false, folder: false }));
                home.append(&Word::text_of(format!("/{below}")));
                home
            }
            None => word,
        }
    }
}

/// A cmdlet with its arguments told apart.
#[derive(Debug, Default)]
struct Call {
    typed: String,
    name: String,
    args: Vec<Word>,
    operands: Vec<Word>,
    options: Vec<(String, Option<Word>)>,
    /// Path, appended to, holds the output.
    outputs: Vec<(Path, bool, bool)>,
    /// Its output is thrown away.
    discards: bool,
}

impl Call {
    /// The program inside its wrappers; a shell's text is not gone into.
    fn unwrapped(&self) -> super::wrappers::Unwrapped {
        let mut words = vec![Word::text_of(self.typed.as_str())];
        words.extend(self.args.iter().cloned());
        let inner = if self.name.contains('-') { super::wrappers::Unwrapped::default() } else { super::wrappers::unwrap(words.clone()) };
        if inner.words.is_empty() || inner.text.is_some() { super::wrappers::Unwrapped { words, ..inner } } else { inner }
    }

    fn has(&self, option: &str) -> bool {
        self.options.iter().any(|(name, _)| name == option)
    }

    /// A named path, or the operand at `at`.
    fn path(&self, options: &[&str], at: usize, cwd: &Path) -> Option<Path> {
        let given = self.options.iter().find(|(name, _)| options.contains(&name.as_str())).and_then(|(_, value)| value.as_ref());
        given.or_else(|| self.operands.get(at)).map(|word| word.path(cwd))
    }
}
