import type { ToolCall, ToolClient } from '#contract/tool-checks.ts';

/** The members of a call that a hook or the gateway provides. */
export type RequestedToolCall = Pick<ToolCall, 'client' | 'tool' | 'mcp_server' | 'session'>;

/** Clients with hooks. */
export const hookClients = [
  'claude-code',
  'codex',
  'gemini-cli',
  'cursor',
  'copilot',
  'qwen-code',
  'opencode',
  'goose',
] as const;
export type HookClient = (typeof hookClients)[number];

export const isHookClient = (name: string): name is HookClient =>
  hookClients.some((one) => one === name);

type Payload = Readonly<Record<string, unknown>>;

/**
 * The call in a client's hook event, in that client's format; `skip` for an event that another hook
 * of the same client covers.
 */
export function readToolEvent(
  client: HookClient,
  payload: unknown,
): RequestedToolCall | 'skip' | { error: string } {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return { error: `${client}: expected a JSON object` };
  const read = readers[client](payload as Payload);
  if (read === 'skip') return 'skip';
  const { tool, server, session } = read;
  if (tool === null) return { error: `${client}: the event names no tool` };
  return {
    client,
    tool: tool.slice(0, 300),
    mcp_server: server === null ? null : serverName(server),
    session: session?.slice(0, 200) ?? null,
  };
}

interface ReadEvent {
  tool: string | null;
  server: string | null;
  session: string | null;
}

const readers: Readonly<Record<HookClient, (payload: Payload) => ReadEvent | 'skip'>> = {
  'claude-code': readClaude,
  // The same format as Claude Code.
  codex: readClaude,
  'gemini-cli': readGemini,
  cursor: readCursor,
  copilot: readCopilot,
  // The same format as Claude Code, with its own tools.
  'qwen-code': readClaude,
  // Its plugin is Gatehouse's own, and uses this format.
  opencode: readClaude,
  goose: readGoose,
};

/** https://code.claude.com/docs/en/hooks and https://developers.openai.com/codex/hooks */
function readClaude(payload: Payload): ReadEvent {
  const name = textIn(payload, 'tool_name');
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name ?? '') ?? [];
  return { tool: tool ?? name, server: server ?? null, session: textIn(payload, 'session_id') };
}

/** https://geminicli.com/docs/hooks/reference */
function readGemini(payload: Payload): ReadEvent {
  const mcp = (payload.mcp_context ?? {}) as Payload;
  return {
    tool: textIn(mcp, 'tool_name') ?? textIn(payload, 'tool_name'),
    server: textIn(mcp, 'server_name'),
    session: textIn(payload, 'session_id'),
  };
}

/**
 * https://cursor.com/docs/agent/hooks. Commands and MCP tools have their own events, which can ask;
 * `preToolUse` covers all other tools. The events do not name the MCP server: it is identified by
 * its host or its command.
 */
function readCursor(payload: Payload): ReadEvent | 'skip' {
  const session = textIn(payload, 'conversation_id');
  const name = textIn(payload, 'tool_name');
  switch (textIn(payload, 'hook_event_name')) {
    case 'beforeShellExecution':
      return { tool: 'Shell', server: null, session };
    case 'beforeMCPExecution': {
      const [, server, tool] = /^MCP:([^:]+):(.+)$/s.exec(name ?? '') ?? [];
      if (tool !== undefined) return { tool, server: server ?? null, session };
      return { tool: name?.replace(/^MCP:/, '') ?? null, server: cursorServer(payload), session };
    }
    default:
      if (name === 'Shell' || name?.startsWith('MCP:')) return 'skip';
      return { tool: name, server: null, session };
  }
}

function cursorServer(payload: Payload): string {
  const url = textIn(payload, 'url');
  const host = url !== null && URL.canParse(url) ? new URL(url).hostname : null;
  return host || textIn(payload, 'command') || 'unknown';
}

/** https://docs.github.com/en/copilot/reference/hooks-reference */
function readCopilot(payload: Payload): ReadEvent {
  return {
    tool: textIn(payload, 'toolName') ?? textIn(payload, 'tool_name'),
    server: null,
    session: textIn(payload, 'sessionId') ?? textIn(payload, 'session_id'),
  };
}

/**
 * https://github.com/aaif-goose/goose, `crates/goose/src/hooks/mod.rs` (3dafa522), and recorded from
 * 1.52.0. The prefix of a tool is its extension, which is an MCP server; Goose's own tools for files
 * and commands have none.
 */
function readGoose(payload: Payload): ReadEvent {
  const name = textIn(payload, 'tool_name');
  const [, server, tool] = /^(.+?)__(.+)$/s.exec(name ?? '') ?? [];
  return { tool: tool ?? name, server: server ?? null, session: textIn(payload, 'session_id') };
}

function textIn(payload: Payload, key: string): string | null {
  const value = payload[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The server name in policies: without the colon that separates it from its tools. */
export const serverName = (name: string): string =>
  name.replaceAll(':', '_').slice(0, 200) || 'unknown';

/** The client with this name in `clientInfo`. */
export function clientOfInfo(name: string): ToolClient {
  const found = clientNames.find(([pattern]) => pattern.test(name));
  return found ? found[1] : 'mcp-gateway';
}

const clientNames: readonly (readonly [RegExp, ToolClient])[] = [
  [/^claude-code\b/i, 'claude-code'],
  [/^codex\b/i, 'codex'],
  [/^gemini-cli\b/i, 'gemini-cli'],
  [/^cursor\b/i, 'cursor'],
  [/^(github-copilot|copilot)\b/i, 'copilot'],
  [/^qwen-(code|cli)\b/i, 'qwen-code'],
  [/^opencode\b/i, 'opencode'],
  [/^goose\b/i, 'goose'],
];
