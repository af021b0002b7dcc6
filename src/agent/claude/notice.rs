//! `<task-notification>`: how the client tells that background work came to an end, in the shape of a prompt.

use crate::session::event::{TaskEnd, TaskStatus};

const OPEN: &str = "<task-notification>";

/// How many tasks one notice may tell of.
const MAX_TASKS: usize = 32;

/// Is the text such a notice?
pub(super) fn is_task_notification(prompt: &str) -> bool {
    prompt.trim_start().starts_with(OPEN)
}

/// The tasks that a notice tells of.
pub(super) fn tasks(notice: &str) -> Vec<TaskEnd> {
    notice.split(OPEN).skip(1).filter_map(task).take(MAX_TASKS).collect()
}

fn task(notice: &str) -> Option<TaskEnd> {
    // What the task printed or reported comes last, and may hold anything.
    let told = notice.split("<result>").next().unwrap_or_default();
    let summary = within(told, "summary").unwrap_or_default();
    let end = match (exit_status(summary), within(told, "status").unwrap_or_default()) {
        (Some(status), _) => TaskStatus::Exited(status),
        (None, "completed") => TaskStatus::Completed,
        (None, "failed") => TaskStatus::Failed,
        (None, _) => TaskStatus::Stopped,
    };
    Some(TaskEnd { task: within(told, "task-id")?.to_owned(), call: within(told, "tool-use-id").unwrap_or_default().to_owned(), end })
}

/// The number behind `exit code`, after the command, which stands in quotes.
fn exit_status(summary: &str) -> Option<i32> {
    let after = summary.rsplit('"').next()?;
    let (_, number) = after.split_once("exit code ")?;
    number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn within<'t>(text: &'t str, tag: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{tag}>"))?;
    Some(rest.split_once(&format!("</{tag}>"))?.0.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_tells_how_each_task_ended() {
        let notice = |status: &str, summary: &str| {
            format!(
                "<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>toolu_1</tool-use-id>\n<status>{status}</status>\n\
                 <summary>{summary}</summary>\n</task-notification>"
            )
        };
        let ends = |text: &str| tasks(text).into_iter().map(|task| task.end).collect::<Vec<_>>();
        for (status, summary, want) in [
            ("completed", "Background command \"npm test\" completed (exit code 0)", TaskStatus::Exited(0)),
            ("failed", "Background command \"echo exit code 7\" failed with exit code 2", TaskStatus::Exited(2)),
            ("completed", "Agent \"look\" finished", TaskStatus::Completed),
            ("failed", "Background command \"x\" failed", TaskStatus::Failed),
            ("killed", "Background command \"exit code 3\" was stopped", TaskStatus::Stopped),
        ] {
            assert_eq!(ends(&notice(status, summary)), [want], "{summary}");
        }
        let two = notice("failed", "\"a\" failed with exit code 1") + "\n" + &notice("completed", "\"b\" completed (exit code 0)");
        assert_eq!(ends(&two), [TaskStatus::Exited(1), TaskStatus::Exited(0)]);
        assert_eq!(ends("<task-notification>"), []);
        let task = &tasks(&notice("completed", "x"))[0];
        assert_eq!((task.task.as_str(), task.call.as_str()), ("b1", "toolu_1"));
    }
}
