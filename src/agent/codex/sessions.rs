//! The sessions on disk: a rollout each, and those of its subagents, which stand among the others.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{layout, rollout};
use crate::agent::transcript::Head;

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id, as its rollout says.
    pub id: String,
    /// The main agent's rollout.
    pub transcript: PathBuf,
    /// Its subagents' rollouts.
    pub subagents: Vec<PathBuf>,
    /// Where it worked; empty when nothing in the rollout says so.
    pub cwd: PathBuf,
}

/// All sessions, in the order of their rollouts' names, which is that of time. Of each rollout the start is read.
pub fn all(home: &Path) -> Vec<Session> {
    let (mut sessions, mut subagents) = (Vec::new(), Vec::new());
    for path in layout::rollouts(home) {
        let head = rollout::head(&path);
        if head.agent.is_empty() { sessions.push(session(path, head)) } else { subagents.push((path, head)) }
    }
    let mut by_id: HashMap<String, usize> = HashMap::new();
    for (at, session) in sessions.iter().enumerate() {
        by_id.entry(session.id.clone()).or_insert(at);
    }
    for (path, head) in subagents {
        // A session of which only the subagents' rollouts are left is still one.
        if let Some(at) = by_id.get(&head.session) {
            sessions[*at].subagents.push(path);
        } else {
            by_id.insert(head.session.clone(), sessions.len());
            sessions.push(session(path, head));
        }
    }
    sessions
}

/// The session of this rollout, and of its subagents' in the same folder.
pub fn at(path: &Path) -> Session {
    let head = rollout::head(path);
    let is_of_it = |other: &PathBuf| {
        let of = rollout::head(other);
        other != path && !of.agent.is_empty() && of.session == head.session
    };
    let subagents = if head.agent.is_empty() { layout::beside(path).into_iter().filter(is_of_it).collect() } else { Vec::new() };
    Session { subagents, ..session(path.to_owned(), head) }
}

fn session(transcript: PathBuf, head: Head) -> Session {
    let id = if head.session.is_empty() { layout::session_id(&transcript) } else { head.session };
    Session { id, transcript, subagents: Vec::new(), cwd: head.cwd.into() }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    #[test]
    fn subagents_belong_to_their_session_packed_or_not() {
        let home = tempfile::tempdir().expect("folder");
        let put = |name: &str, content: &[u8]| {
            let path = home.path().join(name);
            fs::create_dir_all(path.parent().expect("folder")).expect("folder");
            fs::write(&path, content).expect("file");
            path
        };
        let rollout = |id: &str, source: &str, cwd: &str| {
            format!(
                "{{\"timestamp\":\"t\",\"type\":\"session_meta\",\"payload\":{{\"id\":\"{id}\",\"cwd\":\"{cwd}\",\"source\":{source}}}}}\n\
                 {{\"timestamp\":\"t\",\"type\":\"event_msg\",\"payload\":{{\"type\":\"user_message\",\"message\":\"hi\"}}}}\n"
            )
        };
        let of = |parent: &str| format!("{{\"subagent\":{{\"thread_spawn\":{{\"parent_thread_id\":\"{parent}\"}}}}}}");
        let packed = |text: String| compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
        let plain = put("sessions/2026/11/30/rollout-2-b.jsonl", rollout("b", "\"cli\"", "/w/app").as_bytes());
        put("sessions/2026/11/30/rollout-2-b.jsonl.zst", &packed(rollout("b", "\"cli\"", "/w/app")));
        let below = put("archived_sessions/rollout-1-a.jsonl.zstd", &packed(rollout("a", "\"cli\"", "/w/app/sub")));
        let agent = put("sessions/2026/11/30/rollout-3-c.jsonl.zst", &packed(rollout("c", &of("b"), "/w/app")));
        let orphan = put("sessions/2026/11/30/rollout-4-d.jsonl", rollout("d", &of("gone"), "/w/app").as_bytes());
        let empty = put("sessions/2026/11/29/rollout-5-e.jsonl", b"");
        let broken = put("sessions/2026/11/29/rollout-6-f.jsonl.zst", b"no frame");
        put("sessions/2026/11/29/notes.jsonl", rollout("n", "\"cli\"", "/w/app").as_bytes());
        let session = |id: &str, transcript: &Path, subagents: &[&PathBuf], cwd: &str| Session {
            id: id.to_owned(),
            transcript: transcript.to_owned(),
            subagents: subagents.iter().map(|path| (*path).clone()).collect(),
            cwd: cwd.into(),
        };
        assert_eq!(
            all(home.path()),
            [
                session("a", &below, &[], "/w/app/sub"),
                session("b", &plain, &[&agent], "/w/app"),
                session("rollout-5-e", &empty, &[], ""),
                session("rollout-6-f", &broken, &[], ""),
                session("gone", &orphan, &[], "/w/app"),
            ]
        );
        assert_eq!(at(&plain), session("b", &plain, &[&agent], "/w/app"));
        assert_eq!(at(&agent), session("b", &agent, &[], "/w/app"));
        assert_eq!(all(Path::new("/nowhere")), []);
    }
}
