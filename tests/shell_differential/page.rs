//! `docs/shell.md`: the table of agreement, and the commands that disagree.

use std::fmt::Write as _;

use super::Tried;

const BEGIN: &str = "<!-- agreement: begin -->\n";
const END: &str = "<!-- agreement: end -->";

/// The page with its generated part made anew.
pub(crate) fn renewed(page: &str, tried: &[Tried]) -> String {
    let (before, rest) = page.split_once(BEGIN).expect("the page marks where the table begins");
    let (_, after) = rest.split_once(END).expect("and where it ends");
    format!("{before}{BEGIN}{}{}{END}{after}", table(tried), disagreements(tried))
}

/// What a command of one construct came to.
#[derive(Default)]
struct Row {
    construct: &'static str,
    agreed: usize,
    unknown: usize,
    less: usize,
    more: usize,
}

impl Row {
    fn count(&mut self, tried: &Tried) {
        let Some(verdict) = &tried.verdict else { return };
        let counter = match verdict {
            _ if !verdict.more.is_empty() => &mut self.more,
            _ if !verdict.less.is_empty() => &mut self.less,
            _ if !verdict.unknown.is_empty() => &mut self.unknown,
            _ => &mut self.agreed,
        };
        *counter += 1;
    }

    fn line(&self, name: &str) -> String {
        let Row { agreed, unknown, less, more, .. } = self;
        format!("| {name} | {} | {agreed} | {unknown} | {less} | {more} |\n", agreed + unknown + less + more)
    }
}

fn table(tried: &[Tried]) -> String {
    let mut rows: Vec<Row> = Vec::new();
    let mut total = Row::default();
    for tried in tried {
        total.count(tried);
        let known = rows.iter().position(|row| row.construct == tried.case.construct);
        let at = known.unwrap_or(rows.len());
        if known.is_none() {
            rows.push(Row { construct: tried.case.construct, ..Row::default() });
        }
        rows[at].count(tried);
    }
    let mut text = "| construct | commands | agree | not to be known | said less | said more |\n|---|--:|--:|--:|--:|--:|\n".to_owned();
    for row in &rows {
        text += &row.line(row.construct);
    }
    text + &total.line("**all**")
}

fn disagreements(tried: &[Tried]) -> String {
    let lines: Vec<String> = tried.iter().filter_map(disagreement).collect();
    let mut text = "\nThe commands that disagree:\n\n".to_owned();
    for line in &lines {
        _ = writeln!(text, "{line}");
    }
    if lines.is_empty() { String::new() } else { text }
}

/// The line of a command that disagrees.
pub(crate) fn disagreement(tried: &Tried) -> Option<String> {
    let verdict = tried.verdict.as_ref()?;
    let parts: Vec<String> = [("said less", &verdict.less), ("said more", &verdict.more)]
        .into_iter()
        .filter(|(_, list)| !list.is_empty())
        .map(|(name, list)| format!("{name}: {}", list.join(", ")))
        .collect();
    (!parts.is_empty()).then(|| format!("- `` {} `` {}", tried.case.text.replace('\n', "⏎"), parts.join("; ")))
}
