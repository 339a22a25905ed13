import { recordsTools } from '#domain/coding-agents/recording-level.ts';
import type { Recording } from '../coding-agents/recording.ts';
import { clientOfInfo } from './tool-event.ts';
import type { CallRecord, RecordRequest } from './gateway-messages.ts';

type Value = string | number;

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: object }[];
  status: { code: number; message?: string };
}

const INTERNAL = 1;
const CLIENT = 3;

/**
 * Spans of a gateway's calls: one trace per gateway process, attributed to its client. Their
 * workflow distinguishes them from the client's own reports of the same calls.
 */
export function gatewaySpans(message: RecordRequest, recording: Pick<Recording, 'level'>): Span[] {
  const traceId = message.session.replaceAll('-', '');
  const rootId = traceId.slice(0, 16);
  const calls = message.calls.map((call) => ({
    ...spanOf(message, call, { traceId, spanId: call.id, parentSpanId: rootId }),
    name: `execute_tool ${call.tool}`,
    kind: CLIENT,
    attributes: attributesOf({
      ...commonOf(message),
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': `mcp__${message.server}__${call.tool}`,
      ...(recordsTools(recording) && {
        'gen_ai.tool.call.arguments': call.arguments,
        'gen_ai.tool.call.result': call.result,
      }),
    }),
  }));
  if (!message.ended) return calls;
  const root = {
    ...spanOf(message, message.ended, { traceId, spanId: rootId }),
    name: `mcp ${message.server}`,
    kind: INTERNAL,
    attributes: attributesOf({ ...commonOf(message), 'gen_ai.operation.name': 'invoke_agent' }),
  };
  return [...calls, root];
}

const commonOf = ({ client_name, server, session }: RecordRequest) => ({
  'gen_ai.agent.name': clientOfInfo(client_name),
  'gen_ai.workflow.name': `mcp:${server}`,
  'gen_ai.conversation.id': session,
});

function spanOf<I extends object>(
  { server }: RecordRequest,
  { started_at, ended_at, error }: Pick<CallRecord, 'started_at' | 'ended_at' | 'error'>,
  ids: I,
) {
  return {
    ...ids,
    startTimeUnixNano: nanoseconds(started_at),
    endTimeUnixNano: nanoseconds(Math.max(started_at, ended_at)),
    status: error === null ? { code: 1 } : { code: 2, message: error || `${server} failed` },
  };
}

const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;

const attributesOf = (all: Record<string, Value | null | undefined>) =>
  Object.entries(all).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: { stringValue: String(value) } }],
  );

/** The body of an OTLP export in JSON. */
export const otlpBody = (spans: readonly Span[], version: string): object => ({
  resourceSpans: [
    {
      resource: {
        attributes: attributesOf({
          'service.name': 'gatehouse-mcp-gateway',
          'service.version': version,
        }),
      },
      scopeSpans: [{ scope: { name: 'gatehouse.mcp-gateway' }, spans }],
    },
  ],
});
