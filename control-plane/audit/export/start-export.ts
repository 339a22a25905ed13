import type { z } from 'zod';
import type { auditRoutes } from '#contract/audit.ts';
import { ApiError } from '#contract/errors.ts';
import type { Context } from '../../context.ts';
import type { ApiRequest } from '../../http/api-request.ts';
import { withAudit } from '../with-audit.ts';
import { findHead } from '../queries.ts';
import { EXPORT_LIFETIME_MS } from './export-job.ts';
import { signedExportUrl } from './link.ts';
import { countUnfinished, type Export, insertExport } from './export-queries.ts';

type ExportView = z.output<(typeof auditRoutes)['findAuditExport']['response']>;

const MAX_IN_PROGRESS = 5;
const LINK_LIFETIME_MS = 3_600_000;

/**
 * Stores an export request for all entries that are now in the log. Later entries are excluded.
 *
 * @throws ApiError `conflict` if too many exports are in progress
 */
export async function startExport(
  context: Context,
  request: ApiRequest<(typeof auditRoutes)['startAuditExport']>,
): Promise<Export> {
  const { start_date = null, end_date = null, format } = request.body;
  const { tenantId: tenant_id } = request.caller;
  return withAudit(context, request, async (tx, audit) => {
    if ((await countUnfinished(tx.db, tenant_id)) >= MAX_IN_PROGRESS)
      throw new ApiError(
        'in_progress',
        `${MAX_IN_PROGRESS} exports are in progress: wait until one is completed`,
      );
    const head = await findHead(tx.db, tenant_id);
    const job = await insertExport(tx, {
      tenant_id,
      id: context.newId('exp'),
      format,
      start_date,
      end_date,
      last_sequence: head?.sequence ?? 0,
      created_at: context.now(),
    });
    const dates = { start_date: isoOf(start_date), end_date: isoOf(end_date) };
    audit({
      action: 'audit.export',
      resource_type: 'audit_export',
      resource_id: job.id,
      metadata: { ...dates, format },
    });
    return job;
  });
}

const isoOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

/** Returns an export in the form of the API. Each response has a new link. */
export function exportView(context: Context, job: Export): ExportView {
  const { secrets, urls } = context;
  const expires_at = job.created_at + EXPORT_LIFETIME_MS;
  const expires = Math.floor(Math.min(context.now() + LINK_LIFETIME_MS, expires_at) / 1000);
  const grant = { tenant: job.tenant_id, export_id: job.id, expires };
  const { status, format, entry_count, error, created_at, completed_at } = job;
  return {
    export_id: job.id,
    status,
    download_url:
      status === 'completed' ? signedExportUrl(secrets.auditKey, urls.public, grant) : null,
    format,
    entry_count,
    error,
    created_at,
    completed_at,
    expires_at,
  };
}
