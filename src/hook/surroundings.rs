//! What a run of the hook finds itself in: its command line, the environment, the clock, and ids and folders
//! as the client gives them.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use once_cell::unsync::Lazy;
use xxhash_rust::xxh3::xxh3_64;

use crate::agent::claude::hook::Payload;
use crate::own::OwnFiles;
use crate::session::event::{Event, EventKind};
use crate::session::scope::{Roots, Scope, fold, temp_root};
use crate::world::git;

/// Longest id that is taken as it is, in bytes; genuine ones have 40 at the most.
const MAX_ID_BYTES: usize = 128;
/// Longest folder that can be one, in bytes.
const MAX_PATH_BYTES: usize = 4096;

/// How the hook was asked to answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Mode {
    /// `--observe`: tell, never deny.
    pub(super) observe: bool,
    /// `--reply exit-code`: a denial is exit status 2 with the reason on standard error.
    pub(super) exit_code: bool,
}

/// Reads the words after `hook`. Unknown words are passed over: the usage error of a command line would block every call.
pub(super) fn mode(mut args: impl Iterator<Item = OsString>, log: &dyn Fn(&str)) -> Mode {
    let mut mode = Mode::default();
    while let Some(arg) = args.next() {
        match arg.to_str() {
            Some("--observe") => mode.observe = true,
            Some("--reply=exit-code") => mode.exit_code = true,
            Some("--reply") => match args.next().as_ref().and_then(|word| word.to_str()) {
                Some("exit-code") => mode.exit_code = true,
                Some("json") => {}
                word => log(&format!("hook: unknown reply form {}, answering in json", word.unwrap_or("?"))),
            },
            word => log(&format!("hook: unknown word {} passed over", word.unwrap_or("?"))),
        }
    }
    mode
}

/// A variable of the environment that is set to something.
pub(super) fn env(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// How the client was started where a person watches it: holding a turn of any other replaces what a script gets.
const ATTENDED: &[&str] = &["cli", "claude-vscode", "claude-desktop"];

/// Does a person watch?
pub(super) fn is_attended() -> bool {
    env("CLAUDE_CODE_ENTRYPOINT").is_some_and(|entry| ATTENDED.contains(&entry.as_str()))
}

/// What must be known of this run's surroundings to tell what a path means.
pub(super) fn scope(payload: &Payload<'_>) -> Scope {
    let without_slash = |path: String| path.trim_end_matches('/').to_owned();
    let project = env("CLAUDE_PROJECT_DIR").filter(|dir| dir.len() <= MAX_PATH_BYTES).unwrap_or_else(|| payload.event.cwd.to_string());
    let private = [payload.scratchpad_dir.as_deref().map(str::to_owned), env("CLAUDE_JOB_DIR")];
    let mut scope = Scope {
        session: payload.event.session.to_string(),
        home: env("HOME").map(without_slash).unwrap_or_default(),
        temp_dir: env("TMPDIR").map(|dir| temp_root(&dir)).unwrap_or_default(),
        private: private.into_iter().flatten().map(|dir| fold(&dir)).collect(),
        own: Lazy::new(OwnFiles::find),
        ..Scope::default()
    };
    work_in(&mut scope, without_slash(project));
    scope
}

/// Sets the project that the scope is about.
pub(super) fn work_in(scope: &mut Scope, project: String) {
    scope.project.clone_from(&project);
    scope.roots = Roots::new(move || {
        let project = Path::new(&project);
        let real = std::fs::canonicalize(project).unwrap_or_else(|_| project.to_owned());
        let trees = git::work_trees(&real);
        [project.to_owned(), real].into_iter().chain(trees).map(|path| path.to_string_lossy().into_owned()).collect()
    });
}

/// Milliseconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Ids and the folder stand in every row and record: what is longer than any genuine one is hashed, or unknown.
pub(super) fn tame(event: &mut Event<'_>) {
    let id = |id: &mut Cow<'_, str>| {
        if id.len() > MAX_ID_BYTES {
            *id = Cow::Owned(format!("hashed_{:016x}", xxh3_64(id.as_bytes())));
        }
    };
    id(&mut event.session);
    id(&mut event.agent);
    if let EventKind::CallStarted(call) | EventKind::CallEnded { call, .. } = &mut event.kind {
        id(&mut call.id);
    }
    if event.cwd.len() > MAX_PATH_BYTES {
        event.cwd = Cow::Borrowed("");
    }
}
