//! What a scan found, in the forms that people and programs read: one file each, over the same [`Scan`].

pub mod catalogue;
pub mod json;
pub mod text;

use crate::meta::Severity;
use crate::scan::Scan;

/// How many findings there are of each weight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Worth knowing.
    pub info: usize,
    /// Of calls that never ran; not among the others.
    pub prevented: usize,
}

impl Counts {
    /// Counts the findings of a scan.
    pub fn of(scan: &Scan) -> Self {
        let mut counts = Counts::default();
        for spotted in &scan.findings {
            let count = match (spotted.prevented, spotted.finding.severity) {
                (true, _) => &mut counts.prevented,
                (false, Severity::Error) => &mut counts.errors,
                (false, Severity::Warning) => &mut counts.warnings,
                (false, Severity::Info) => &mut counts.info,
            };
            *count += 1;
        }
        counts
    }
}
