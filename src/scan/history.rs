//! What persons typed, from the history files that clients keep beside their sessions: one JSON object a line.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use crate::agent::codex::{layout, rollout};
use crate::agent::json::{self, Raw};
use crate::records::project::{Project, folded};
use crate::records::prompts::{self, Client, Prompt};
use crate::records::secrets::{self, SecretAct, Target};
use crate::session::event::{Action, Call, Event, EventKind, Noted, Outcome};
use crate::shell::Dialect;
use crate::text;

/// Longest line that is read, in bytes: a prompt with what was pasted into it.
const MAX_LINE: usize = 8 << 20;

/// Most prompts of a project that are kept: the newest.
const MAX_PROMPTS: usize = 5000;

/// As much of a prompt as can end up in an excerpt, in bytes.
const MAX_BEGINNING: usize = text::EXCERPT_CHARS * 16;

/// What the histories hold.
#[derive(Debug, Default)]
pub struct History {
    /// What was typed in the project, in the order of time.
    pub prompts: Vec<Prompt>,
    /// Secrets that were set or removed by typed commands, in any project.
    pub secrets: Vec<SecretAct>,
    /// Shell commands that were typed in the project, as calls that nothing is known of but that they ran, each with its
    /// file.
    pub commands: Vec<(Arc<str>, Event<'static>)>,
    /// Lines that nothing could be made of.
    pub not_read: u64,
    /// Files that could not be read, and why.
    pub skipped: Vec<(PathBuf, String)>,
}

/// Where clients keep their histories.
#[derive(Debug, Clone, Default)]
pub struct Homes {
    /// Claude Code's configuration folder.
    pub claude: Option<PathBuf>,
    /// Codex's.
    pub codex: Option<PathBuf>,
    /// The person's home folder.
    pub home: String,
}

/// Reads the histories.
pub fn read(homes: &Homes, here: &Project) -> History {
    let mut reading = Reading { here, home: &homes.home, history: History::default(), is_here: HashMap::new() };
    for (client, folder) in [(Client::Claude, &homes.claude), (Client::Codex, &homes.codex)] {
        let Some(folder) = folder else { continue };
        let file = folder.join("history.jsonl");
        let is_codex = client == Client::Codex && file.exists();
        let rollouts = if is_codex { layout::rollouts(folder) } else { Vec::new() };
        let rollouts = rollouts.into_iter().map(|rollout| (layout::session_id(&rollout), rollout)).collect();
        match reading.file(client, &file, &rollouts) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => reading.history.skipped.push((file, error.to_string())),
            _ => {}
        }
    }
    reading.keep_newest();
    reading.history
}

struct Reading<'a> {
    here: &'a Project,
    home: &'a str,
    history: History,
    /// Folders met so far: are they the project's?
    is_here: HashMap<String, bool>,
}

