import { readClientLine } from '#agent/core/mcp-gateway/client-messages.ts';
import { asciiLine } from '#agent/core/mcp-gateway/exact-json.ts';
import {
  calledTool,
  keyOfId,
  messagesOf,
  refusalOf,
  type RpcMessage,
  toolNames,
  withoutTools,
} from '#agent/core/mcp-gateway/json-rpc.ts';
import type { AgentLink } from './agent-link.ts';
import type { CallLog } from './call-log.ts';

export interface MessageRelayOptions {
  agent: Pick<AgentLink, 'checkTool' | 'filterRefused'>;
  calls: CallLog;
  toServer: (line: string) => Promise<void>;
  toClient: (line: Buffer | string) => Promise<void>;
  /** Called with the client's name. */
  onClientName: (name: string) => void;
}

export interface MessageRelay {
  fromClient: (line: Buffer) => Promise<void>;
  fromServer: (line: Buffer) => Promise<void>;
  /** Resolves once every call was forwarded or refused. */
  whenSettled: () => Promise<void>;
}

/**
 * Forwards a server's lines unchanged. A client's messages are serialized again, so that the server
 * reads what was checked, however it treats duplicate members, encodings and ends of lines. A tool
 * call waits for its check, and calls keep their order; other lines may overtake them.
 */
export function createMessageRelay(options: MessageRelayOptions): MessageRelay {
  const { agent, calls, toServer, toClient, onClientName } = options;
  /** Pending requests for the list of tools. */
  const pendingLists = new Set<string>();
  /** Calls that wait for their check, and whether they were cancelled. */
  const pendingChecks = new Map<string, { cancelled: boolean }>();
  let checking: Promise<void> = Promise.resolve();

  /** Whether the message is sent to the server. */
  const shouldForward = async (message: RpcMessage): Promise<boolean> => {
    const tool = calledTool(message);
    if (tool === null) return true;
    const key = keyOfId(message.id);
    const refusal = await agent.checkTool(tool);
    const wasCancelled = pendingChecks.get(key)?.cancelled ?? false;
    pendingChecks.delete(key);
    if (wasCancelled) return false;
    if (refusal === null) {
      if (message.id !== undefined) calls.started(message, tool);
      return true;
    }
    calls.refused(message, tool, refusal);
    if (message.id !== undefined)
      await toClient(`${JSON.stringify(refusalOf(message.id, refusal))}\n`);
    return false;
  };

  const forward = async (messages: RpcMessage[], isBatch: boolean): Promise<void> => {
    if (messages.length > 0) await toServer(asciiLine(isBatch ? messages : messages[0]));
  };

  const check = async (messages: RpcMessage[], isBatch: boolean): Promise<void> => {
    const admitted: RpcMessage[] = [];
    for (const message of messages) if (await shouldForward(message)) admitted.push(message);
    await forward(admitted, isBatch);
  };

  /** Whether this message cancels a request that the server has not received. */
  const cancelsPendingCheck = ({ method, params }: RpcMessage): boolean => {
    if (method !== 'notifications/cancelled') return false;
    const id = params?.requestId as RpcMessage['id'];
    const held = pendingChecks.get(keyOfId(id));
    if (held) held.cancelled = true;
    else calls.cancelled(id);
    return held !== undefined;
  };

  const withoutRefusedTools = async (message: RpcMessage): Promise<RpcMessage> => {
    const key = keyOfId(message.id);
    if (message.method !== undefined || !pendingLists.delete(key)) return message;
    const refused = await agent.filterRefused(toolNames(message));
    return refused.size === 0 ? message : withoutTools(message, refused);
  };

  return {
    fromClient: async (line) => {
      const { messages, refusals, isBatch } = readClientLine(line);
      for (const refusal of refusals) await toClient(asciiLine(refusal));
      for (const message of messages) {
        if (message.method === 'initialize') onClientName(clientNameIn(message));
        if (message.method === 'tools/list') pendingLists.add(keyOfId(message.id));
      }
      if (messages.length === 1 && messages[0] && cancelsPendingCheck(messages[0])) return;
      const called = messages.filter((message) => calledTool(message) !== null);
      if (called.length === 0) return forward(messages, isBatch);
      for (const { id } of called) pendingChecks.set(keyOfId(id), { cancelled: false });
      checking = checking.then(() => check(messages, isBatch));
    },
    fromServer: async (line) => {
      const { messages, isBatch } = messagesOf(line.toString());
      const passed: RpcMessage[] = [];
      for (const message of messages) {
        if (message.method === undefined) calls.completed(message);
        passed.push(await withoutRefusedTools(message));
      }
      if (passed.every((message, index) => message === messages[index])) return toClient(line);
      await toClient(`${JSON.stringify(isBatch ? passed : passed[0])}\n`);
    },
    whenSettled: () => checking,
  };
}

function clientNameIn({ params }: RpcMessage): string {
  const { name } = (params?.clientInfo ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : '';
}
