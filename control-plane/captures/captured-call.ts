import { describeExchange } from '#agent/core/capture/providers/describe-exchange.ts';
import type { LlmExchange } from '#agent/core/capture/providers/exchange.ts';
import type { CaptureReport } from '#contract/captures.ts';
import type { Pricer } from '../costs/price.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Masker } from '../masking/masker.ts';
import { storable } from '../otel/attributes.ts';
import { contentHash } from '../prompts/content-hash.ts';
import type { NewCall, NewRun, NewSpan } from '../recording/queries.ts';
import { responseIdOf } from '../recording/response-id.ts';
import { callRow, endOf, runRow, spanRow } from '../recording/rules.ts';
import type { Rows } from '../storage/bulk.ts';
import type { Origin } from './agent-rules.ts';
import { captureRow } from './rows.ts';
import type { Reporter } from './call-queries.ts';
import { toolSpans } from './tool-spans.ts';

/** A run with its one call, ready to be recorded. */
export interface CapturedCall {
  run: NewRun & { capture_id: string; completed_at: number };
  call: NewCall;
  /** The tools that the call requested. */
  spans: NewSpan[];
}

/** A capture ready to be stored; `call` is undefined if it is not an LLM call. */
export interface PreparedCapture {
  row: Rows<'captures'>[number];
  call: CapturedCall | undefined;
}

export interface CaptureSettings {
  device: DeviceCaller;
  reporter: Reporter;
  /** Null: no runs are recorded. */
  agentOf: (origin: Origin) => string | null;
  price: Pricer;
  masker: Masker;
  /** The time of receipt, in milliseconds since 1970. */
  now: number;
}

/** The exchange as sent, for usage, and as masked by the tenant, for content. */
interface CallFacts {
  capture: CaptureReport;
  row: Rows<'captures'>[number];
  used: LlmExchange;
  /** Null if masking left no readable exchange. */
  said: LlmExchange | null;
  agent_name: string;
}

export function prepareCapture(settings: CaptureSettings, capture: CaptureReport): PreparedCapture {
  const { device, masker, now } = settings;
  const used = exchangeOf(capture);
  const response_id = responseIdOf(used?.response_id && storable(used.response_id));
  const row = captureRow(device, capture, { masker, now, response_id });
  const agent_name = used && settings.agentOf({ ...capture, device_id: device.deviceId });
  // A refused call never reached a provider: its evaluations are recorded, and it is not a failure.
  if (!used || agent_name === null || capture.refused) return { row, call: undefined };
  const said = masker.active ? exchangeOf(row) : used;
  return { row, call: capturedCall(settings, { capture, row, used, said, agent_name }) };
}

type Exchange = Pick<CaptureReport, 'host' | 'path' | 'status' | 'request_body' | 'response_body'>;

const exchangeOf = ({ request_body, response_body, ...exchange }: Exchange): LlmExchange | null =>
  describeExchange({ ...exchange, request: request_body, response: response_body });

function capturedCall(settings: CaptureSettings, facts: CallFacts): CapturedCall {
  const { price, masker } = settings;
  const { capture, used, said, row } = facts;
  const { started_at, ended_at } = capture;
  const at = ended_at ?? started_at;
  const call = callRow(
    {
      model: shortText(used.model ?? capture.model) || 'unknown',
      provider: shortText(used.provider).toLowerCase(),
      task: used.operation,
      ...usageOf(used, capture),
      duration_ms: ended_at === null ? null : ended_at - started_at,
      prompt_preview: storable(said?.prompt ?? ''),
      response_preview: storable(said?.completion ?? ''),
      response_id: row.response_id ?? null,
    },
    at,
    { price, masker },
  );
  const spans = toolSpans(said?.tools_called ?? []).map((span) => spanRow(span, at, masker));
  return { run: runOf(settings, facts, at), call, spans };
}

function runOf(
  { device, reporter, masker }: CaptureSettings,
  { capture, row, used, said, agent_name }: CallFacts,
  completed_at: number,
): CapturedCall['run'] {
  const { tenantId, deviceId } = device;
  const { app_id, process, user, host, started_at } = capture;
  const error = errorOf(capture, used, said);
  const start = {
    agent_name,
    workflow_name: 'default',
    session_id: sessionOf(deviceId, used, said),
    user_id: user || reporter.user || null,
    user_group: reporter.user_group,
    tags: ['captured'],
    metadata: {
      capture_id: row.id,
      device_id: deviceId,
      hostname: reporter.hostname,
      app: app_id,
      process,
      host,
      ...(used.finish_reason !== null && { finish_reason: shortText(used.finish_reason) }),
      ...(used.tokens_reasoning !== null && { reasoning_tokens: used.tokens_reasoning }),
    },
  };
  const status = error === null ? ('success' as const) : ('error' as const);
  return {
    ...runRow(tenantId, start, started_at, masker),
    ...endOf({ status, error, steps: [] }, completed_at, masker),
    capture_id: row.id,
    device_id: deviceId,
  };
}

/** Why a call failed; null if it did not. */
function errorOf(
  { status }: CaptureReport,
  used: LlmExchange,
  said: LlmExchange | null,
): string | null {
  if (status !== null && status < 400 && used.error === null) return null;
  if (said?.error) return storable(said.error);
  return status === null ? 'no response' : `HTTP ${status}`;
}

/**
 * The session id. Conversation ids are the app's own, so two devices may use the same one: the
 * device id is appended. An id that the tenant masks is not stored in any form.
 */
function sessionOf(deviceId: string, used: LlmExchange, said: LlmExchange | null): string | null {
  const { conversation_id: id } = used;
  if (id === null || said?.conversation_id !== id) return null;
  return `${id.length > MAX_CONVERSATION_ID ? contentHash(id) : storable(id)}@${deviceId}`;
}

const MAX_CONVERSATION_ID = 100;

// A number beyond the limit is an error, and must not affect costs.
const MAX_TOKENS = 1_000_000_000;

const tokens = (value: number | null): number =>
  value !== null && value <= MAX_TOKENS ? value : 0;

/** Bodies may be cut before the usage at their end: then the device's numbers are used. */
function usageOf(used: LlmExchange, { tokens_in, tokens_out }: CaptureReport) {
  const cache_read_tokens = tokens(used.tokens_cached);
  const cache_write_tokens = tokens(used.tokens_cache_written);
  const cached = cache_read_tokens + cache_write_tokens;
  return {
    tokens_in: Math.min(Math.max(tokens(used.tokens_in ?? tokens_in), cached), MAX_TOKENS),
    tokens_out: tokens(used.tokens_out ?? tokens_out),
    cache_read_tokens,
    cache_write_tokens,
  };
}

const shortText = (text: string | null): string => storable((text ?? '').slice(0, 200));
