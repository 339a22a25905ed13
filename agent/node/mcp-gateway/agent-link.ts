import type { z } from 'zod';
import {
  type CallRecord,
  checkResponse,
  listResponse,
  type RecordRequest,
} from '#agent/core/tool-checks/gateway-messages.ts';
import { askAgent } from '../tool-checks/agent-client.ts';

export interface AgentLinkOptions {
  socket: string;
  server: string;
  session: string;
  /** Returns the client's name; empty before the client has sent it. */
  clientName: () => string;
  /** Refuses calls if no agent responds. */
  closed: boolean;
}

export interface AgentLink {
  /** Resolves to the reason why a call is refused; null if it is allowed. */
  refusal: (tool: string) => Promise<string | null>;
  /** Resolves to those of these tools that are refused. */
  refusedOf: (tools: readonly string[]) => Promise<ReadonlySet<string>>;
  record: (calls: CallRecord[], ended: RecordRequest['ended']) => void;
  /** Resolves once the agent has received all records, or does not respond. */
  flushed: () => Promise<unknown>;
}

/** The time limit of a check, longer than the agent waits for the control plane. */
const CHECK_TIMEOUT_MS = 35_000;
const TIMEOUT_MS = 2000;

const UNANSWERED =
  'Blocked: the Gatehouse agent on this device does not answer, and tools may not be used without it.';

/** The gateway's requests to the agent. */
export function createAgentLink(options: AgentLinkOptions): AgentLink {
  const { socket, server, session, clientName, closed } = options;
  let sending: Promise<unknown> = Promise.resolve();

  const send = (path: string, more: object, timeoutMs: number) => {
    const message = { client_name: clientName().slice(0, 500), server, session, ...more };
    return askAgent(socket, path, JSON.stringify(message), timeoutMs);
  };
  const ask = async <S extends z.ZodType>(
    reply: S,
    ...[path, more, timeoutMs]: Parameters<typeof send>
  ): Promise<z.output<S> | null> => {
    const answer = await send(path, more, timeoutMs);
    return answer?.status === 200 ? reply.parse(JSON.parse(answer.body)) : null;
  };
  return {
    refusal: async (tool) => {
      const reply = await ask(checkResponse, '/mcp/check', { tool }, CHECK_TIMEOUT_MS);
      if (!reply) return closed ? UNANSWERED : null;
      return reply.decision === 'allow' ? null : reply.message;
    },
    refusedOf: async (tools) => {
      const reply = await ask(listResponse, '/mcp/list', { tools }, TIMEOUT_MS);
      return new Set(reply?.refused);
    },
    record: (calls, ended) => {
      sending = Promise.all([sending, send('/mcp/calls', { calls, ended }, TIMEOUT_MS)]);
    },
    flushed: () => sending,
  };
}
