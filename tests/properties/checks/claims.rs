//! Claims of a message.

use turnstop::session::claims;

use super::text;

/// The claims of any message: each stands in it, in order; a quotation of it claims nothing.
pub(crate) fn claims_of_any_message(bytes: &[u8]) {
    let message = text(bytes);
    let found = claims::claims(&message);
    for claim in &found {
        assert!(message.get(claim.at.clone()).is_some_and(|words| !words.trim().is_empty()), "{claim:?} in {message:?}");
    }
    assert!(found.is_sorted_by_key(|claim| claim.at.start), "{found:?}");
    if !message.contains("```") && !message.contains("~~~") {
        let quoted = format!("```\n{message}\n```\n");
        assert_eq!(claims::claims(&quoted), [], "{quoted:?}");
    }
}