impl Reading<'_> {
    fn file(&mut self, client: Client, path: &Path, rollouts: &HashMap<String, PathBuf>) -> io::Result<()> {
        let file: Arc<str> = path.to_string_lossy().into();
        let mut session: Arc<str> = "".into();
        let mut worked_in: HashMap<String, String> = HashMap::new();
        each_line(path, &mut |number, line| {
            let text = json::text_of(line);
            if text.trim().is_empty() {
                return;
            }
            let Some(entry) = Entry::read(&text) else {
                self.history.not_read += 1;
                return;
            };
            let project = match &entry.project {
                Some(project) => project.clone(),
                // Codex says where a session worked in the session's own file alone.
                None => match rollouts.get(entry.session.as_ref()) {
                    None => Cow::Borrowed(""),
                    Some(rollout) => {
                        let folder = worked_in.entry(entry.session.to_string()).or_insert_with(|| rollout::head(rollout).cwd);
                        Cow::Owned(folder.clone())
                    }
                },
            };
            self.secrets(&entry, &project, &file, number);
            if entry.time > 0 && self.is_here(&project) {
                if *session != *entry.session {
                    session = entry.session.as_ref().into();
                }
                self.prompt(&entry, client, &session, &file, number);
                self.command(&entry, &project, &file, number);
            }
        })
    }

    fn is_here(&mut self, project: &str) -> bool {
        if project.is_empty() {
            return false;
        }
        if let Some(known) = self.is_here.get(project) {
            return *known;
        }
        let real = || fs::canonicalize(project).is_ok_and(|real| real.to_string_lossy() == self.here.path.as_str());
        let found = folded(project) == self.here.path || real();
        self.is_here.insert(project.to_owned(), found);
        found
    }

    fn prompt(&mut self, entry: &Entry<'_>, client: Client, session: &Arc<str>, file: &Arc<str>, line: u32) {
        let mut hash = Xxh3::new();
        hash.update(entry.text.trim().as_bytes());
        if let Some(pasted) = entry.pasted.filter(|pasted| pasted.len() > 2) {
            hash.update(b"\0");
            hash.update(pasted.as_bytes());
        }
        self.history.prompts.push(Prompt {
            client,
            session: session.clone(),
            file: file.clone(),
            line,
            time: entry.time,
            text: hash.digest(),
            beginning: text::head(&entry.text, MAX_BEGINNING).to_owned(),
            routine: prompts::is_routine(&entry.text),
        });
        if self.history.prompts.len() >= 2 * MAX_PROMPTS {
            self.keep_newest();
        }
    }

    /// Only what the client itself took for a command: behind a `!`.
    fn command(&mut self, entry: &Entry<'_>, project: &str, file: &Arc<str>, line: u32) {
        let Some(command) = entry.text.trim().strip_prefix('!').map(str::trim).filter(|command| !command.is_empty()) else { return };
        let action = Action::Shell { command: command.to_owned().into(), dialect: Dialect::Bash };
        let event = Event {
            session: entry.session.to_string().into(),
            agent: Cow::Borrowed(""),
            cwd: project.to_owned().into(),
            branch: None,
            time: u64::try_from(entry.time).ok().map(|time| text::stamp(time).into()),
            line,
            kind: EventKind::CallEnded {
                call: Call::new("".into(), "!".into(), action, false),
                outcome: Outcome::Untold { output: Cow::Borrowed("") },
            },
            noted: Noted::default(),
        };
        self.history.commands.push((file.clone(), event));
        if self.history.commands.len() >= 2 * MAX_PROMPTS {
            self.keep_newest();
        }
    }

    fn keep_newest(&mut self) {
        let History { prompts, commands, .. } = &mut self.history;
        prompts.sort_by_key(|prompt| prompt.time);
        prompts.drain(..prompts.len().saturating_sub(MAX_PROMPTS));
        commands.sort_by(|(_, a), (_, b)| a.time.cmp(&b.time));
        commands.drain(..commands.len().saturating_sub(MAX_PROMPTS));
    }

    fn secrets(&mut self, entry: &Entry<'_>, project: &str, file: &Arc<str>, line: u32) {
        let Some(command) = Some(&entry.text).filter(|text| secrets::may_mention(text)).and_then(|text| prompts::typed_command(text))
        else {
            return;
        };
        for mut act in secrets::acts(command, Dialect::Bash, project, self.home) {
            if project.is_empty() && act.target == Target::Unknown {
                continue;
            }
            act.time = entry.time;
            act.place.session = entry.session.to_string();
            act.place.file = file.to_string();
            act.place.line = line;
            act.place.time = u64::try_from(entry.time).ok().filter(|time| *time > 0).map(text::stamp);
            self.history.secrets.push(act);
        }
    }
}

/// One line, in the form of either client.
#[derive(Debug, Default)]
struct Entry<'a> {
    text: Cow<'a, str>,
    pasted: Option<&'a str>,
    project: Option<Cow<'a, str>>,
    session: Cow<'a, str>,
    /// In milliseconds since 1970; 0 when unknown.
    time: i64,
}

impl<'a> Entry<'a> {
    /// `{display, pastedContents, timestamp, project, sessionId}` or `{session_id, ts, text}`.
    fn read(line: &'a str) -> Option<Self> {
        let mut entry = Entry::default();
        let whole = json::fields(line, &mut |key, value| {
            let take = |into: &mut Cow<'a, str>| {
                if let Some(text) = json::string(value).filter(|_| into.is_empty()) {
                    *into = text;
                }
            };
            match key {
                "display" | "text" | "command" => take(&mut entry.text),
                "sessionId" | "session_id" => take(&mut entry.session),
                "project" | "cwd" => entry.project = entry.project.take().or_else(|| json::string(value).filter(|text| !text.is_empty())),
                "timestamp" | "ts" if entry.time == 0 => entry.time = time(value),
                "pastedContents" => entry.pasted = Some(value.get()),
                _ => {}
            }
        });
        whole.then_some(entry)
    }
}

/// A number of seconds or milliseconds, or a time stamp in words.
fn time(value: Raw<'_>) -> i64 {
    /// In seconds, far away; in milliseconds, long ago.
    const EITHER: f64 = 1e11;
    if let Some(stamp) = json::string(value) {
        return text::millis(&stamp).and_then(|time| i64::try_from(time).ok()).unwrap_or_default();
    }
    let number: f64 = value.get().parse().unwrap_or(0.0);
    let millis = if number.abs() < EITHER { number * 1000.0 } else { number };
    #[expect(clippy::cast_possible_truncation, reason = "a cast of a float ends at the bounds")]
    let millis = millis as i64;
    millis.max(0)
}

