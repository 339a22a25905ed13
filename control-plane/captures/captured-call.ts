import type { CaptureReport } from '#contract/captures.ts';
import { normalizeHost } from '#domain/hosts/host-catalog.ts';
import type { DeviceCaller } from '../http/caller.ts';
import type { Masker } from '../settings/masking/masker.ts';
import type { Rows } from '../storage/bulk.ts';
import { shortHash } from '../lib/ids.ts';
import { describeResponses } from '#domain/providers/describe-exchange.ts';
import type { LlmExchange } from '#domain/providers/exchange.ts';
import { sumOf } from '#domain/providers/json-fields.ts';
import type { Pricer } from '../costs/pricer.ts';
import { storable } from '../otel/attributes.ts';
import { contentHash } from '../prompts/content-hash.ts';
import type { NewCall, NewRun, NewSpan } from '../recording/queries.ts';
import { responseIdOf } from '../recording/response-id.ts';
import { callRow, endOf, runRow, spanRow } from '../recording/rules.ts';
import type { Origin } from './agent-rules.ts';
import type { DeviceAttribution } from './call-queries.ts';
import { requestedTools, toolSpans } from './tool-spans.ts';

/** A run with its one call: a response of an exchange, ready to be recorded. */
export interface CapturedCall {
  run: NewRun & { capture_id: string; completed_at: number };
  call: NewCall;
  /** Spans for the tools that the call requested. */
  spans: NewSpan[];
  /** Whether only the response was fetched: another request created it in the background. */
  isFetched: boolean;
}

/** A capture that is ready to be stored. It has no calls if it is not an LLM call. */
export interface PreparedCapture {
  row: Rows<'captures'>[number];
  calls: CapturedCall[];
}

export interface CaptureSettings {
  device: DeviceCaller;
  attribution: DeviceAttribution;
  /** Returns the agent for an origin; null if no runs are recorded. */
  agentOf: (origin: Origin) => string | null;
  price: Pricer;
  masker: Masker;
  /** The time of receipt, in milliseconds since 1970. */
  now: number;
}

/** A response of an exchange as sent, for usage, and as masked by the tenant, for content. */
interface CallFacts {
  capture: CaptureReport;
  row: Rows<'captures'>[number];
  used: LlmExchange;
  /** Null if masking left no readable exchange. */
  masked: LlmExchange | null;
  response_id: string | null;
  agent_name: string;
}

export function prepareCapture(settings: CaptureSettings, capture: CaptureReport): PreparedCapture {
  const { device, masker, now } = settings;
  const responses = responsesOf(capture);
  const ids = responses.map(({ response_id: id }) => responseIdOf(id && storable(id)));
  const response_id = ids.findLast((id) => id !== null) ?? null;
  const row = captureRow(device, capture, { masker, now, response_id });
  if (responses.length === 0) return { row, calls: [] };
  const agent_name = settings.agentOf({ ...capture, device_id: device.deviceId });
  // A refused call never reached a provider. Its evaluations are recorded, and it is not a failure.
  if (agent_name === null || capture.refused) return { row, calls: [] };
  const masked = masker.active ? responsesOf(row) : responses;
  const isReadable = masked.length === responses.length;
  const calls = withCountsOf(capture, responses).map((used, index) =>
    capturedCall(settings, {
      capture,
      row,
      used,
      masked: isReadable ? (masked[index] ?? null) : null,
      response_id: ids[index] ?? null,
      agent_name,
    }),
  );
  return { row, calls };
}

/** More responses than a captured body holds, each with an id and its usage. */
const MAX_RESPONSES = 1000;

type Exchange = Pick<CaptureReport, 'host' | 'path' | 'status' | 'request_body' | 'response_body'>;

const responsesOf = ({ request_body, response_body, ...exchange }: Exchange): LlmExchange[] =>
  describeResponses({ ...exchange, request: request_body, response: response_body }).slice(
    0,
    MAX_RESPONSES,
  );

/**
 * Adds the device's numbers to the last response if it has none: bodies may be cut before the usage
 * at their end. The device counts all responses of the exchange.
 */
function withCountsOf(
  { tokens_in, tokens_out }: CaptureReport,
  responses: readonly LlmExchange[],
): LlmExchange[] {
  const last = responses.length - 1;
  const rest = (total: number | null, name: 'tokens_in' | 'tokens_out'): number | null =>
    total && Math.max(0, total - (sumOf(...responses.map((one) => one[name])) ?? 0));
  return responses.map((used, index) =>
    index === last
      ? {
          ...used,
          tokens_in: used.tokens_in ?? rest(tokens_in, 'tokens_in'),
          tokens_out: used.tokens_out ?? rest(tokens_out, 'tokens_out'),
        }
      : used,
  );
}

