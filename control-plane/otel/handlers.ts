import type { otelRoutes, TraceResponse } from '#contract/otel.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/handler.ts';
import { pageOf } from '../http/page.ts';
import { promptReferenceOf } from './call.ts';
import { findPromptHashes } from './calls/call-queries.ts';
import { prepare } from './prepare.ts';
import { readRequest, writeResponse } from './protocol/content.ts';
import { readSpans } from './read-spans.ts';
import type { OtelSpan, RejectedSpan } from './span.ts';
import { storeBatch, type Traced } from './store.ts';
import type { RunRef } from '../usage/count.ts';
import { listUnmapped } from './unmapped-queries.ts';

const MAX_RUN_SIGNALS = 20;
// A small batch, so that other recording requests do not wait for a large one.
const SPANS_PER_COMMIT = 500;

export const otelHandlers: Handlers<typeof otelRoutes> = {
  async exportTraces(context, { caller, body, setHeader }) {
    const { tenantId } = caller;
    const at = context.now();
    const { spans, rejected } = readSpans(await readRequest(body), at);
    if (spans.length + rejected.length > 0)
      rejected.push(...(await store(context, tenantId, spans, rejected)));
    setHeader('Content-Type', body.type);
    return writeResponse(body.type, answerOf(rejected));
  },

  async listUnmappedAttributes(context, { caller, query, url }) {
    const page = await listUnmapped(context.storage.reader, caller.tenantId, 'attribute', query);
    return pageOf(url, query, page);
  },

  async listRejectedSpans(context, { caller, query, url }) {
    const page = await listUnmapped(context.storage.reader, caller.tenantId, 'rejection', query);
    const rows = page.rows.map(({ name: reason, ...row }) => ({ reason, ...row }));
    return pageOf(url, query, { rows, count: page.count });
  },
};

/** Stores the spans; returns those rejected by a quota. */
async function store(
  context: Context,
  tenantId: string,
  spans: readonly OtelSpan[],
  rejected: readonly RejectedSpan[],
): Promise<RejectedSpan[]> {
  const { storage } = context;
  const masker = await context.maskerOf(tenantId);
  const price = await context.pricerOf(tenantId);
  const hashOf = await findPromptHashes(storage, tenantId, spans.map(promptReferenceOf));
  const newId = (prefix: string): string => context.newId(prefix);
  const settings = { price, masker, hashOf, newId };
  const changed = new Map<number, RunRef>();
  const added: Traced[] = [];
  const rejectedByQuota: RejectedSpan[] = [];
  for (const [index, batch] of batches(spans).entries()) {
    const prepared = batch.map((span) => prepare(span, settings));
    const of = { tenantId, at: context.now(), rejected: index === 0 ? rejected : [] };
    const stored = await storeBatch(storage, masker, { ...of, spans: prepared });
    added.push(...stored.traced);
    rejectedByQuota.push(...stored.rejected);
  }
  for (const { run } of added) changed.set(run.id, run);
  notify(context, tenantId, [...changed.values()]);
  await evaluatePolicies(context, added);
  return rejectedByQuota;
}

/** The spans are stored: a failure here must not make the client retry. */
async function evaluatePolicies(
  { governance, log }: Context,
  added: readonly Traced[],
): Promise<void> {
  for (const traced of added)
    await governance
      .onTrace(traced)
      .catch((error: unknown) => log.error({ err: error }, 'policy evaluation failed'));
}

/** At least one batch, so that rejections are stored even without spans. */
const batches = (spans: readonly OtelSpan[]): (readonly OtelSpan[])[] =>
  Array.from({ length: Math.max(1, Math.ceil(spans.length / SPANS_PER_COMMIT)) }, (_, i) =>
    spans.slice(i * SPANS_PER_COMMIT, (i + 1) * SPANS_PER_COMMIT),
  );

/** Notifies of each run, or, if there are many, only that runs changed. */
function notify(
  { storage: { signals } }: Context,
  tenant_id: string,
  runs: readonly { id: number }[],
): void {
  if (runs.length > MAX_RUN_SIGNALS) signals.publish({ tenant_id, topic: 'runs' });
  else for (const { id } of runs) signals.publish({ tenant_id, topic: 'runs', run_id: id });
}

/** OTLP reports rejected spans as a count and one human-readable line. */
function answerOf(rejected: readonly RejectedSpan[]): TraceResponse {
  if (rejected.length === 0) return {};
  const reasons = Map.groupBy(rejected, ({ reason }) => reason);
  const lines = [...reasons].map(([reason, { length }]) => `${length} × ${reason}`);
  return {
    partialSuccess: { rejectedSpans: String(rejected.length), errorMessage: lines.join('; ') },
  };
}
