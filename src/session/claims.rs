//! What the last message of a turn claims about quality gates.
//!
//! A message is read in five steps: its Markdown (`blocks`), its words and marks (`tokens`), its sentences
//! (`sentences`), what each word does in its language (`words`), and what each sentence says (`reading`).
//! Honest words about a gate, in the same sentence or the next to it, silence a claim about that gate.

mod blocks;
mod reading;
mod sentences;
#[cfg(test)]
mod tests;
mod tokens;
mod words;

use std::ops::Range;

use crate::shell::gates::{Gate, Gates, Language};
use blocks::{Block, Kind};
use reading::Reading;
use tokens::Token;
use words::Lexicon;

/// How much of a message's end is read, in bytes.
const MAX_BYTES: usize = 64 << 10;

/// A longer sentence is none that a person reads.
const MAX_TOKENS: usize = 600;

/// How many tokens a bare item of work has at most, its mark included.
const MAX_WORK: usize = 3;

/// How many sentences that say what fails are weighed.
const MAX_FAILING: usize = 32;

/// One claim that a gate passed, which nothing else in the message takes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The class it is about; `None` for "everything passes", "all checks are green".
    pub gate: Option<Gate>,
    /// The whole of the gate is claimed ("the full suite", "all 41 tests").
    pub whole: bool,
    /// The program it names (`pytest` passes), as [`crate::shell::gates::GateRun::runner`] does; empty when it names none.
    pub runner: &'static str,
    /// The language it names ("the Rust tests").
    pub language: Option<Language>,
    /// It is about a named part alone ("the integration tests", "the tests in cart").
    pub part: bool,
    /// How many tests are said to have passed ("41 tests pass", "41/41").
    pub count: Option<u64>,
    /// Where the words stand in the message, in bytes.
    pub at: Range<usize>,
}

/// The claims of a message, in order.
pub fn claims(message: &str) -> Vec<Claim> {
    let from = message.ceil_char_boundary(message.len().saturating_sub(MAX_BYTES));
    let mut page = Page::new(message, from);
    for block in blocks::blocks(message, from) {
        page.block(&block);
    }
    page.claims()
}

/// A sentence that was read.
struct Read {
    at: Range<usize>,
    reading: Reading,
    /// How many sentences before it tell of a repair.
    fixed_before: usize,
    /// It begins with a tick.
    ticked: bool,
    /// How many tokens it has.
    length: usize,
    section: usize,
    group: usize,
}

/// A message as far as it has been read.
struct Page<'m> {
    message: &'m str,
    /// The language of most of it.
    usual: &'static Lexicon,
    read: Vec<Read>,
    /// How many sentences told of a repair.
    fixed: usize,
    /// How many headings there were.
    section: usize,
    /// How many lists, tables and paragraphs there were.
    group: usize,
    /// The kind of block that was read last.
    last: Option<Kind>,
    /// What stands above takes the list back that follows.
    list_taken_back: bool,
    /// The section is one of plans.
    planned: bool,
    /// The section is one of steps.
    steps: bool,
    /// The gates that the heading names.
    heading: Gates,
    /// The first row of the table.
    header: Vec<Range<usize>>,
}

impl<'m> Page<'m> {
    fn new(message: &'m str, from: usize) -> Self {
        Page {
            message,
            usual: words::language([&message[from..]].into_iter(), None),
            read: Vec::new(),
            fixed: 0,
            section: 0,
            group: 0,
            last: None,
            list_taken_back: false,
            planned: false,
            steps: false,
            heading: Gates::NONE,
            header: Vec::new(),
        }
    }

    fn block(&mut self, block: &Block) {
        self.section += usize::from(block.kind == Kind::Heading);
        self.group += usize::from(!self.last.is_some_and(|last| last.goes_on_in(block.kind)));
        self.last = Some(block.kind);
        match block.kind {
            Kind::Heading => {
                (self.planned, self.list_taken_back) = (false, false);
                let heading = self.prose(block);
                (self.planned, self.steps, self.heading) = (heading.planned, heading.steps, heading.mentioned);
            }
            Kind::Prose => {
                let title = is_bold(&self.message[block.at.clone()]);
                self.planned &= !title;
                let last = self.prose(block);
                if title {
                    (self.planned, self.steps) = (last.planned, last.steps);
                }
                self.list_taken_back = last.leads && (last.taken_back || last.planned);
            }
            Kind::Item if self.list_taken_back => {}
            Kind::Item | Kind::Done => {
                let (planned, heading) = (self.planned, self.heading);
                self.planned &= block.kind != Kind::Done;
                self.prose(block);
                (self.planned, self.heading) = (planned, heading);
            }
            Kind::Open => {}
            Kind::Header => self.header.clone_from(&block.cells),
            Kind::Row => self.row(block),
        }
    }

