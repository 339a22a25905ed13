import { auditRoutes } from '#contract/audit.ts';
import { ApiError } from '#contract/errors.ts';
import { MAX_SORTED } from '#contract/filters.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../handler.ts';
import type { Db } from '../storage/open.ts';
import { authorize } from '../tenants/authorize.ts';
import { exportAuditEntries } from './export-entries.ts';
import { fileFormats } from './export/file.ts';
import { credentialOfLink } from './export/link.ts';
import { readChunks } from './export/read-export.ts';
import { type Export, findExport } from './export/export-queries.ts';
import { exportView, startExport } from './export/start-export.ts';
import { countPage, entriesOf } from './log-queries.ts';
import type { LogFilter } from './log-rules.ts';
import { filterByNames } from './named-queries.ts';
import { countEntriesOverTime, sequencesInOrder } from './sorted-log-queries.ts';

export const auditHandlers: Handlers<typeof auditRoutes> = {
  async listAuditEntries({ storage: { reader } }, { caller: { tenantId }, query }) {
    const { limit, offset, sort, actor, resource, ...filter } = query;
    const named = await filterByNames(reader, tenantId, { actor, resource });
    const selected = { ...filter, ...named };
    const page = { limit, offset };
    const counted =
      sort.by === 'created_at'
        ? { ...(await countPage(reader, tenantId, selected, page)), incomplete: false }
        : await countSorted(reader, tenantId, selected);
    // A filter by an empty set matches no entry, so the query is skipped.
    const sequences =
      offset < counted.count
        ? await sequencesInOrder(reader, tenantId, selected, { sort, ...page, max: MAX_SORTED })
        : [];
    return { entries: await entriesOf(reader, tenantId, sequences), ...counted, limit, offset };
  },

  async summarizeAuditEntries({ storage: { reader } }, { caller: { tenantId }, query }) {
    const { actor, resource, ...filter } = query;
    const named = await filterByNames(reader, tenantId, { actor, resource });
    return countEntriesOverTime(reader, tenantId, { ...filter, ...named });
  },

  exportAuditEntries,

  async startAuditExport(context, request) {
    return exportView(context, await startExport(context, request));
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
      pieces: readChunks(context.storage.reader, job),
    };
  },
};

/** Counts a sorted list. Only the latest entries are sorted, so its pages end with these. */
async function countSorted(db: Db, tenantId: string, filter: LogFilter) {
  const counted = await countPage(db, tenantId, filter, { limit: MAX_SORTED, offset: 0 });
  return counted.count > MAX_SORTED
    ? { count: MAX_SORTED, count_exact: false, incomplete: true }
    : { ...counted, incomplete: false };
}

async function requireExport(context: Context, tenantId: string, id: string): Promise<Export> {
  const job = await findExport(context.storage.db, tenantId, id);
  if (!job) throw new ApiError('not_found', `there is no export ${id}`);
  return job;
}
