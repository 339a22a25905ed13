import { auditRoutes } from '#contract/audit.ts';
import { ApiError } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../handler.ts';
import { authorize } from '../tenants/authorize.ts';
import { exportAuditEntries } from './export-entries.ts';
import { fileFormats } from './export/file.ts';
import { credentialOfLink } from './export/link.ts';
import { piecesOf } from './export/read-export.ts';
import { type Export, findExport } from './export/export-queries.ts';
import { exportView, startExport } from './export/start-export.ts';
import { countPage, listEntries } from './log-queries.ts';
import { namedFilter } from './named-filter.ts';

export const auditHandlers: Handlers<typeof auditRoutes> = {
  async listAuditEntries({ storage }, { caller: { tenantId }, query }) {
    const { limit, offset, sort, actor, resource, ...filter } = query;
    const named = await namedFilter(storage.reader, tenantId, { actor, resource });
    const selected = { ...filter, ...named };
    const page = { limit, offset, direction: sort.direction };
    const counted = await countPage(storage.reader, tenantId, selected, page);
    // A filter on an empty set matches nothing, so the query is skipped.
    const entries =
      offset < counted.count ? await listEntries(storage, tenantId, selected, page) : [];
    return { entries, ...counted, limit, offset };
  },

  exportAuditEntries,

  async startAuditExport(context, call) {
    return exportView(context, await startExport(context, call));
  },

  async findAuditExport(context, { caller, params }) {
    return exportView(context, await requireExport(context, caller.tenantId, params.export_id));
  },

  async downloadAuditExport(context, { params: { export_id }, query }) {
    const credential = credentialOfLink(context, { ...query, export_id });
    const tenantId = await authorize(context, credential, auditRoutes.downloadAuditExport);
    const job = await requireExport(context, tenantId, export_id);
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
