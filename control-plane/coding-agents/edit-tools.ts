/** Tools of coding agents that change files, by the names that telemetry gives them. */
export const editTools: readonly string[] = [
  // Claude Code
  'Edit',
  'MultiEdit',
  'Write',
  'NotebookEdit',
  // Codex
  'apply_patch',
  // Gemini CLI and Qwen Code
  'replace',
  'write_file',
  // Qwen Code, opencode and GitHub Copilot
  'edit',
  'write',
  'create',
  'patch',
];
