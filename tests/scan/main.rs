//! `turnstop scan`: formats, selection, config and suppression.

mod config;
mod formats;
mod home;
mod selection;
