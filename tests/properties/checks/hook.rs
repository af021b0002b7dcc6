//! Standard input of the hook: bytes to the end of the payload, to an event, to an answer.

use serde_json::de::IoRead;
use serde_json::{StreamDeserializer, Value};
use turnstop::agent::ValueEnd;
use turnstop::agent::claude::hook;

use super::session;

/// Any bytes: the end of the payload is where it is, in whatever pieces they come, and what follows changes nothing;
/// the event is the same after it waited in a file; what is answered is harmless.
pub(crate) fn payload(bytes: &[u8]) {
    let end = end_of(bytes, bytes.len().max(1));
    for size in [1, 2, 7, 64] {
        assert_eq!(end_of(bytes, size), end, "in pieces of {size}");
    }
    if let Some(actual) = end_of_json(bytes) {
        assert_eq!(end, Some(actual), "{:?}", String::from_utf8_lossy(bytes));
    }
    let whole = &bytes[..end.unwrap_or(bytes.len())];
    let Some(payload) = hook::parse(whole) else {
        return;
    };
    assert_eq!(hook::event_name(whole).as_deref(), Some(&*payload.name));
    let event = payload.event.clone().into_owned();
    assert_eq!(event, payload.event);
    session::survives_a_file(&event);
    session::tell(&[event.clone(), event]);
}

fn end_of(bytes: &[u8], piece: usize) -> Option<usize> {
    let (mut scan, mut before) = (ValueEnd::default(), 0);
    bytes.chunks(piece).find_map(|piece| {
        let end = scan.feed(piece).map(|length| before + length);
        before += piece.len();
        end
    })
}

/// Where a JSON parser says that the first value ends, if it is an object or an array.
fn end_of_json(bytes: &[u8]) -> Option<usize> {
    let body = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let mut values: StreamDeserializer<'_, IoRead<&[u8]>, Value> = StreamDeserializer::new(IoRead::new(body));
    let value = values.next()?.ok()?;
    (value.is_object() || value.is_array()).then(|| bytes.len() - body.len() + values.byte_offset())
}
