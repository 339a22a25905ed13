import type { auditRoutes } from '#contract/audit.ts';
import { ApiError } from '#contract/errors.ts';
import { MAX_EXPORTED } from '#contract/filters.ts';
import type { Handlers } from '../handler.ts';
import { EXPORTED_AT_ONCE, listFile } from '../lib/list-file.ts';
import type { Db } from '../storage/open.ts';
import { entriesOf, entryColumns } from './log-queries.ts';
import { filterByNames } from './named-queries.ts';
import { sequencesInOrder } from './sorted-log-queries.ts';

/**
 * Exports entries. The sequence numbers are read at once, and the entries while the file is being
 * sent.
 */
export const exportAuditEntries: Handlers<typeof auditRoutes>['exportAuditEntries'] = async (
  { storage: { reader } },
  { caller: { tenantId }, query },
) => {
  const { format, sort, actor, resource, ...filter } = query;
  const named = await filterByNames(reader, tenantId, { actor, resource });
  const max = MAX_EXPORTED + 1;
  const page = { sort, limit: max, offset: 0, max };
  const sequences = await sequencesInOrder(reader, tenantId, { ...filter, ...named }, page);
  if (sequences.length > MAX_EXPORTED)
    throw new ApiError(
      'validation_error',
      `the filter matches more than ${MAX_EXPORTED} entries: no more can be exported at once`,
    );
  const batches = batchesOf(reader, tenantId, sequences);
  return listFile({ format, name: 'audit', fields: entryColumns, batches });
};

async function* batchesOf(db: Db, tenantId: string, sequences: readonly number[]) {
  for (let from = 0; from < sequences.length; from += EXPORTED_AT_ONCE) {
    const slice = sequences.slice(from, from + EXPORTED_AT_ONCE);
    const entries = await entriesOf(db, tenantId, slice);
    yield entries.map((entry) => ({
      ...entry,
      metadata: JSON.parse(entry.metadata) as object,
      created_at: new Date(entry.created_at).toISOString(),
    }));
  }
}
