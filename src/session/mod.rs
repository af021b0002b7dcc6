//! What one session did: the vocabulary of events, the facts folded from them, and where they are kept.

pub mod event;
