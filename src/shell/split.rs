//! The splitter of last resort: quote-aware, flat, linear, and content with any text.
//!
//! It gives simple commands in the order they are written, with their pipes, redirects and heredocs; what
//! groups, loops and conditions mean is lost.

use brush_parser::ast;

use super::scan::{Heredoc, end_of, end_of_single};

/// No more of a text is looked at, in bytes.
const MAX_LENGTH: usize = 256 * 1024;
/// Heredocs of one line beyond this are not told apart.
const MAX_HEREDOCS: usize = 8;

/// Splits `text` into a list of simple commands.
pub(super) fn split(text: &str) -> ast::CompoundList {
    let mut end = text.len().min(MAX_LENGTH);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut splitter = Splitter { text: &text[..end], at: 0, ..Splitter::default() };
    splitter.run();
    ast::CompoundList(splitter.items)
}

#[derive(Default)]
struct Splitter<'a> {
    text: &'a str,
    at: usize,
    items: Vec<ast::CompoundListItem>,
    chain: Vec<(bool, ast::Pipeline)>,
    pipe: Vec<ast::Command>,
    command: Vec<ast::CommandPrefixOrSuffixItem>,
    word: Option<String>,
    redirect: Option<(Option<i32>, &'static str)>,
    heredocs: Vec<(usize, Option<i32>, Heredoc<'a>)>,
    /// The `||` or `&&` before the pipeline being read.
    joined_by_or: bool,
}

impl Splitter<'_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            let start = self.at;
            let rest = &self.text[start..];
            match byte {
                b' ' | b'\t' | b'\r' => {
                    self.end_word();
                    self.at += 1;
                }
                b'#' if self.word.is_none() => {
                    self.at = rest.find('\n').map_or(bytes.len(), |offset| start + offset);
                }
                b'\n' => {
                    self.end_list(false);
                    self.at += 1;
                    self.read_heredocs();
                }
                b'\\' if bytes.get(start + 1) == Some(&b'\n') => self.at += 2,
                b';' | b'(' | b')' => {
                    self.end_list(false);
                    self.at += 1;
                }
                b'&' if rest.starts_with("&&") => {
                    self.end_pipeline(false);
                    self.at += 2;
                }
                b'&' if rest.starts_with("&>") => self.start_redirect(),
                b'&' => {
                    self.end_list(true);
                    self.at += 1;
                }
                b'|' if rest.starts_with("||") => {
                    self.end_pipeline(true);
                    self.at += 2;
                }
                b'|' => {
                    self.end_command();
                    self.at += 1 + usize::from(rest.starts_with("|&"));
                }
                b'<' | b'>' => self.start_redirect(),
                _ => self.take_piece(byte),
            }
        }
        self.end_list(false);
    }

    /// Copies one quoted, nested or plain piece into the word.
    fn take_piece(&mut self, byte: u8) {
        let (text, start) = (self.text, self.at);
        let bytes = text.as_bytes();
        let end = match byte {
            b'\'' => {
                let ansi_c = self.word.as_ref().is_some_and(|word| word.ends_with('$'));
                end_of_single(bytes, start + 1, ansi_c).unwrap_or(bytes.len())
            }
            b'"' | b'`' => end_of(text, start + 1, byte).unwrap_or(bytes.len()),
            b'$' if matches!(bytes.get(start + 1), Some(b'(' | b'{')) => {
                let close = if bytes[start + 1] == b'(' { b')' } else { b'}' };
                end_of(text, start + 2, close).unwrap_or(bytes.len())
            }
            b'\\' => start + 1 + text[start + 1..].chars().next().map_or(0, char::len_utf8),
            _ => start + text[start..].chars().next().map_or(1, char::len_utf8),
        };
        self.word.get_or_insert_default().push_str(&text[start..end]);
        self.at = end;
    }

    fn start_redirect(&mut self) {
        let rest = &self.text[self.at..];
        let operator = ["<<<", "<<", "<>", "<&", "<", "&>>", "&>", ">>", ">|", ">&", ">"]
            .into_iter()
            .find(|operator| rest.starts_with(operator))
            .unwrap_or("<");
        let is_number = |word: &&String| !operator.starts_with('&') && word.len() < 5 && word.bytes().all(|byte| byte.is_ascii_digit());
        let number = self.word.as_ref().filter(is_number).and_then(|word| word.parse().ok());
        if number.is_some() {
            self.word = None;
        }
        self.end_word();
        self.at += operator.len();
        if operator == "<<" {
            if self.heredocs.len() < MAX_HEREDOCS
                && let Some((heredoc, end)) = Heredoc::opened_at(self.text, self.at)
            {
                self.heredocs.push((self.command.len(), number, heredoc));
                // Its place is kept, for the body comes later.
                self.command.push(here_document(number, "", "", false));
                self.at = end;
            }
            return;
        }
        self.redirect = Some((number, operator));
    }

    fn end_word(&mut self) {
        use ast::{IoFileRedirectKind as Kind, IoFileRedirectTarget as Target, IoRedirect};
        let Some(word) = self.word.take() else { return };
        let Some((number, operator)) = self.redirect.take() else {
            self.command.push(ast::CommandPrefixOrSuffixItem::Word(ast::Word::new(&word)));
            return;
        };
        let word = ast::Word::new(&word);
        let redirect = match operator {
            "<<<" => IoRedirect::HereString(number, word),
            "&>" | "&>>" => IoRedirect::OutputAndError(word, operator == "&>>"),
            ">&" => IoRedirect::File(number, Kind::DuplicateOutput, Target::Duplicate(word)),
            "<&" => IoRedirect::File(number, Kind::DuplicateInput, Target::Duplicate(word)),
            ">>" => IoRedirect::File(number, Kind::Append, Target::Filename(word)),
            ">" | ">|" => IoRedirect::File(number, Kind::Write, Target::Filename(word)),
            "<>" => IoRedirect::File(number, Kind::ReadAndWrite, Target::Filename(word)),
            _ => IoRedirect::File(number, Kind::Read, Target::Filename(word)),
        };
        self.command.push(ast::CommandPrefixOrSuffixItem::IoRedirect(redirect));
    }

    fn end_command(&mut self) {
        self.end_word();
        // Bodies of heredocs come behind the line, so what they belong to must be filled in before it ends.
        if !self.heredocs.is_empty() {
            self.fill_heredocs();
        }
        let mut items = std::mem::take(&mut self.command);
        let keywords = items.iter().take_while(|item| is_keyword(item)).count();
        items.drain(..keywords);
        if items.is_empty() {
            return;
        }
        if let [ast::CommandPrefixOrSuffixItem::Word(word), ..] = items.as_slice()
            && matches!(word.value.as_str(), "for" | "case" | "select" | "function")
        {
            return;
        }
        self.pipe.push(ast::Command::Simple(simple(items)));
    }

    fn end_pipeline(&mut self, joined_by_or: bool) {
        self.end_command();
        if !self.pipe.is_empty() {
            let pipeline = ast::Pipeline { timed: None, bang: false, seq: std::mem::take(&mut self.pipe) };
            self.chain.push((self.joined_by_or, pipeline));
        }
        self.joined_by_or = joined_by_or;
    }

    fn end_list(&mut self, background: bool) {
        self.end_pipeline(false);
        let mut chain = std::mem::take(&mut self.chain).into_iter();
        let Some((_, first)) = chain.next() else { return };
        let additional = chain.map(|(by_or, pipeline)| if by_or { ast::AndOr::Or(pipeline) } else { ast::AndOr::And(pipeline) }).collect();
        let separator = if background { ast::SeparatorOperator::Async } else { ast::SeparatorOperator::Sequence };
        self.items.push(ast::CompoundListItem(ast::AndOrList { first, additional }, separator));
    }

    /// Reads the bodies of the heredocs of the command that ends on this line. They start behind the line's
    /// end, wherever in the line the command ends.
    fn fill_heredocs(&mut self) {
        let text = self.text;
        let line_end = text[self.at..].find('\n').map_or(text.len(), |offset| self.at + offset + 1);
        let mut at = line_end;
        for (place, number, heredoc) in &self.heredocs {
            let (body, end) = heredoc.body(text, at.min(text.len()));
            let plain = heredoc.tag.contains(['\'', '"', '\\']);
            if let Some(item) = self.command.get_mut(*place) {
                *item = here_document(*number, heredoc.tag, body, !plain);
            }
            at = (end + 1).min(text.len());
        }
        for (place, ..) in &mut self.heredocs {
            *place = usize::MAX;
        }
    }

    fn read_heredocs(&mut self) {
        for (_, _, heredoc) in std::mem::take(&mut self.heredocs) {
            let (_, end) = heredoc.body(self.text, self.at.min(self.text.len()));
            self.at = (end + 1).min(self.text.len());
        }
    }
}