    /// Reads the sentences of a block; says what the last of them leads to.
    fn prose(&mut self, block: &Block) -> Lead {
        let tokens = tokens::tokens(self.message, block.at.clone());
        let mut lead = Lead::default();
        for sentence in sentences::sentences(self.message, &tokens) {
            let own = &tokens[sentence.tokens.clone()];
            let mut before = self.read.last().map_or(Gates::NONE, |read| read.reading.mentioned);
            if before.is_empty() {
                before = self.heading;
            }
            let reading = self.sentence(own, before);
            lead = Lead {
                leads: sentence.leads,
                taken_back: reading.taken_back,
                planned: reading.planned,
                steps: reading.steps,
                mentioned: reading.mentioned,
            };
            self.heading = Gates::NONE;
            self.push(own, reading);
        }
        lead
    }

    fn sentence(&self, tokens: &[Token], before: Gates) -> Reading {
        if tokens.len() > MAX_TOKENS {
            return Reading::default();
        }
        let lexicon = words::language_of(self.message, tokens, self.usual);
        let items = lexicon.items(self.message, tokens);
        let asks = tokens.iter().any(|token| token.kind == tokens::Kind::Ask);
        reading::read(&items, lexicon.grammar, before, asks)
    }

    fn push(&mut self, tokens: &[Token], mut reading: Reading) {
        let ticked = tokens.first().is_some_and(|token| token.kind == tokens::Kind::Tick);
        if self.planned && !(self.steps && ticked) {
            reading.said.clear();
        }
        let fixed = usize::from(reading.fixed);
        self.read.push(Read {
            at: span(tokens),
            reading,
            fixed_before: self.fixed,
            ticked,
            length: tokens.len(),
            section: self.section,
            group: self.group,
        });
        self.fixed += fixed;
    }

    /// A row says of its first gate what its other cells say; where only the first row names gates, each cell
    /// speaks of the one above it.
    fn row(&mut self, block: &Block) {
        let cell = |range: &Range<usize>| tokens::tokens(self.message, range.clone());
        let colon = |at: usize| Token { kind: tokens::Kind::Colon, at: at..at };
        let names = |tokens: &[Token]| !self.sentence(tokens, Gates::NONE).mentioned.is_empty();
        let is_earlier = |column: usize| {
            self.header.get(column).is_some_and(|head| {
                let head = self.sentence(&cell(head), Gates::NONE);
                head.taken_back || head.planned
            })
        };
        let mut rows: Vec<Vec<Token>> = Vec::new();
        let label = block.cells.iter().position(|range| names(&cell(range)));
        if let Some(label) = label.filter(|&label| label + 1 < block.cells.len()) {
            let mut row = cell(&block.cells[label]);
            for (column, range) in block.cells.iter().enumerate().skip(label + 1) {
                if !is_earlier(column) {
                    row.push(colon(range.start));
                    row.extend(cell(range));
                }
            }
            rows.push(row);
        } else if label.is_none() {
            for (head, range) in self.header.iter().zip(&block.cells) {
                let mut row = cell(head);
                row.push(colon(range.start));
                row.extend(cell(range));
                rows.push(row);
            }
        } else if let Some(label) = label {
            rows.push(cell(&block.cells[label]));
        }
        for row in rows {
            let reading = self.sentence(&row, Gates::NONE);
            self.push(&row, reading);
            if let Some(read) = self.read.last_mut() {
                read.at = block.at.clone();
            }
        }
    }

    /// What is left when honest words have had their say.
    fn claims(self) -> Vec<Claim> {
        let mut claims = Vec::new();
        let failing: Vec<usize> =
            (0..self.read.len()).filter(|&at| !self.read[at].reading.honest.listed.is_empty()).take(MAX_FAILING).collect();
        for (index, read) in self.read.iter().enumerate().filter(|(_, read)| !read.reading.said.is_empty()) {
            let disclosed = self.near(index).with(self.far(index, &failing));
            let worked = self.is_work(index);
            for said in read.reading.said.iter().filter(|said| !(said.bare && worked)) {
                let held_back = is_denied_in_short(self.message, &read.at);
                if !held_back && said.gate.map_or(disclosed.is_empty(), |gate| !disclosed.has(gate)) {
                    claims.push(Claim {
                        gate: said.gate,
                        whole: said.whole,
                        runner: said.detail.runner,
                        language: said.detail.language,
                        part: said.detail.part,
                        count: said.count,
                        at: read.at.clone(),
                    });
                }
            }
        }
        claims
    }

