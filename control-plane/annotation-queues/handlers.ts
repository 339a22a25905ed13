import type { annotationQueueRoutes } from '#contract/annotation-queues.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit, withUniqueName } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { annotationQueueLock, annotationQueuesLock } from '../storage/locks.ts';
import type { Db } from '../storage/open.ts';
import { itemHandlers } from './item-handlers.ts';
import { queueViews, configsOf, requireQueue } from './queue-views.ts';
import {
  changeQueue,
  countQueues,
  deleteQueue,
  insertQueue,
  listQueues,
  type StoredQueue,
} from './queue-queries.ts';
import { reviewHandlers } from './review-handlers.ts';

const MAX_QUEUES = 100;
const RESOURCE = 'annotation_queue';

export const annotationQueueHandlers: Handlers<typeof annotationQueueRoutes> = {
  ...itemHandlers,
  ...reviewHandlers,

  async listAnnotationQueues({ storage: { reader } }, { caller, query, url }) {
    const { rows, count } = await listQueues(reader, caller.tenantId, query);
    return pageOf(url, query, { rows: await queueViews(reader, caller.tenantId, rows), count });
  },

  async getAnnotationQueue({ storage: { db } }, { caller, params: { queue_id } }) {
    return queueView(db, await requireQueue(db, { tenant_id: caller.tenantId, queue_id }));
  },

  createAnnotationQueue(context, request) {
    const { caller, body } = request;
    const now = context.now();
    const queue: StoredQueue = {
      ...body,
      tenant_id: caller.tenantId,
      id: context.newId('anq'),
      scores: JSON.stringify(body.scores),
      created_at: now,
      updated_at: now,
    };
    return withUniqueName(
      context,
      request,
      { what: 'annotation queue', name: queue.name },
      async (tx, audit) => {
        await tx.lock(annotationQueuesLock(caller.tenantId));
        if ((await countQueues(tx.db, caller.tenantId)) >= MAX_QUEUES)
          throw new ApiError(
            'count_limit_reached',
            `a tenant can have at most ${MAX_QUEUES} annotation queues: delete one`,
          );
        await insertQueue(tx, queue);
        audit({ ...changeOf('create', queue.id), after: factsOf(queue) });
        return queueView(tx.db, queue);
      },
    );
  },

  updateAnnotationQueue(context, request) {
    const { caller, params, body } = request;
    const key = { tenant_id: caller.tenantId, queue_id: params.queue_id };
    return withUniqueName(
      context,
      request,
      { what: 'annotation queue', name: body.name ?? '' },
      async (tx, audit) => {
        await tx.lock(annotationQueueLock(key.tenant_id, key.queue_id));
        const before = await requireQueue(tx.db, key);
        const { name, description, instructions, scores } = body;
        const after: StoredQueue = {
          ...before,
          ...(name !== undefined && { name }),
          ...(description !== undefined && { description }),
          ...(instructions !== undefined && { instructions }),
          ...(scores !== undefined && { scores: JSON.stringify(scores) }),
          updated_at: context.now(),
        };
        await changeQueue(tx, after);
        const change = changeOf('update', after.id);
        audit({ ...change, before: factsOf(before), after: factsOf(after) });
        return queueView(tx.db, after);
      },
    );
  },

  deleteAnnotationQueue: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { caller, params } = request;
      const key = { tenant_id: caller.tenantId, queue_id: params.queue_id };
      await tx.lock(annotationQueueLock(key.tenant_id, key.queue_id));
      const before = await requireQueue(tx.db, key);
      await deleteQueue(tx, key.tenant_id, before.id);
      audit({ ...changeOf('delete', before.id), before: factsOf(before) });
      return undefined;
    }),
};

const changeOf = (action: string, id: string) => ({
  action: `${RESOURCE}.${action}`,
  resource_type: RESOURCE,
  resource_id: id,
});

const factsOf = (queue: StoredQueue) => ({
  name: queue.name,
  description: queue.description,
  instructions: queue.instructions,
  scores: configsOf(queue),
});

async function queueView(db: Db, queue: StoredQueue) {
  const [answer] = await queueViews(db, queue.tenant_id, [queue]);
  if (!answer) throw new ApiError('not_found', `there is no annotation queue ${queue.id}`);
  return answer;
}
