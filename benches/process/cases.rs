//! The kinds of calls that are measured.

use std::fs;

use anyhow::Result;
use serde_json::{Value, json};

use crate::session::{Session, save_command};

/// Size of the file a `Read` brought, all of which is in the payload.
const READ_BYTES: usize = 1_000_000;
/// How many gate runs a long turn has.
const GATE_RUNS: usize = 300;

/// One kind of call.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// Brings the session to where the call is made (not measured), and gives its payload.
    pub(crate) prepare: fn(&mut Session) -> Result<Value>,
    pub(crate) denied: bool,
    /// The instructions that a later version may take, in percent of today's. More where vector instructions do most
    /// of the work, for a processor with narrower ones needs more of them. `None` where a clock bounds the work.
    pub(crate) headroom: Option<u64>,
}

/// The headroom of most calls, in percent.
const HEADROOM: Option<u64> = Some(125);

pub(crate) const CASES: &[Case] = &[
    Case {
        name: "before a shell call, nothing to say",
        prepare: |session| Ok(session.before("Bash", &json!({"command": "cargo test --all"}))),
        denied: false,
        headroom: HEADROOM,
    },
    Case {
        name: "before a copy to a shared temp path",
        prepare: |session| {
            let command = save_command(&session.shared(0));
            Ok(session.before("Bash", &json!({"command": command})))
        },
        denied: false,
        headroom: HEADROOM,
    },
    Case {
        name: "before a restore from there: denied",
        prepare: |session| {
            session.save(0)?;
            let command = format!("cp {} app.conf", session.shared(0).display());
            Ok(session.before("Bash", &json!({"command": command})))
        },
        denied: true,
        headroom: HEADROOM,
    },
    Case {
        name: "after a read of 1 MB",
        prepare: |session| {
            let path = session.project().join("big.txt");
            let input = json!({"file_path": path});
            let before = session.before("Read", &input);
            session.send(&before)?;
            let line = "a line of \"quoted\" text\tto read, as long as most are\n";
            let content = line.repeat(READ_BYTES / line.len());
            let file = json!({"filePath": path, "content": content, "numLines": 1, "startLine": 1, "totalLines": 1});
            Ok(session.after("Read", &input, &json!({"type": "text", "file": file})))
        },
        denied: false,
        headroom: Some(250),
    },
    Case {
        name: "after a shell call",
        prepare: |session| {
            let input = json!({"command": "git log --oneline -3"});
            Ok(session.after("Bash", &input, &json!({"stdout": "1a2b3c4 one\n2b3c4d5 two\n3c4d5e6 three", "stderr": ""})))
        },
        denied: false,
        headroom: HEADROOM,
    },
    Case {
        name: "after a test run",
        prepare: |session| {
            let line = "test module::case_of_some_length ... ok\n";
            let output = line.repeat(600) + "\ntest result: ok. 600 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
            Ok(session.after("Bash", &json!({"command": "cargo test --all"}), &json!({"stdout": output, "stderr": ""})))
        },
        denied: false,
        headroom: HEADROOM,
    },
    Case { name: "end of a turn", prepare: |session| Ok(session.stop("The module is changed.")), denied: false, headroom: HEADROOM },
    Case {
        name: "end of a turn with 300 gate runs",
        prepare: |session| {
            for n in 0..GATE_RUNS {
                session.shell(&format!("cargo test module_{n}"), "test result: ok. 3 passed; 0 failed; 0 ignored")?;
            }
            session.shell("cargo test && cargo clippy", "test result: ok. 900 passed; 0 failed; 0 ignored")?;
            Ok(session.stop("The module is changed. All tests pass and clippy is clean."))
        },
        denied: false,
        headroom: HEADROOM,
    },
    Case {
        name: "before a shell call, state lost",
        prepare: |session| {
            fs::remove_dir_all(session.state())?;
            fs::create_dir(session.state())?;
            Ok(session.before("Bash", &json!({"command": "cargo test --all"})))
        },
        denied: false,
        headroom: None,
    },
];