/// A simple command of these items: what may be assignments and redirects, the program, and the rest.
fn simple(items: Vec<ast::CommandPrefixOrSuffixItem>) -> ast::SimpleCommand {
    use ast::CommandPrefixOrSuffixItem::Word;
    let mut items = items.into_iter().peekable();
    let mut prefix = Vec::new();
    while let Some(item) = items.next_if(|item| !matches!(item, Word(word) if !word.value.contains('='))) {
        prefix.push(item);
    }
    let word_or_name = items.next().and_then(|item| if let Word(word) = item { Some(word) } else { None });
    let suffix: Vec<_> = items.collect();
    ast::SimpleCommand {
        prefix: (!prefix.is_empty()).then_some(ast::CommandPrefix(prefix)),
        word_or_name,
        suffix: (!suffix.is_empty()).then_some(ast::CommandSuffix(suffix)),
    }
}

fn here_document(number: Option<i32>, tag: &str, body: &str, expands: bool) -> ast::CommandPrefixOrSuffixItem {
    ast::CommandPrefixOrSuffixItem::IoRedirect(ast::IoRedirect::HereDocument(
        number,
        ast::IoHereDocument { remove_tabs: false, requires_expansion: expands, here_end: ast::Word::new(tag), doc: ast::Word::new(body) },
    ))
}

fn is_keyword(item: &ast::CommandPrefixOrSuffixItem) -> bool {
    matches!(item, ast::CommandPrefixOrSuffixItem::Word(word) if matches!(
        word.value.as_str(),
        "if" | "then" | "else" | "elif" | "fi" | "do" | "done" | "while" | "until" | "{" | "}" | "!" | "time" | "esac" | "coproc"
    ))
}
