import type { annotationQueueRoutes } from '#contract/annotation-queues.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../handler.ts';
import type { SessionCaller } from '../http/caller.ts';
import { annotationQueueLock } from '../storage/locks.ts';
import { retryConflicts } from '../storage/retry-conflicts.ts';
import type { Tx } from '../storage/transaction.ts';
import { lockRun, prepareScores, storeScores } from './give-scores.ts';
import { itemChange, itemKeyOf, queueKeyOf } from './item-handlers.ts';
import { changeItem, type ItemKey, nextRun, type StoredItem } from './item-queries.ts';
import {
  claimView,
  configsOf,
  itemView,
  progressOfQueue,
  requireItem,
  requireQueue,
  scoreIdsOf,
} from './queue-views.ts';
import { claimExpiry, problemOfScores } from './rules.ts';

type ReviewRoutes = Pick<
  typeof annotationQueueRoutes,
  'claimAnnotationItem' | 'completeAnnotationItem' | 'skipAnnotationItem' | 'reopenAnnotationItem'
>;

export const reviewHandlers: Handlers<ReviewRoutes> = {
  claimAnnotationItem(context, { caller, params }) {
    const key = queueKeyOf(caller, params);
    return context.storage.transaction(async (tx) => {
      await tx.lock(annotationQueueLock(key.tenant_id, key.queue_id));
      await requireQueue(tx.db, key);
      const run_id = await nextRun(tx, key, caller.userId, context.now());
      const progress = await progressOfQueue(tx.db, key);
      if (run_id === undefined) return { item: null, progress };
      const item = { ...key, run_id };
      await changeItem(tx, item, claimOf(context, caller));
      return { item: await claimView(tx.db, item), progress };
    });
  },

  async completeAnnotationItem(context, request) {
    const { caller, params, body } = request;
    const key = itemKeyOf(caller, params);
    const masker = await context.maskerOf(key.tenant_id);
    const comment = masker.mask({ comment: body.comment }).comment || null;
    const completed = await retryConflicts(context.storage, () =>
      withAudit(context, request, async (tx, audit) => {
        await tx.lock(annotationQueueLock(key.tenant_id, key.queue_id));
        const queue = await requireQueue(tx.db, key);
        const item = await requireClaimed(tx, key, caller);
        const configs = configsOf(queue);
        const problem = problemOfScores(configs, body.scores);
        if (problem) throw new ApiError('validation_error', problem);
        const run = await lockRun(tx, key);
        const scores = prepareScores(context, { queue, caller, configs, comment }, body.scores);
        const ids = scores.map(({ id }) => id);
        const score_ids = JSON.stringify(ids);
        await changeItem(tx, key, { ...doneChange('completed', context), comment, score_ids });
        await storeScores(tx, context.storage, run, { scores, replaced: scoreIdsOf(item) });
        audit(itemChange('complete', queue.id, { run_id: key.run_id, score_ids: ids }));
        return itemView(tx.db, key);
      }),
    );
    const { tenant_id, run_id } = key;
    context.storage.signals.publish({ tenant_id, topic: 'runs', run_id });
    return completed;
  },

  skipAnnotationItem(context, request) {
    const key = itemKeyOf(request.caller, request.params);
    return withAudit(context, request, async (tx, audit) => {
      await tx.lock(annotationQueueLock(key.tenant_id, key.queue_id));
      await requireQueue(tx.db, key);
      await requireClaimed(tx, key, request.caller);
      await changeItem(tx, key, doneChange('skipped', context));
      audit(itemChange('skip', key.queue_id, { run_id: key.run_id }));
      return itemView(tx.db, key);
    });
  },

  reopenAnnotationItem(context, request) {
    const key = itemKeyOf(request.caller, request.params);
    return withAudit(context, request, async (tx, audit) => {
      await tx.lock(annotationQueueLock(key.tenant_id, key.queue_id));
      await requireQueue(tx.db, key);
      const { status } = await requireItem(tx.db, key);
      if (status === 'pending')
        throw new ApiError('invalid_state', `run ${key.run_id} is already pending in this queue`);
      const claim = claimOf(context, request.caller);
      await changeItem(tx, key, { status: 'pending', done_at: null, ...claim });
      audit(itemChange('reopen', key.queue_id, { run_id: key.run_id, status }));
      return claimView(tx.db, key);
    });
  },
};

const claimOf = (context: Context, { userId }: SessionCaller) => ({
  reviewer_id: userId,
  claim_expires_at: claimExpiry(context.now()),
});

const doneChange = (status: 'completed' | 'skipped', context: Context) => ({
  status,
  claim_expires_at: null,
  done_at: context.now(),
});

/**
 * Returns the item that the caller has claimed. An expired claim remains valid until another
 * reviewer takes the item.
 *
 * @throws ApiError `not_found`, or `invalid_state` unless the item is pending and the caller has
 * claimed it
 */
async function requireClaimed(tx: Tx, key: ItemKey, caller: SessionCaller): Promise<StoredItem> {
  const item = await requireItem(tx.db, key);
  if (item.status !== 'pending')
    throw new ApiError('invalid_state', `run ${key.run_id} was already ${item.status}`);
  if (item.reviewer_id !== caller.userId)
    throw new ApiError(
      'invalid_state',
      item.reviewer_id === null
        ? `run ${key.run_id} is not claimed: claim the next item of the queue first`
        : `run ${key.run_id} is claimed by another reviewer: claim the next item of the queue`,
    );
  return item;
}
