//! What the fuzz targets run: the checks of `tests/properties`.

#[path = "../tests/properties/checks/mod.rs"]
mod checks;

/// Runs the check of a target, which panics when what it holds to is broken.
///
/// # Panics
/// When it is, and when there is no target of that name.
pub fn check(target: &str, bytes: &[u8]) {
    let found = checks::TARGETS.iter().find(|known| known.name == target);
    (found.expect("a target of `checks::TARGETS`").check)(bytes);
}
