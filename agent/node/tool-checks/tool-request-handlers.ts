import { hookOutput, refusalText } from '#agent/core/tool-checks/hook-output.ts';
import {
  checkRequest,
  type checkResponse,
  listRequest,
  type listResponse,
  type RecordRequest,
  recordRequest,
} from '#agent/core/tool-checks/gateway-messages.ts';
import {
  clientOfInfo,
  type HookClient,
  hookClients,
  readToolEvent,
  serverName,
} from '#agent/core/tool-checks/tool-event.ts';
import type { ToolCall } from '#contract/tool-checks.ts';
import type { z } from 'zod';
import { type RequestHandler, InvalidRequest } from './decision-socket.ts';
import type { ToolChecks } from './tool-checks.ts';

export interface ToolRequestHandlersOptions {
  checks: ToolChecks;
  /** Returns the name of a user; null means the user of this agent. */
  userName: (uid: number | null) => string;
  record: (message: RecordRequest) => void;
}

/** Handles the requests of hooks and gateways. */
export function createToolRequestHandlers({
  checks,
  userName,
  record,
}: ToolRequestHandlersOptions): Record<string, RequestHandler> {
  const hook =
    (client: HookClient): RequestHandler =>
    async (payload, uid) => {
      const event = readToolEvent(client, payload);
      if (event === 'skip') return {};
      if ('error' in event) throw new InvalidRequest(event.error);
      return hookOutput(client, await checks.decide({ ...event, user: userName(uid) }));
    };
  const hooks = hookClients.map((client) => [`/hook/${client}`, hook(client)] as const);
  return {
    ...Object.fromEntries(hooks),
    '/mcp/check': async (body, uid): Promise<z.input<typeof checkResponse>> => {
      const message = checkRequest.parse(body);
      const verdict = await checks.decide(callOf(message, message.tool, userName(uid)));
      const { decision } = verdict;
      return { decision, message: decision === 'allow' ? '' : refusalText(verdict) };
    },
    '/mcp/list': async (body): Promise<z.input<typeof listResponse>> => {
      const message = listRequest.parse(body);
      const refused = new Set(
        checks.filterRefused(message.tools.map((tool) => callOf(message, tool, ''))),
      );
      return { refused: message.tools.filter((tool) => refused.has(tool.slice(0, MAX_NAME))) };
    },
    '/mcp/calls': async (body) => {
      record(recordRequest.parse(body));
      return {};
    },
  };
}

const MAX_NAME = 300;

const callOf = (
  { client_name, server, session }: Pick<RecordRequest, 'client_name' | 'server' | 'session'>,
  tool: string,
  user: string,
): ToolCall => ({
  client: clientOfInfo(client_name),
  tool: tool.slice(0, MAX_NAME),
  mcp_server: serverName(server),
  session,
  user: user.slice(0, 256),
});