    /// What a sentence and the two beside it disclose.
    fn near(&self, index: usize) -> Gates {
        let honest = |at: usize| self.read.get(at).map(|read| read.reading.honest).unwrap_or_default();
        let before = index.checked_sub(1).map(honest).unwrap_or_default();
        let before = if index > 0 && self.is_mended(index - 1, index) { before.open } else { before.near() };
        before.with(honest(index).near()).with(honest(index + 1).near())
    }

    /// Is it an item of a list of work that is done: "✅ Parser", "✅ Tests", "✅ Docs"?
    fn is_work(&self, index: usize) -> bool {
        let own = &self.read[index];
        let near = &self.read[index.saturating_sub(2)..(index + 3).min(self.read.len())];
        let work = |read: &Read| read.group == own.group && read.ticked && read.length <= MAX_WORK && read.reading.mentioned.is_empty();
        own.ticked && near.iter().any(work)
    }

    /// What fails by sentences that are not beside it: in its list or table, its section, or anywhere.
    fn far(&self, index: usize, failing: &[usize]) -> Gates {
        let own = &self.read[index];
        let mut gates = Gates::NONE;
        for &at in failing.iter().filter(|&&at| !self.is_mended(at, index)) {
            let read = &self.read[at];
            let honest = read.reading.honest;
            gates = gates.with(if read.group == own.group {
                honest.listed
            } else if read.section == own.section {
                honest.named
            } else {
                honest.firm
            });
        }
        gates
    }

    /// Was what failed by one sentence repaired before a success is claimed by another?
    fn is_mended(&self, failed: usize, claimed: usize) -> bool {
        let fixed = |range: Range<usize>| {
            let until = |at: usize| self.read.get(at).map_or(self.fixed, |read| read.fixed_before);
            until(range.start) < until(range.end)
        };
        if claimed < failed {
            return fixed(failed..failed + 2);
        }
        claimed > failed && (self.read[claimed].reading.now || fixed(failed..claimed + 1))
    }
}

/// What a sentence means for what follows it.
#[derive(Default)]
struct Lead {
    leads: bool,
    taken_back: bool,
    planned: bool,
    steps: bool,
    mentioned: Gates,
}

/// From the first token to the last.
fn span(tokens: &[Token]) -> Range<usize> {
    let mut own = tokens.iter().filter(|token| token.kind != tokens::Kind::Line);
    let Some(first) = own.next() else { return 0..0 };
    let last = own.next_back().unwrap_or(first);
    first.at.start..last.at.end.max(first.at.start)
}

/// Is a paragraph one line in bold type, which stands for a heading?
fn is_bold(text: &str) -> bool {
    let text = text.trim().trim_end_matches(':');
    text.len() > 4 && text.starts_with("**") && (text.ends_with("**") || text.ends_with(":**")) && !text.contains('\n')
}

/// `Unit tests pass, the others do not.`: does the sentence end by saying that some do not, without a verb that says what?
fn is_denied_in_short(message: &str, at: &Range<usize>) -> bool {
    const DENIALS: &[&str] = &["do not", "don't", "don’t", "does not", "doesn't", "doesn’t", "did not", "didn't", "didn’t", "not ok"];
    const SCOPES: &[&str] = &[", not on ", "but not on ", ", but not with ", ": not ("];
    let rest = message.get(at.start..).unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default();
    // What follows the sentence is another one's.
    let end = line.get(at.len().min(line.len())..).and_then(|after| after.find(". ")).map_or(line.len(), |more| at.len() + more);
    let sentence = line.get(..end.min(line.len())).unwrap_or(line).to_lowercase();
    let ends = |after: &str| after.trim_start().chars().next().is_none_or(|next| matches!(next, '.' | ',' | ';' | '!' | ')' | '—'));
    let in_short = |denial: &&str| sentence.match_indices(*denial).any(|(from, _)| ends(&sentence[from + denial.len()..]));
    DENIALS.iter().any(in_short) || SCOPES.iter().any(|scope| sentence.contains(scope))
}
