//! What a rollout holds that says nothing for a rule, or only repeats what stands elsewhere.

/// Lines that hold nothing for a rule, by the type of their envelope. Sorted.
pub(super) const LINES: &[&str] = &["ghost_snapshot", "inter_agent_communication", "thread_metadata", "token_usage_record", "world_state"];

/// Items of the conversation that hold nothing for a rule. Sorted.
pub(super) const ITEMS: &[&str] = &[
    "additional_tools",
    "agent_message",
    "compaction",
    "compaction_summary",
    "compaction_trigger",
    "context_compaction",
    "ghost_snapshot",
    "image_generation_call",
    "other",
    "reasoning",
    "tool_search_call",
    "tool_search_output",
    "web_search_call",
];

/// Events that hold nothing for a rule, or repeat what stands elsewhere. Sorted.
pub(super) const EVENTS: &[&str] = &[
    "agent_reasoning",
    "agent_reasoning_raw_content",
    "agent_reasoning_section_break",
    "background_event",
    "collab_agent_interaction_end",
    "collab_agent_spawn_end",
    "collab_close_end",
    "collab_resume_end",
    "collab_waiting_end",
    "context_compacted",
    "deprecation_notice",
    "dynamic_tool_call_request",
    "dynamic_tool_call_response",
    "entered_review_mode",
    "error",
    "exec_command_begin",
    "exec_command_output_delta",
    "exited_review_mode",
    "guardian_assessment",
    "hook_completed",
    "hook_started",
    "image_generation_end",
    "item_started",
    "mcp_tool_call_begin",
    "mcp_tool_call_end",
    "model_reroute",
    "patch_apply_begin",
    "plan_update",
    "session_configured",
    "shutdown_complete",
    "stream_error",
    "sub_agent_activity",
    "task_aborted",
    "terminal_interaction",
    "thread_goal_updated",
    "thread_name_updated",
    "thread_rolled_back",
    "thread_settings_applied",
    "token_count",
    "token_usage_record",
    "turn_diff",
    "undo_completed",
    "undo_started",
    "view_image_tool_call",
    "warning",
    "web_search_begin",
    "web_search_end",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        for table in [LINES, ITEMS, EVENTS] {
            assert!(table.is_sorted(), "{table:?}");
        }
    }
}
