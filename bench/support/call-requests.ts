/** Requests with the same LLM calls in each format that the control plane accepts. */
import { randomBytes, randomUUID } from 'node:crypto';
import protobuf from 'protobufjs/light.js';
import definitions from '#control-plane/otel/protocol/definitions.json' with { type: 'json' };
import { type BenchCall, newCall, seeded } from './calls.ts';
import { type Conversation, request } from './load.ts';
import { KEY } from './processes.ts';

/** The number of calls in one request. */
export const BATCH = 100;
export const BYTES = 1000;
/** The number of calls in one trace, below a span of their agent. */
export const CALLS_PER_TRACE = 10;

const random = seeded(11);
const batchOfCalls = (length = BATCH): BenchCall[] =>
  Array.from({ length }, () => newCall(random, BYTES));

type Value = string | number;
const keyValues = (attributes: Record<string, Value>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: value },
  }));

const nanoseconds = (ms: number): string => `${ms}000000`;

function spansOf(calls: readonly BenchCall[]): object[] {
  const traceId = randomBytes(16).toString('hex');
  const root = randomBytes(8).toString('hex');
  const start = Date.now();
  const times = (from: number, to: number) => ({
    startTimeUnixNano: nanoseconds(start + from),
    endTimeUnixNano: nanoseconds(start + to),
  });
  const ofCalls = calls.map((call, i) => ({
    traceId,
    spanId: randomBytes(8).toString('hex'),
    parentSpanId: root,
    name: `chat ${call.model}`,
    ...times(i * 10, i * 10 + 9),
    attributes: keyValues({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': call.model,
      'gen_ai.usage.input_tokens': call.tokens_in,
      'gen_ai.usage.output_tokens': call.tokens_out,
      'gen_ai.input.messages': messages('user', call.prompt_preview),
      'gen_ai.output.messages': messages('assistant', call.response_preview),
    }),
  }));
  const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'bench' };
  const ofAgent = { traceId, spanId: root, name: 'invoke_agent', attributes: keyValues(agent) };
  return [...ofCalls, { ...ofAgent, ...times(0, calls.length * 10) }];
}

const messages = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

const tracesOf = (calls: readonly BenchCall[]) => ({
  resourceSpans: [
    {
      resource: { attributes: keyValues({ 'service.name': 'bench' }) },
      scopeSpans: [
        {
          scope: { name: 'bench' },
          spans: Array.from({ length: calls.length / CALLS_PER_TRACE }, (_, i) =>
            spansOf(calls.slice(i * CALLS_PER_TRACE, (i + 1) * CALLS_PER_TRACE)),
          ).flat(),
        },
      ],
    },
  ],
});

/** Calls in Claude Code's format: one log record per call, without texts. */
const logsOf = (calls: readonly BenchCall[]) => ({
  resourceLogs: [
    {
      resource: { attributes: keyValues({ 'service.name': 'claude-code' }) },
      scopeLogs: [
        {
          scope: { name: 'com.anthropic.claude_code.events', version: '2.1.197' },
          logRecords: recordsOf(calls),
        },
      ],
    },
  ],
});

function recordsOf(calls: readonly BenchCall[]): object[] {
  const session = randomUUID();
  return calls.map((call, i) => ({
    timeUnixNano: nanoseconds(Date.now() + i),
    body: { stringValue: 'claude_code.api_request' },
    attributes: keyValues({
      'session.id': session,
      'prompt.id': `${session}-${Math.floor(i / CALLS_PER_TRACE)}`,
      'event.name': 'api_request',
      'event.sequence': i,
      model: call.model,
      input_tokens: call.tokens_in,
      output_tokens: call.tokens_out,
      duration_ms: 100,
      request_id: `req_${randomUUID()}`,
    }),
  }));
}

const types = protobuf.Root.fromJSON(definitions);
const ID_FIELDS = new Set(['traceId', 'spanId', 'parentSpanId']);

/** Converts ids from the hexadecimal text of JSON to the bytes of protobuf. */
const withBytes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      ID_FIELDS.has(name) ? Buffer.from(String(field), 'hex') : withBytes(field),
    ]),
  );
};

function encode(signal: 'trace' | 'logs', body: object): Buffer {
  const name = signal === 'trace' ? 'Trace' : 'Logs';
  const type = types.lookupType(
    `opentelemetry.proto.collector.${signal}.v1.Export${name}ServiceRequest`,
  );
  const message = type.fromObject(withBytes(body) as Record<string, unknown>);
  return Buffer.from(type.encode(message).finish());
}

const otlp = (path: string, type: string, body: Buffer): Buffer =>
  request(
    'POST',
    `/api/v1/otel/v1/${path}/`,
    { 'X-Svc-Key': KEY, 'Content-Type': `application/${type}` },
    body,
  );
const json = (body: object): Buffer => Buffer.from(JSON.stringify(body));

/** Creates a request with new calls, because a trace that is sent twice is stored only once. */
export type Way = (runs: readonly string[]) => Buffer;

/** Records calls with the API of runs. */
export const recorded =
  (length: number): Way =>
  (runs) =>
    request(
      'POST',
      `/api/v1/observe/runs/${runs[Math.floor(random() * runs.length)]}/llm-calls/`,
      { 'X-Svc-Key': KEY },
      json({ calls: batchOfCalls(length) }),
    );

/** The calls of one run, as the body of a request. */
export const callsOfRun = (): Buffer => json({ calls: batchOfCalls(CALLS_PER_TRACE) });

/** Records the runs themselves too, as an SDK does: starts each, records its calls, completes it. */
export function* recordRuns(bodies: Iterator<Buffer>): Conversation {
  const post = (path: string, body: Buffer): Buffer =>
    request('POST', `/api/v1/observe/runs/${path}/`, { 'X-Svc-Key': KEY }, body);
  for (let next = bodies.next(); !next.done; next = bodies.next()) {
    const response = yield post('start', json({ agent_name: 'bench' }));
    const { run_id } = JSON.parse(response.slice(response.indexOf('\r\n\r\n'))) as {
      run_id: string;
    };
    yield post(`${run_id}/llm-calls`, next.value);
    yield post(`${run_id}/complete`, json({}));
  }
}

/** The number of spans in a request of traces: the calls, and one for the agent of each trace. */
export const SPANS = BATCH + BATCH / CALLS_PER_TRACE;

/** Traces in protobuf, which Phoenix requires. */
export const tracesForPhoenix: Way = () =>
  request(
    'POST',
    '/v1/traces',
    { 'Content-Type': 'application/x-protobuf' },
    encode('trace', tracesOf(batchOfCalls())),
  );

export const ways: Readonly<Record<string, Way>> = {
  'recorded in batches of 100': recorded(BATCH),
  'traces, protobuf': () => otlp('traces', 'x-protobuf', encode('trace', tracesOf(batchOfCalls()))),
  'traces, JSON': () => otlp('traces', 'json', json(tracesOf(batchOfCalls()))),
  'logs, protobuf': () => otlp('logs', 'x-protobuf', encode('logs', logsOf(batchOfCalls()))),
};
