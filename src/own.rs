//! Where turnstop's own files are.

use std::env;
use std::path::Path;

use crate::agent::claude::layout;
use crate::config;
use crate::session::scope::fold;
use crate::session::store;

/// The files that the guard rests on, by absolute folded paths; empty where it cannot be told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnFiles {
    /// The folder of the person's config, and of the list of projects they trust.
    pub config: String,
    /// The folder of what sessions are remembered by.
    pub state: String,
    /// The program.
    pub program: String,
    /// The client's settings file of all projects, which may run turnstop.
    pub settings: String,
}

impl OwnFiles {
    /// The files of this run, by its environment.
    pub fn find() -> Self {
        let env = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let text = |path: &Path| path.to_str().map(fold).unwrap_or_default();
        OwnFiles {
            config: config::user_file(env).as_deref().and_then(Path::parent).map(text).unwrap_or_default(),
            state: store::state_dir(env).as_deref().map(text).unwrap_or_default(),
            program: env::current_exe().as_deref().map(text).unwrap_or_default(),
            settings: layout::config_dir(|name| env::var_os(name)).map(|folder| text(&folder.join("settings.json"))).unwrap_or_default(),
        }
    }
}
