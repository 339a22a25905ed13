import { type ExactNumber, parseExactly } from './exact-json.ts';

/** The members of JSON-RPC messages that a gateway reads. */
export interface RpcMessage {
  id?: string | number | ExactNumber | null;
  method?: string;
  params?: Readonly<Record<string, unknown>>;
  result?: Readonly<Record<string, unknown>>;
  error?: { message?: unknown };
}

/** The messages of a server's line: several for a batch, none if it is not a message. */
export function messagesOf(line: string): { messages: RpcMessage[]; isBatch: boolean } {
  let parsed: unknown;
  try {
    parsed = parseExactly(line);
  } catch {
    return { messages: [], isBatch: false };
  }
  const all: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return { messages: all.filter(isObject), isBatch: Array.isArray(parsed) };
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Ids of different types are different. */
export const keyOfId = (id: RpcMessage['id']): string => JSON.stringify(id ?? null);

export const TOOL_CALL = 'tools/call';

/** The tool that a message calls; null if it calls none. */
export const calledTool = ({ method, params }: RpcMessage): string | null =>
  method === TOOL_CALL && typeof params?.name === 'string' ? params.name : null;

/** A tool error as MCP defines it, which the model reads. */
export const refusalOf = (id: RpcMessage['id'], text: string) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }], isError: true },
});

/** Why a call failed; null if it succeeded. */
export function failureOf({ error, result }: RpcMessage): string | null {
  if (error) return typeof error.message === 'string' ? error.message : 'error';
  return result?.isError === true ? 'the tool reported an error' : null;
}

/** The response to `tools/list`, without the refused tools. */
export function withoutTools(message: RpcMessage, refused: ReadonlySet<string>): RpcMessage {
  const tools = toolsIn(message).filter((tool) => !refused.has(nameOf(tool) ?? ''));
  return { ...message, result: { ...message.result, tools } };
}

export const toolNames = (message: RpcMessage): string[] =>
  toolsIn(message).flatMap((tool) => nameOf(tool) ?? []);

const toolsIn = ({ result }: RpcMessage): unknown[] =>
  Array.isArray(result?.tools) ? (result.tools as unknown[]) : [];

const nameOf = (tool: unknown): string | undefined => {
  const { name } = (tool ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : undefined;
};
