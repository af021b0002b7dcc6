//! What the summary lines of a text come to, taken together.

use super::counts::Counts;
use super::table::{self, Row, Rows, Says, Weight};
use super::{Asked, MAX_LINE, Verdict, lines, pattern};
use crate::text;

/// The summary lines of a text, and what they say.
#[derive(Debug, Default)]
pub(super) struct Reading<'a> {
    hits: Vec<Hit<'a>>,
    /// What they count, over all blocks.
    pub(super) counts: Counts,
}

/// One summary line.
#[derive(Debug, Clone, Copy)]
struct Hit<'a> {
    row: &'static Row,
    line: &'a str,
    name: &'a str,
    counts: Counts,
    /// Something ran in front of it: a time, a package.
    prefixed: bool,
}

/// What one line means for the verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sense {
    Fail,
    Pass,
    Ok,
    Ran,
    Zero,
    Nothing,
}

impl Hit<'_> {
    fn sense(&self) -> Sense {
        let (counts, failed) = (&self.counts, self.counts.failed() > 0);
        match self.row.says {
            Says::Fail => Sense::Fail,
            Says::Pass | Says::Tests | Says::Nested | Says::Parts | Says::Problems if failed => Sense::Fail,
            Says::Tasks if counts.passed < counts.total => Sense::Fail,
            Says::Tasks | Says::Checked if counts.total.0 == Some(0) => Sense::Zero,
            Says::Pass if counts.tell() && counts.executed() == 0 => Sense::Zero,
            Says::Zero => Sense::Zero,
            Says::Pass => Sense::Pass,
            Says::Ok | Says::Problems | Says::Tasks | Says::Checked => Sense::Ok,
            Says::Remark => Sense::Nothing,
            Says::Parts if counts.executed() == 0 => Sense::Nothing,
            Says::Tests | Says::Nested | Says::Parts | Says::Ran => match (counts.tell(), counts.executed()) {
                (true, 0) => Sense::Zero,
                // Of how many is said, and not what they came to.
                (true, _) if counts.passed.0.is_none() && counts.failed.0.is_none() => Sense::Ran,
                (true, _) => Sense::Pass,
                (false, _) if counts.failed.0.is_some() => Sense::Ok,
                (false, _) => Sense::Ran,
            },
        }
    }

    /// A line of the class itself which says how many.
    fn counts_own(&self) -> bool {
        self.row.weight == Weight::Own && matches!(self.row.says, Says::Tests | Says::Nested | Says::Ran | Says::Parts)
    }
}

/// Reads all summary lines of a plain text.
pub(super) fn read<'a>(text: &'a str, rows: &Rows, asked: &Asked) -> Reading<'a> {
    let mut hits: Vec<Hit<'a>> = lines::lines(text).filter_map(|line| hit(line, rows)).collect();
    let last_count = hits.iter().rposition(Hit::counts_own);
    let bare_count = hits.iter().any(|hit| hit.counts_own() && !hit.prefixed);
    let own = hits.iter().any(|hit| hit.row.weight == Weight::Own && hit.sense() != Sense::Nothing);
    let mut at = 0;
    hits.retain(|hit| {
        at += 1;
        let named = !hit.name.is_empty() && table::names(hit.name, asked.gate);
        match hit.row.weight {
            // A package's log looks like a package's summary; the summary of all decides.
            Weight::Own => !(bare_count && hit.prefixed),
            Weight::Shared => (asked.alone || !own) && last_count.is_none_or(|last| at > last),
            Weight::Doubtful => last_count.is_none(),
            // What a runner says last stands below the tests' own summary; above it, it is what a test has printed.
            Weight::Unnamed => (asked.alone || named) && last_count.is_none_or(|last| at > last),
            Weight::Titled => named,
        }
    });
    let counts = count(&hits);
    Reading { hits, counts }
}

fn hit<'a>(line: &'a str, rows: &Rows) -> Option<Hit<'a>> {
    lines::readings(line).enumerate().find_map(|(depth, line)| {
        rows.of(line).find_map(|row| {
            let found = pattern::find(row.shape, line.text)?;
            Some(Hit { row, line: line.text, name: found.name, counts: found.counts, prefixed: depth > 0 })
        })
    })
}

/// Adds up the blocks.
fn count(hits: &[Hit]) -> Counts {
    let (mut sum, mut outer) = (Counts::default(), Counts::default());
    for hit in hits {
        match hit.row.says {
            Says::Nested => outer.widen(&hit.counts),
            Says::Parts | Says::Tasks | Says::Checked => {}
            _ => sum.add(&hit.counts),
        }
    }
    sum.widen(&outer);
    sum
}

impl Reading<'_> {
    /// What they come to: any failure decides.
    pub(super) fn verdict(&self) -> Verdict {
        let any = |senses: &[Sense]| self.hits.iter().any(|hit| senses.contains(&hit.sense()));
        // All that was run may have been skipped.
        let ran = any(&[Sense::Pass]) || if self.counts.tell() { self.counts.executed() > 0 } else { any(&[Sense::Ran]) };
        let good = any(&[Sense::Pass, Sense::Ok]);
        if any(&[Sense::Fail]) {
            Verdict::Fail
        } else if ran && good {
            Verdict::Pass
        } else if any(&[Sense::Zero]) || (self.counts.tell() && self.counts.executed() == 0) {
            Verdict::NothingExecuted
        } else if good {
            Verdict::Pass
        } else {
            Verdict::Unknown
        }
    }

    /// The line that tells most for the verdict, fit to be shown.
    pub(super) fn line(&self, verdict: Verdict) -> String {
        let (tells, parts) = (|hit: &Hit| hit.counts.tell(), |hit: &Hit| hit.row.says == Says::Parts);
        let weak = |hit: &Hit| matches!(hit.row.weight, Weight::Unnamed | Weight::Doubtful);
        let rank = |hit: &Hit| match (verdict, hit.sense()) {
            (Verdict::Fail, Sense::Fail) => match hit.counts.failed() {
                0 => 2 - u8::from(weak(hit)),
                _ => 4 - u8::from(parts(hit)),
            },
            (Verdict::Pass, Sense::Pass) => 3 + u8::from(tells(hit) && !parts(hit)),
            (Verdict::Pass, Sense::Ok) => 2,
            (Verdict::NothingExecuted, Sense::Zero) => match (hit.row.says, hit.counts.total.0) {
                (Says::Zero, _) => 4,
                (_, Some(_)) => 3,
                _ => 2,
            },
            (Verdict::NothingExecuted, _) => u8::from(tells(hit)),
            _ => 0,
        };
        let best = self.hits.iter().filter(|hit| rank(hit) > 0).max_by_key(|hit| rank(hit));
        best.map(|hit| text::name(hit.line, MAX_LINE)).unwrap_or_default()
    }
}
