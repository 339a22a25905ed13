import type { otelRoutes } from '#contract/otel.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { exportLogs, exportMetrics, exportTraces } from './receive-otlp.ts';
import { listUnmapped } from './unmapped-queries.ts';

export const otelHandlers: Handlers<typeof otelRoutes> = {
  async exportTraces(context, { caller, body, setHeader }) {
    setHeader('Content-Type', body.type);
    return exportTraces(context, caller, body);
  },

  /** Langfuse's SDKs append a path of their own to their base URL. */
  async exportLangfuseSpans(context, { caller, body, setHeader }) {
    setHeader('Content-Type', body.type);
    return exportTraces(context, caller, body);
  },

  async exportLogs(context, { caller, body, setHeader }) {
    setHeader('Content-Type', body.type);
    return exportLogs(context, caller, body);
  },

  async exportMetrics(context, { caller, body, setHeader }) {
    setHeader('Content-Type', body.type);
    return exportMetrics(context, caller, body);
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

  async listReceivedMetrics(context, { caller, query, url }) {
    const page = await listUnmapped(context.storage.reader, caller.tenantId, 'metric', query);
    return pageOf(url, query, page);
  },
};