/// Calls `each` with every line of a regular file and its number, counted from 1. Longer ones than [`MAX_LINE`] are
/// given empty.
fn each_line(path: &Path, each: &mut dyn FnMut(u32, &[u8])) -> io::Result<()> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut source = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut line = Vec::new();
    let mut too_long = false;
    for number in 1.. {
        loop {
            line.clear();
            source.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line)?;
            let ended = line.last() == Some(&b'\n') || line.len() < MAX_LINE;
            if !ended {
                too_long = true;
                continue;
            }
            break;
        }
        if line.is_empty() && !too_long {
            break;
        }
        each(number, if std::mem::take(&mut too_long) { b"?" } else { line.trim_ascii_end() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_from(files: &[(&str, &str)]) -> History {
        let home = tempfile::tempdir().expect("folder");
        for (name, text) in files {
            let file = home.path().join(name);
            fs::create_dir_all(file.parent().expect("folder")).expect("created");
            fs::write(file, text).expect("written");
        }
        let homes = Homes { claude: Some(home.path().join("claude")), codex: Some(home.path().join("codex")), home: "/home/u".into() };
        read(&homes, &Project { path: "/w/app".into(), ..Project::default() })
    }

    fn shown(history: &History) -> Vec<(&str, i64)> {
        history.prompts.iter().map(|prompt| (prompt.beginning.as_str(), prompt.time)).collect()
    }

    #[test]
    fn both_forms_are_read_whatever_is_around_them() {
        let claude = concat!(
            "\u{feff}{\"display\":\"one\",\"pastedContents\":{},\"timestamp\":1780304400000,\"project\":\"/w/app/\",\"sessionId\":\"s\"}\r\n",
            "null\n\n{\"display\":\"half\n",
            "{\"display\":\"elsewhere\",\"timestamp\":1780304400000,\"project\":\"/w/app2\",\"sessionId\":\"s\"}\n",
            "{\"display\":\"no time\",\"project\":\"/w/app\",\"sessionId\":\"s\"}\n",
            "{\"display\":\"no project\",\"timestamp\":1780304400000,\"sessionId\":\"s\"}\n",
            "{\"display\":\"two\",\"timestamp\":\"2026-06-01T09:00:00.000Z\",\"project\":\"/w/app\"}",
        );
        let id = "11111111-1111-4111-8111-111111111111";
        let codex = format!(
            "{{\"session_id\":\"{id}\",\"ts\":1780304401,\"text\":\"three\"}}\n{{\"session_id\":\"unknown\",\"ts\":1780304401,\"text\":\"x\"}}\n"
        );
        let rollout = format!("codex/sessions/2026/06/01/rollout-2026-06-01T09-00-01-{id}.jsonl");
        let meta = "{\"timestamp\":\"x\",\"type\":\"session_meta\",\"payload\":{\"id\":\"x\",\"cwd\":\"/w/app\"}}\nmore\n";
        let history = read_from(&[("claude/history.jsonl", claude), ("codex/history.jsonl", &codex), (&rollout, meta)]);
        assert_eq!(shown(&history), [("one", 1_780_304_400_000), ("two", 1_780_304_400_000), ("three", 1_780_304_401_000)]);
        assert_eq!((history.not_read, history.skipped.len()), (2, 0));
    }

    #[test]
    fn secrets_are_taken_from_commands_of_every_project() {
        let line = |display: &str, project: &str| format!("{{\"display\":{display:?},\"timestamp\":1,\"project\":{project:?}}}\n");
        let text = [
            line("! gh secret set A", "/w/lib"),
            line("how does gh secret set B work?", "/w/lib"),
            line("gh secret set C", ""),
            line("gh secret set D -R me/app", ""),
        ];
        let history = read_from(&[("claude/history.jsonl", &text.concat())]);
        let names: Vec<_> = history.secrets.iter().filter_map(|act| act.name.as_deref()).collect();
        assert_eq!(names, ["A", "D"]);
    }

    #[test]
    fn only_the_newest_are_kept_and_what_was_pasted_counts() {
        let line = |n| format!("{{\"display\":\"p\",\"pastedContents\":{{\"1\":{n}}},\"timestamp\":{n},\"project\":\"/w/app\"}}\n");
        let text = (1_000_000..1_000_000 + 3 * MAX_PROMPTS).map(line).collect::<Vec<_>>().concat();
        let history = read_from(&[("claude/history.jsonl", &text)]);
        assert_eq!(history.prompts.len(), MAX_PROMPTS);
        assert_ne!(history.prompts[0].text, history.prompts[1].text);
        assert_eq!(history.prompts[MAX_PROMPTS - 1].line as usize, 3 * MAX_PROMPTS);
    }
}
