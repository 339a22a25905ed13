import type { z } from 'zod';
import {
  type CallRecord,
  checkResponse,
  listResponse,
  type RecordRequest,
} from '#agent/core/tool-checks/gateway-messages.ts';
import { requestFromAgent } from '../tool-checks/agent-client.ts';

export interface AgentLinkOptions {
  socket: string;
  server: string;
  session: string;
  /** Returns the client's name; empty before the client has sent it. */
  clientName: () => string;
  /** Refuses calls if no agent responds. */
  failClosed: boolean;
}

export interface AgentLink {
  /** Resolves to the reason why a call is refused; null if it is allowed. */
  checkTool: (tool: string) => Promise<string | null>;
  /** Resolves to those of these tools that are refused. */
  filterRefused: (tools: readonly string[]) => Promise<ReadonlySet<string>>;
  record: (calls: CallRecord[], ended: RecordRequest['ended']) => void;
  /** Resolves once the agent has received all records, or does not respond. */
  whenFlushed: () => Promise<unknown>;
}

/** The time limit of a check, longer than the agent waits for the control plane. */
const CHECK_TIMEOUT_MS = 35_000;
const TIMEOUT_MS = 2000;

const NO_RESPONSE_MESSAGE =
  'Blocked: the Gatehouse agent on this device does not answer, and tools may not be used without it.';

/** The gateway's requests to the agent. */
export function createAgentLink(options: AgentLinkOptions): AgentLink {
  const { socket, server, session, clientName, failClosed } = options;
  let sending: Promise<unknown> = Promise.resolve();

  const send = (path: string, fields: object, timeoutMs: number) => {
    const message = { client_name: clientName().slice(0, 500), server, session, ...fields };
    return requestFromAgent(socket, path, JSON.stringify(message), timeoutMs);
  };
  const request = async <S extends z.ZodType>(
    schema: S,
    ...[path, fields, timeoutMs]: Parameters<typeof send>
  ): Promise<z.output<S> | null> => {
    const response = await send(path, fields, timeoutMs);
    return response?.status === 200 ? schema.parse(JSON.parse(response.body)) : null;
  };
  return {
    checkTool: async (tool) => {
      const response = await request(checkResponse, '/mcp/check', { tool }, CHECK_TIMEOUT_MS);
      if (!response) return failClosed ? NO_RESPONSE_MESSAGE : null;
      return response.decision === 'allow' ? null : response.message;
    },
    filterRefused: async (tools) => {
      const response = await request(listResponse, '/mcp/list', { tools }, TIMEOUT_MS);
      return new Set(response?.refused);
    },
    record: (calls, ended) => {
      sending = Promise.all([sending, send('/mcp/calls', { calls, ended }, TIMEOUT_MS)]);
    },
    whenFlushed: () => sending,
  };
}