function capturedCall(settings: CaptureSettings, facts: CallFacts): CapturedCall {
  const { price, masker } = settings;
  const { capture, used, masked, row, response_id } = facts;
  const { started_at, ended_at } = capture;
  const at = ended_at ?? started_at;
  const requested = requestedTools(masked?.tools_called ?? []);
  const call = callRow(
    {
      model: shortText(used.model ?? capture.model) || 'unknown',
      provider: shortText(used.provider).toLowerCase(),
      task: used.operation,
      ...usageOf(used),
      reasoning_tokens: used.tokens_reasoning === null ? null : tokens(used.tokens_reasoning),
      finish_reason: shortText(used.finish_reason) || null,
      tool_calls: requested,
      span_id: row.id,
      parent_span_id: null,
      started_at,
      duration_ms: ended_at === null ? null : ended_at - started_at,
      prompt_preview: storable(masked?.prompt ?? ''),
      response_preview: storable(masked?.completion ?? ''),
      response_id,
    },
    at,
    { price, masker },
  );
  const spans = toolSpans(requested, row.id).map((span) => spanRow(span, at, masker));
  const isFetched = capture.method === 'GET' && capture.request_body === null;
  return { run: runOf(settings, facts, at), call, spans, isFetched };
}

function runOf(
  { device, attribution, masker }: CaptureSettings,
  { capture, row, used, masked, agent_name }: CallFacts,
  completed_at: number,
): CapturedCall['run'] {
  const { tenantId, deviceId } = device;
  const { app_id, process, user, host, started_at } = capture;
  const error = errorOf(capture, used, masked);
  const start = {
    agent_name,
    workflow_name: 'default',
    session_id: sessionOf(deviceId, used, masked),
    user_id: user || attribution.user || null,
    user_group: attribution.user_group,
    tags: ['captured'],
    metadata: {
      capture_id: row.id,
      device_id: deviceId,
      hostname: attribution.hostname,
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

/** Returns why a call failed; null if it did not. */
function errorOf(
  { status }: CaptureReport,
  used: LlmExchange,
  masked: LlmExchange | null,
): string | null {
  if (status !== null && status < 400 && used.error === null) return null;
  if (masked?.error) return storable(masked.error);
  return status === null ? 'no response' : `HTTP ${status}`;
}

/**
 * Returns the session id. Apps choose their conversation ids, so two devices may use the same one,
 * and the device id is appended. An id that the tenant masks is not stored in any form.
 */
function sessionOf(deviceId: string, used: LlmExchange, masked: LlmExchange | null): string | null {
  const { conversation_id: id } = used;
  if (id === null || masked?.conversation_id !== id) return null;
  return `${id.length > MAX_CONVERSATION_ID ? contentHash(id) : storable(id)}@${deviceId}`;
}

const MAX_CONVERSATION_ID = 100;

// A number beyond the limit is an error, and must not affect costs.
const MAX_TOKENS = 1_000_000_000;

const tokens = (value: number | null): number =>
  value !== null && value <= MAX_TOKENS ? value : 0;

function usageOf(used: LlmExchange) {
  const cache_read_tokens = tokens(used.tokens_cached);
  const cache_write_tokens = tokens(used.tokens_cache_written);
  const cached = cache_read_tokens + cache_write_tokens;
  return {
    tokens_in: Math.min(Math.max(tokens(used.tokens_in), cached), MAX_TOKENS),
    tokens_out: tokens(used.tokens_out),
    cache_read_tokens,
    cache_write_tokens,
  };
}

const shortText = (text: string | null): string => storable((text ?? '').slice(0, 200));

interface RowOptions {
  masker: Masker;
  now: number;
  /** The provider's response id; of several responses, that of the last one. */
  response_id: string | null;
}

/**
 * Returns a capture as stored: masked by the tenant's rules, in addition to the device's redaction.
 */
export function captureRow(
  { tenantId, deviceId }: DeviceCaller,
  report: CaptureReport,
  { masker, now, response_id }: RowOptions,
) {
  const { id, refused: _, ...capture } = report;
  const { path, request_body, response_body } = capture;
  return {
    tenant_id: tenantId,
    // Devices choose their ids, so the hash includes the device id to avoid collisions.
    id: `cap_${shortHash(`${deviceId}\0${id}`)}`,
    device_id: deviceId,
    ...capture,
    host: normalizeHost(capture.host),
    ...masker.mask({ path, request_body, response_body }),
    received_at: now,
    response_id,
  } satisfies Rows<'captures'>[number];
}
