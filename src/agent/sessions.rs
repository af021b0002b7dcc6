//! The sessions that clients have recorded, for whoever reads them without knowing a client.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::transcript::{self, Transcript};
use super::{claude, codex};

/// A client that records sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Client {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
}

/// A session on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The client.
    pub client: Client,
    /// Its id.
    pub id: String,
    /// The main agent's file.
    pub transcript: PathBuf,
    /// Its subagents' files.
    pub subagents: Vec<PathBuf>,
    /// The folder where the client keeps it among others.
    pub folder: PathBuf,
    /// Where it worked; empty where that is not known without reading on.
    pub cwd: PathBuf,
}

/// Sessions that belong together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Folders that hold sessions of the project alone, even when there is none.
    pub folders: Vec<PathBuf>,
    /// The sessions.
    pub sessions: Vec<Recorded>,
}

/// Looks up the environment.
pub type Variable<'v> = &'v dyn Fn(&str) -> Option<OsString>;

impl Client {
    /// All of them.
    pub const ALL: [Client; 2] = [Client::Claude, Client::Codex];

    /// Its name for programs.
    pub fn word(self) -> &'static str {
        match self {
            Client::Claude => "claude",
            Client::Codex => "codex",
        }
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Client::Claude => "Claude Code",
            Client::Codex => "Codex",
        }
    }

    /// The client that wrote this transcript.
    pub fn of(transcript: &Path) -> Self {
        if codex::rollout::is_rollout(transcript) { Client::Codex } else { Client::Claude }
    }

    /// The sessions of a project, links resolved; of a client that keeps those of all projects in one place, also the
    /// sessions that worked below it.
    pub fn sessions_of(self, project: &Path, variable: Variable<'_>) -> Found {
        match self {
            Client::Claude => {
                let folders = claude::layout::config_dir(variable).map(|config| claude::layout::project_dirs(&config, project));
                let folders = folders.unwrap_or_default();
                Found { sessions: folders.iter().flat_map(|folder| in_folder(folder)).collect(), folders }
            }
            Client::Codex => {
                let mut sessions = codex_sessions(variable);
                sessions.retain(|session| session.cwd.starts_with(project));
                Found { folders: Vec::new(), sessions }
            }
        }
    }

    /// All sessions, those of one folder together.
    pub fn sessions(self, variable: Variable<'_>) -> Vec<Found> {
        match self {
            Client::Claude => {
                let Some(config) = claude::layout::config_dir(variable) else { return Vec::new() };
                let entries = fs::read_dir(config.join("projects")).into_iter().flatten().flatten();
                let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|folder| folder.is_dir()).collect();
                folders.sort();
                let found = folders.into_iter().map(|folder| Found { sessions: in_folder(&folder), folders: vec![folder] });
                found.filter(|found| !found.sessions.is_empty()).collect()
            }
            Client::Codex => {
                let sessions = codex_sessions(variable).into_iter();
                sessions.map(|session| Found { folders: Vec::new(), sessions: vec![session] }).collect()
            }
        }
    }

    /// Opens a transcript.
    ///
    /// # Errors
    /// When the file cannot be opened or is no regular file.
    pub fn open(self, transcript: &Path) -> io::Result<Box<dyn Transcript>> {
        Ok(match self {
            Client::Claude => Box::new(claude::transcript::Reader::open(transcript)?),
            Client::Codex => Box::new(codex::rollout::open(transcript)?),
        })
    }
}

impl Recorded {
    /// How long its files are, in bytes.
    pub fn size(&self) -> u64 {
        self.files().filter_map(|file| file.metadata().ok()).map(|known| known.len()).sum()
    }

    /// The session of this transcript, and of its subagents' that stand beside it.
    pub fn at(transcript: &Path) -> Self {
        match Client::of(transcript) {
            Client::Claude => of_claude(transcript),
            Client::Codex => {
                let folder = transcript.parent().map(Path::to_owned).unwrap_or_default();
                of_codex(codex::sessions::at(transcript), folder)
            }
        }
    }

    /// All its files, the main agent's first.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        std::iter::once(&self.transcript).chain(&self.subagents)
    }

    /// A subagent's file that old clients put beside the sessions.
    pub fn is_subagent(&self) -> bool {
        self.client == Client::Claude && self.id.starts_with("agent-")
    }

    /// Where the session worked: the directory of its first event that has one; empty when none has.
    pub fn worked_in(&self) -> PathBuf {
        if !self.cwd.as_os_str().is_empty() {
            return self.cwd.clone();
        }
        let reader = self.client.open(&self.transcript);
        reader.map(|mut reader| transcript::head(&mut *reader).cwd.into()).unwrap_or_default()
    }
}

fn in_folder(folder: &Path) -> Vec<Recorded> {
    claude::layout::transcripts(folder).iter().map(|transcript| of_claude(transcript)).collect()
}

fn of_claude(transcript: &Path) -> Recorded {
    Recorded {
        client: Client::Claude,
        id: transcript.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        transcript: transcript.to_owned(),
        subagents: claude::layout::subagents(transcript),
        folder: transcript.parent().map(Path::to_owned).unwrap_or_default(),
        cwd: PathBuf::new(),
    }
}

fn codex_sessions(variable: Variable<'_>) -> Vec<Recorded> {
    let Some(home) = codex::layout::home_dir(variable) else { return Vec::new() };
    let recorded = |session: codex::sessions::Session| {
        let folder = codex::layout::folder_of(&home, &session.transcript);
        of_codex(session, folder)
    };
    codex::sessions::all(&home).into_iter().map(recorded).collect()
}

fn of_codex(session: codex::sessions::Session, folder: PathBuf) -> Recorded {
    let codex::sessions::Session { id, transcript, subagents, cwd } = session;
    let cwd = fs::canonicalize(&cwd).unwrap_or(cwd);
    Recorded { client: Client::Codex, id, transcript, subagents, folder, cwd }
}
