import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';

/** The events of Cursor's hooks that tests need, with the fields of each. */
export interface CursorHookEvents {
  beforeSubmitPrompt: { prompt: string; attachments?: object[] };
  afterAgentResponse: { text: string } & Partial<CursorTokens>;
  preToolUse: { tool_name: string; tool_input: object; tool_use_id: string };
  postToolUse: {
    tool_name: string;
    tool_input: object;
    tool_output: string;
    tool_use_id: string;
    duration: number;
  };
  postToolUseFailure: {
    tool_name: string;
    tool_input: object;
    tool_use_id: string;
    error_message: string;
    failure_type: 'error' | 'timeout' | 'permission_denied';
    duration: number;
    is_interrupt: boolean;
  };
  afterFileEdit: { file_path: string; edits: { old_string: string; new_string: string }[] };
  stop: { status: 'completed' | 'aborted' | 'error'; loop_count: number } & Partial<CursorTokens>;
}

export interface CursorTokens {
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
}

/** What Cursor adds to each event. */
export interface CursorCommonFields {
  conversation_id: string;
  generation_id: string;
  model: string;
  user_email: string | null;
}

export interface CursorHookRun {
  command: string;
  code: number | null;
  /** The parsed standard output; undefined if it is empty. */
  output: unknown;
  timedOut: boolean;
}

/** Cursor's limit for a hook without `timeout`, in seconds. */
const DEFAULT_TIMEOUT = 60;

/**
 * Does what Cursor documents about hooks for all users (https://cursor.com/docs/agent/hooks): reads
 * `hooks.json`, and runs the entries of an event one after the other in the folder of the file, with
 * the event as JSON on standard input. Cursor itself is not available to tests. The fields, and the
 * types of their values, are those of payloads recorded from Cursor 3.7.27
 * (dash0hq/dash0-agent-plugin@3a3e836, internal/source/cursor/cursor_test.go).
 */
export async function fireCursorHooks<K extends keyof CursorHookEvents>(
  file: string,
  name: K,
  fields: CursorHookEvents[K],
  common: CursorCommonFields,
): Promise<CursorHookRun[]> {
  const event = {
    ...common,
    session_id: common.conversation_id,
    hook_event_name: name,
    cursor_version: '3.24.18',
    workspace_roots: ['/home/grace/x'],
    transcript_path: null,
    ...fields,
  };
  const runs: CursorHookRun[] = [];
  for (const entry of entriesOf(file, name))
    runs.push(await runEntry(entry, JSON.stringify(event), dirname(file)));
  return runs;
}

interface Entry {
  command: string;
  timeout?: number;
}

function entriesOf(file: string, name: string): Entry[] {
  if (!existsSync(file)) return [];
  const { version, hooks = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
    version?: number;
    hooks?: Record<string, Entry[]>;
  };
  if (version !== 1) throw new Error(`${file}: version is ${String(version)}`);
  return hooks[name] ?? [];
}

async function runEntry(
  { command, timeout = DEFAULT_TIMEOUT }: Entry,
  event: string,
  cwd: string,
): Promise<CursorHookRun> {
  mkdirSync(cwd, { recursive: true });
  const child = spawn('/bin/sh', ['-c', command], { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill('SIGKILL');
  }, timeout * 1000);
  child.stdin.on('error', () => undefined);
  child.stdin.end(event);
  const [out, code] = await Promise.all([
    text(child.stdout),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  clearTimeout(timer);
  return { command, code, timedOut, output: out.trim() === '' ? undefined : JSON.parse(out) };
}
