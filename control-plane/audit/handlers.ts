import type { auditRoutes } from '#contract/audit.ts';
import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import { requireAddOn } from '../enterprise/add-ons.ts';
import type { Handlers } from '../http/handler.ts';
import { refuseSuspended } from '../tenancy/tenant-limits.ts';
import { fileFormats } from './export/file.ts';
import { isGranted } from './export/link.ts';
import { piecesOf } from './export/pieces.ts';
import { type Export, findExport } from './export/export-queries.ts';
import { exportView, startExport } from './export/start-export.ts';
import { countEntries, listEntries } from './log-queries.ts';

export const auditHandlers: Handlers<typeof auditRoutes> = {
  async listAuditEntries({ storage }, { caller: { tenantId }, query }) {
    const { limit, offset } = query;
    const count = await countEntries(storage.reader, tenantId, query);
    // A filter on an empty set matches nothing, so the query is skipped.
    const entries =
      offset < count ? await listEntries(storage, tenantId, query, { limit, offset }) : [];
    return { entries, count, limit, offset };
  },

  async startAuditExport(context, call) {
    return exportView(context, await startExport(context, call));
  },

  async findAuditExport(context, { caller, params }) {
    await requireAddOn(context, caller.tenantId, 'audit_export');
    return exportView(context, await requireExport(context, caller.tenantId, params.export_id));
  },

  async downloadAuditExport(context, { params: { export_id }, query }) {
    const { signature, ...granted } = query;
    if (!isGranted(context.secrets.auditKey, { ...granted, export_id }, signature, context.now()))
      throw new ApiError('forbidden', 'this link is invalid or has expired: request a new one');
    await refuseSuspended(context.storage, granted.tenant);
    await requireAddOn(context, granted.tenant, 'audit_export');
    const job = await requireExport(context, granted.tenant, export_id);
    return {
      type: fileFormats[job.format].type,
      name: `audit-${job.id}.${job.format}`,
      bytes: job.byte_count,
      pieces: piecesOf(context.storage.reader, job),
    };
  },
};

async function requireExport(context: Context, tenantId: string, id: string): Promise<Export> {
  const job = await findExport(context.storage.db, tenantId, id);
  if (!job) throw new ApiError('not_found', `there is no export ${id}`);
  return job;
}
