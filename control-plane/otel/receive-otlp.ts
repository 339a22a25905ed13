import type { Logger } from 'pino';
import type { Context } from '../context.ts';
import type { Content } from '../http/content.ts';
import type { KeyCaller } from '../http/caller.ts';
import type { Governance } from '../policies/governance.ts';
import { memoize } from '../lib/memoize.ts';
import type { RunRef } from '../usage/count.ts';
import { findPromptHashes } from './calls/call-queries.ts';
import { clientOfScope, frameworkOfScope } from './clients/known-clients.ts';
import { readLogs } from './logs/read-logs.ts';
import { spansOfLogs } from './logs/spans-of-logs.ts';
import { findTurns } from './logs/turn-queries.ts';
import { promptReferenceOf } from './map-call.ts';
import { readMetrics } from './metrics/read-metrics.ts';
import { storeMetrics } from './metrics/metric-queries.ts';
import { prepare } from './prepare-span.ts';
import { readRequest, writeResponse } from './protocol/content.ts';
import { readSpans } from './read-spans.ts';
import type { OtelSpan, RejectedSpan, Scope } from './span.ts';
import type { OnTraced } from './span-recorder.ts';
import type { Traced } from './store.ts';
import type { LogRecord } from './logs/log-record.ts';
import { unmappedOfRecord } from './unmapped-attributes.ts';

// Batches are small, so that other recording requests do not wait for a large one.
const SPANS_PER_COMMIT = 500;

/**
 * Records an OTLP request of either protocol. The response is encoded like the request.
 *
 * @throws ApiError `bad_request` or `validation_error` if the body is not such a request
 */
export type Export = (context: Context, caller: KeyCaller, body: Content) => Promise<Uint8Array>;

export const exportTraces: Export = async (context, caller, body) => {
  const at = context.now();
  const { spans, rejected } = readSpans(await readRequest('traces', body), at);
  const report = { spans: spans.flatMap(translated), rejected, unmapped: [] };
  rejected.push(...(await store(context, caller, report)));
  return writeResponse('traces', body.type, answerOf('rejectedSpans', rejected));
};

export const exportLogs: Export = async (context, caller, body) => {
  const { tenantId } = caller;
  const { records, rejected } = readLogs(await readRequest('logs', body), context.now());
  const { spans, unmapped } = await spansOfLogs(records, (sessions) =>
    findTurns(context.storage.db, tenantId, sessions),
  );
  rejected.push(...(await store(context, caller, { spans, rejected, unmapped })));
  return writeResponse('logs', body.type, answerOf('rejectedLogRecords', rejected));
};

export const exportMetrics: Export = async (context, caller, body) => {
  const metrics = readMetrics(await readRequest('metrics', body));
  await storeMetrics(context.storage, caller, metrics, context.now());
  return writeResponse('metrics', body.type, answerOf('rejectedDataPoints', metrics.rejected));
};

/**
 * Translates a span to the names of the GenAI conventions; returns no span if its client reports
 * the same in logs.
 */
function translated(span: OtelSpan): OtelSpan | [] {
  const read = readerOf(span.scope)?.readSpan?.(span) ?? span;
  return read === 'ignored' ? [] : read;
}

/** Returns the rules for the spans of a scope. The spans of a request share a few scope objects. */
const readerOf = memoize(({ name }: Scope) => {
  const client = clientOfScope(name);
  return client?.readSpan ? client : frameworkOfScope(name);
});

interface Received {
  spans: readonly OtelSpan[];
  rejected: readonly RejectedSpan[];
  /** Log records of events without a rule. */
  unmapped: readonly LogRecord[];
}

/** Stores the spans; returns those that a quota rejected. */
async function store(
  context: Context,
  { tenantId, keyId, device }: KeyCaller,
  { spans, rejected, unmapped }: Received,
): Promise<RejectedSpan[]> {
  if (spans.length + rejected.length + unmapped.length === 0) return [];
  const { storage } = context;
  const masker = await context.maskerOf(tenantId);
  const price = await context.pricerOf(tenantId);
  const hashOf = await findPromptHashes(storage.db, tenantId, spans.map(promptReferenceOf));
  const newId = (prefix: string): string => context.newId(prefix);
  const level = device?.level ?? 'tools';
  const content = { masker, keepsTexts: level === 'tools' };
  const settings = { price, masker, hashOf, newId, content, level };
  const names = unmapped.map((record) => unmappedOfRecord(record, content));
  const rejectedByQuota: RejectedSpan[] = [];
  for (const [index, batch] of batches(spans).entries()) {
    const prepared = batch.map((span) => prepare(span, settings));
    const once = index === 0 ? { rejected, unmapped: names } : { rejected: [] };
    const of = { tenantId, at: context.now(), ...(device ? { device } : { keyId }), ...once };
    const refusals = await context.recordSpans({ ...of, masker, spans: prepared });
    for (const { trace_id, scope } of refusals.size > 0 ? batch : []) {
      const reason = refusals.get(trace_id);
      if (reason !== undefined) rejectedByQuota.push({ reason, scope, trace_id });
    }
  }
  return rejectedByQuota;
}

/**
 * Sends notifications about the runs that spans changed, and evaluates the policies that act on
 * them.
 */
export const onTraced =
  (notify: (run: RunRef) => void, governance: Governance, log: Logger): OnTraced =>
  async (traced) => {
    for (const { run } of traced) notify(run);
    await evaluatePolicies(governance, log, traced);
  };

/**
 * Evaluates policies. The spans are already stored, so a failure here must not make the client
 * retry.
 */
async function evaluatePolicies(
  governance: Governance,
  log: Logger,
  added: readonly Traced[],
): Promise<void> {
  for (const traced of added)
    await governance
      .onTrace(traced)
      .catch((error: unknown) => log.error({ err: error }, 'policy evaluation failed'));
}

/**
 * Splits spans into batches. There is at least one batch, so that rejections are stored even
 * without spans.
 */
const batches = (spans: readonly OtelSpan[]): (readonly OtelSpan[])[] =>
  Array.from({ length: Math.max(1, Math.ceil(spans.length / SPANS_PER_COMMIT)) }, (_, i) =>
    spans.slice(i * SPANS_PER_COMMIT, (i + 1) * SPANS_PER_COMMIT),
  );

/** Builds the response, in which OTLP reports rejections as a count and one human-readable line. */
function answerOf(
  name: 'rejectedSpans' | 'rejectedLogRecords' | 'rejectedDataPoints',
  rejected: readonly Rejected[],
): object {
  if (rejected.length === 0) return {};
  const reasons = Map.groupBy(rejected, ({ reason }) => reason);
  const lines = [...reasons].map(([reason, { length }]) => `${length} × ${reason}`);
  const count = rejected.reduce((sum, { points = 1 }) => sum + points, 0);
  return { partialSuccess: { [name]: String(count), errorMessage: lines.join('; ') } };
}

/** A rejection; `points` is the number of data points of a metric. */
type Rejected = RejectedSpan & { points?: number };
