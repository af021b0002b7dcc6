//! `turnstop scan`: formats, selection, config and suppression.

mod clients;
mod config;
mod formats;
mod home;
mod selection;
