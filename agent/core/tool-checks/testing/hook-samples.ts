import type { RequestedToolCall, HookClient } from '../tool-event.ts';

export interface HookSample {
  client: HookClient;
  /** The input of the hook according to the client's documentation. */
  event: object;
  call: Omit<RequestedToolCall, 'client'> | 'skip';
}

const claude = {
  session_id: 'session-1',
  transcript_path: '/home/grace/.claude/projects/x/session-1.jsonl',
  cwd: '/home/grace/x',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_use_id: 'toolu_01',
};
const codex = {
  session_id: 'session-1',
  turn_id: 'turn-1',
  transcript_path: null,
  cwd: '/home/grace/x',
  hook_event_name: 'PreToolUse',
  model: 'gpt-5.1-codex',
  permission_mode: 'default',
  tool_use_id: 'call_1',
};
const gemini = {
  session_id: 'session-1',
  transcript_path: '/home/grace/.gemini/tmp/x/chats/session.json',
  cwd: '/home/grace/x',
  hook_event_name: 'BeforeTool',
  timestamp: '2026-11-22T10:00:00.000Z',
};
const cursor = {
  conversation_id: 'session-1',
  generation_id: 'gen-1',
  model: 'claude-sonnet-4-6',
  cursor_version: '2.0.77',
  workspace_roots: ['/home/grace/x'],
  user_email: 'grace@example.com',
};
const copilot = { sessionId: 'session-1', timestamp: 1_792_540_800_000, cwd: '/home/grace/x' };
const goose = {
  event: 'PreToolUse',
  session_id: 'session-1',
  tool_call_id: 'call_1',
  working_dir: '/home/grace/x',
};
const SESSION = 'session-1';
const command = { command: 'git push origin main' };

export const hookSamples: readonly HookSample[] = [
  {
    client: 'claude-code',
    event: { ...claude, tool_name: 'Bash', tool_input: command },
    call: { tool: 'Bash', mcp_server: null, session: SESSION },
  },
  {
    client: 'claude-code',
    event: { ...claude, tool_name: 'mcp__github__delete_repo', tool_input: { repo: 'x' } },
    call: { tool: 'delete_repo', mcp_server: 'github', session: SESSION },
  },
  {
    client: 'codex',
    event: { ...codex, tool_name: 'Bash', tool_input: command },
    call: { tool: 'Bash', mcp_server: null, session: SESSION },
  },
  {
    client: 'codex',
    event: { ...codex, tool_name: 'mcp__files__read', tool_input: { path: 'a' } },
    call: { tool: 'read', mcp_server: 'files', session: SESSION },
  },
  {
    client: 'gemini-cli',
    event: { ...gemini, tool_name: 'run_shell_command', tool_input: command },
    call: { tool: 'run_shell_command', mcp_server: null, session: SESSION },
  },
  {
    client: 'gemini-cli',
    event: {
      ...gemini,
      tool_name: 'mcp_files_read',
      tool_input: { path: 'a' },
      mcp_context: { server_name: 'files', tool_name: 'read', command: 'npx', args: ['files'] },
    },
    call: { tool: 'read', mcp_server: 'files', session: SESSION },
  },
  {
    client: 'cursor',
    event: { ...cursor, ...command, hook_event_name: 'beforeShellExecution', cwd: '/home/grace' },
    call: { tool: 'Shell', mcp_server: null, session: SESSION },
  },
  {
    client: 'cursor',
    event: {
      ...cursor,
      hook_event_name: 'beforeMCPExecution',
      tool_name: 'read',
      tool_input: '{"path":"a"}',
      url: 'https://mcp.example.com:8443/mcp',
    },
    call: { tool: 'read', mcp_server: 'mcp.example.com', session: SESSION },
  },
  {
    client: 'cursor',
    event: {
      ...cursor,
      hook_event_name: 'beforeMCPExecution',
      tool_name: 'read',
      tool_input: '{}',
      command: 'npx -y files:1',
    },
    call: { tool: 'read', mcp_server: 'npx -y files_1', session: SESSION },
  },
  {
    client: 'cursor',
    event: {
      ...cursor,
      hook_event_name: 'beforeMCPExecution',
      tool_name: 'MCP:files:read',
      tool_input: {},
    },
    call: { tool: 'read', mcp_server: 'files', session: SESSION },
  },
  {
    client: 'cursor',
    event: { ...cursor, hook_event_name: 'preToolUse', tool_name: 'Write', tool_input: {} },
    call: { tool: 'Write', mcp_server: null, session: SESSION },
  },
  {
    client: 'cursor',
    event: { ...cursor, hook_event_name: 'preToolUse', tool_name: 'Shell', tool_input: command },
    call: 'skip',
  },
  {
    client: 'copilot',
    event: { ...copilot, toolName: 'bash', toolArgs: JSON.stringify(command) },
    call: { tool: 'bash', mcp_server: null, session: SESSION },
  },
  {
    client: 'goose',
    event: { ...goose, matcher_context: 'shell', tool_name: 'shell', tool_input: command },
    call: { tool: 'shell', mcp_server: null, session: SESSION },
  },
  {
    client: 'goose',
    event: { ...goose, matcher_context: 'github__get', tool_name: 'github__get', tool_input: {} },
    call: { tool: 'get', mcp_server: 'github', session: SESSION },
  },
];
