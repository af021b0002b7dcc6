//! What becomes of an exit status: handed on by an `exit`, or lost.

use brush_parser::ast;

use super::wrappers::base_name;

/// An `exit` further behind than this is not looked for.
const MAX_BEHIND: usize = 32;

/// What becomes of the status of a list's item that is not the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Handed {
    /// Nothing.
    No,
    /// The text ends with it: `exit $?`, or `s=$?; …; exit $s`.
    Status,
    /// The text ends with the status of its first stage: `exit ${PIPESTATUS[0]}`.
    FirstStage,
}

/// What becomes of the status of an item, by what stands behind it.
pub(super) fn handed_on(behind: &[&ast::CompoundListItem]) -> Handed {
    let of_text = |text: &str| match text.trim_matches('"') {
        "$?" | "${?}" => Handed::Status,
        "${PIPESTATUS[0]}" | "$PIPESTATUS" | "${pipestatus[1]}" => Handed::FirstStage,
        _ => Handed::No,
    };
    let alone = |item: &ast::CompoundListItem| item.0.additional.is_empty();
    let Some(next) = behind.first().filter(|item| alone(item)) else { return Handed::No };
    if let Some(status) = leaving_status(&next.0.first) {
        return if status.is_empty() { Handed::Status } else { of_text(status) };
    }
    // `s=$?`, and an `exit $s` further on.
    let [ast::Command::Simple(simple)] = next.0.first.seq.as_slice() else { return Handed::No };
    let Some(ast::CommandPrefix(prefix)) = simple.prefix.as_ref().filter(|_| simple.word_or_name.is_none()) else { return Handed::No };
    let [ast::CommandPrefixOrSuffixItem::AssignmentWord(_, word)] = prefix.as_slice() else { return Handed::No };
    let Some((name, value)) = word.value.split_once('=') else { return Handed::No };
    let handed = of_text(value);
    let leaves_with_it = |item: &&ast::CompoundListItem| {
        let status = leaving_status(&item.0.first).map(|status| status.trim_matches('"').trim_start_matches('$'));
        alone(item) && status.is_some_and(|status| status == name || status.trim_matches(['{', '}']) == name)
    };
    if handed != Handed::No && behind.iter().take(MAX_BEHIND).any(leaves_with_it) { handed } else { Handed::No }
}

/// The pipeline is a plain `exit` or `return`, or a group that ends with one.
pub(super) fn leaves(pipeline: &ast::Pipeline) -> bool {
    leaving_status(pipeline).is_some()
}

/// The pipeline is a plain `exit`, or in a function a plain `return`, or a group that ends with one, or a program in
/// the shell's own place.
pub(super) fn ends_list(pipeline: &ast::Pipeline, in_function: bool) -> bool {
    leaving(pipeline).is_some_and(|(name, _)| name == "exit" || in_function) || replaces_shell(pipeline)
}

/// `exec` with a program; with redirects alone the shell goes on.
fn replaces_shell(pipeline: &ast::Pipeline) -> bool {
    let [ast::Command::Simple(simple)] = pipeline.seq.as_slice() else { return false };
    let words = simple.suffix.iter().flat_map(|suffix| &suffix.0);
    simple.word_or_name.as_ref().is_some_and(|word| word.value == "exec")
        && words.into_iter().any(|item| matches!(item, ast::CommandPrefixOrSuffixItem::Word(_)))
}

/// The same, with a status that is a failure: none given, or not `0`.
pub(super) fn leaves_failing(pipeline: &ast::Pipeline) -> bool {
    leaving_status(pipeline).is_some_and(|status| status != "0")
}

/// The status with which it leaves as it is written, empty where none is given.
fn leaving_status(pipeline: &ast::Pipeline) -> Option<&str> {
    leaving(pipeline).map(|(_, status)| status)
}

/// How it leaves, by `exit` or `return`, and the status as it is written.
fn leaving(mut pipeline: &ast::Pipeline) -> Option<(&str, &str)> {
    for _ in 0..4 {
        match pipeline.seq.as_slice() {
            [ast::Command::Simple(simple)] => {
                let name = simple.word_or_name.as_ref().map(|word| base_name(&word.value))?;
                let status = simple.suffix.iter().flat_map(|suffix| &suffix.0).find_map(|item| match item {
                    ast::CommandPrefixOrSuffixItem::Word(word) => Some(word.value.as_str()),
                    _ => None,
                });
                return matches!(name, "exit" | "return").then_some((name, status.unwrap_or("")));
            }
            [ast::Command::Compound(ast::CompoundCommand::BraceGroup(group), _)] => {
                let chain = &group.list.0.last()?.0;
                if !chain.additional.is_empty() {
                    return None;
                }
                pipeline = &chain.first;
            }
            _ => return None,
        }
    }
    None
}
