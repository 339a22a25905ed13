import type { otelRoutes, TraceResponse } from '#contract/otel.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/call.ts';
import { pageOf } from '../http/page.ts';
import { promptReferenceOf } from './call.ts';
import { findPromptHashes } from './calls/queries.ts';
import { prepare } from './prepare.ts';
import { readRequest, writeResponse } from './protocol/content.ts';
import { readSpans } from './read-spans.ts';
import type { OtelSpan, RejectedSpan } from './span.ts';
import { storeBatch } from './store.ts';
import { tidyTraces } from './tidy/tidy.ts';
import { listUnknowns } from './unknowns/queries.ts';

export const otelHandlers: Handlers<typeof otelRoutes> = {
  async exportTraces(context, { caller, body, setHeader }) {
    const { tenantId } = caller;
    const at = context.now();
    const { spans, rejected } = readSpans(readRequest(body), at);
    if (spans.length + rejected.length > 0) await store(context, tenantId, spans, rejected);
    // The spans are stored: what fails here must not make the client send them again.
    await tidyTraces(context, tenantId).catch((error: unknown) =>
      context.log.error({ err: error }, 'tidying up OpenTelemetry traces failed'),
    );
    setHeader('Content-Type', body.type);
    return writeResponse(body.type, answerOf(rejected));
  },

  async listUnmappedAttributes(context, { caller, query, url }) {
    const found = await listUnknowns(context.storage.reader, caller.tenantId, 'attribute', query);
    return pageOf(url, query, found);
  },

  async listRejectedSpans(context, { caller, query, url }) {
    const found = await listUnknowns(context.storage.reader, caller.tenantId, 'rejection', query);
    const rows = found.rows.map(({ name: reason, ...row }) => ({ reason, ...row }));
    return pageOf(url, query, { rows, count: found.count });
  },
};

async function store(
  context: Context,
  tenantId: string,
  spans: readonly OtelSpan[],
  rejected: readonly RejectedSpan[],
): Promise<void> {
  const { storage } = context;
  const masker = await context.maskerOf(tenantId);
  const price = await context.pricerOf(tenantId);
  const hashOf = await findPromptHashes(storage.db, tenantId, spans.map(promptReferenceOf));
  const newId = (prefix: string): string => context.newId(prefix);
  const settings = { price, masker, hashOf, newId };
  const prepared = spans.map((span) => prepare(span, settings));
  const batch = { tenantId, at: context.now(), spans: prepared, rejected };
  const runs = await storeBatch(storage, masker, batch);
  for (const { tenant_id, id: run_id } of runs)
    storage.signals.publish({ tenant_id, topic: 'runs', run_id });
}

/** OTLP tells of spans that were rejected together, in one line for people. */
function answerOf(rejected: readonly RejectedSpan[]): TraceResponse {
  if (rejected.length === 0) return {};
  const reasons = Map.groupBy(rejected, ({ reason }) => reason);
  const lines = [...reasons].map(([reason, { length }]) => `${length} × ${reason}`);
  return {
    partialSuccess: { rejectedSpans: String(rejected.length), errorMessage: lines.join('; ') },
  };
}
