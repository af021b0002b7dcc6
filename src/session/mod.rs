//! What one session did: the vocabulary of events, the facts folded from them, and where they are kept.

pub mod claims;
pub mod edits;
pub mod event;
pub mod facts;
pub mod gates;
pub mod kept;
pub mod ledger;
pub mod observed;
pub mod repeats;
pub mod scope;
pub mod seen;
pub mod store;
pub mod temp_files;
pub mod verdict;
