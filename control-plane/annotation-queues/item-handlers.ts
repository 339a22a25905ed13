import type { annotationQueueRoutes } from '#contract/annotation-queues.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import type { AdminCaller } from '../http/caller.ts';
import { pageOf } from '../http/pagination.ts';
import { findRuns } from '../recording/queries.ts';
import { annotationQueueLock } from '../storage/locks.ts';
import { addItems, type ItemKey, listItems, removeItem } from './item-queries.ts';
import { itemViews, itemNotFound, progressOfQueue, requireQueue } from './queue-views.ts';

type ItemRoutes = Pick<
  typeof annotationQueueRoutes,
  'listAnnotationItems' | 'addAnnotationItems' | 'removeAnnotationItem'
>;

/** The maximum number of items, so that counting them, which every claim does, is fast. */
const MAX_ITEMS = 10_000;

export const queueKeyOf = ({ tenantId }: AdminCaller, { queue_id }: { queue_id: string }) => ({
  tenant_id: tenantId,
  queue_id,
});

export const itemKeyOf = (
  caller: AdminCaller,
  { queue_id, run_id }: { queue_id: string; run_id: number },
): ItemKey => ({ ...queueKeyOf(caller, { queue_id }), run_id });

/** Returns an entry for the audit log that names the queue, and the runs in its metadata. */
export const itemChange = (action: string, queueId: string, metadata: Record<string, unknown>) => ({
  action: `annotation_item.${action}`,
  resource_type: 'annotation_queue',
  resource_id: queueId,
  metadata,
});

export const itemHandlers: Handlers<ItemRoutes> = {
  async listAnnotationItems({ storage: { reader } }, { caller, params, query, url }) {
    const key = queueKeyOf(caller, params);
    await requireQueue(reader, key);
    const { rows, count } = await listItems(reader, key, query);
    return pageOf(url, query, { rows: await itemViews(reader, caller.tenantId, rows), count });
  },

  addAnnotationItems(context, request) {
    const { caller, params, body } = request;
    const key = queueKeyOf(caller, params);
    const ids = [...new Set(body.run_ids)];
    return withAudit(context, request, async (tx, audit) => {
      await tx.lock(annotationQueueLock(key.tenant_id, key.queue_id));
      await requireQueue(tx.db, key);
      const runs = await findRuns(tx, key.tenant_id, ids);
      const found = ids.filter((id) => runs.has(id));
      const added = await addItems(tx, key, found, context.now());
      const { pending, completed, skipped } = await progressOfQueue(tx.db, key);
      if (pending + completed + skipped > MAX_ITEMS)
        throw new ApiError(
          'count_limit_reached',
          `an annotation queue has at most ${MAX_ITEMS} runs: remove some, or create another queue`,
        );
      audit(itemChange('add', key.queue_id, { added, run_ids: found.slice(0, MAX_AUDITED) }));
      return {
        added,
        already_added: found.length - added,
        not_found: ids.filter((id) => !runs.has(id)),
      };
    });
  },

  removeAnnotationItem(context, request) {
    const key = itemKeyOf(request.caller, request.params);
    return withAudit(context, request, async (tx, audit) => {
      await tx.lock(annotationQueueLock(key.tenant_id, key.queue_id));
      await requireQueue(tx.db, key);
      if (!(await removeItem(tx, key))) throw itemNotFound(key);
      audit(itemChange('remove', key.queue_id, { run_id: key.run_id }));
      return undefined;
    });
  },
};

/**
 * The maximum number of runs in an entry of the audit log, because entries are kept permanently. Of
 * a longer list, only the first are logged.
 */
const MAX_AUDITED = 100;
