import { z } from 'zod';
import { type Progress, scoreConfig, type ScoreConfig } from '#contract/annotation-queues.ts';
import { ApiError } from '#contract/errors.ts';
import { emailsOf } from '../list-views/queries.ts';
import type { Db } from '../storage/open.ts';
import {
  findGivenScores,
  findItem,
  type ItemKey,
  type QueueKey,
  type StoredItem,
} from './item-queries.ts';
import { countItems, findQueue, type StoredQueue } from './queue-queries.ts';
import { givenValueOf, progressOf } from './rules.ts';

/** @throws ApiError `not_found` */
export async function requireQueue(
  db: Db,
  { tenant_id, queue_id }: QueueKey,
): Promise<StoredQueue> {
  const queue = await findQueue(db, tenant_id, queue_id);
  if (!queue) throw new ApiError('not_found', `there is no annotation queue ${queue_id}`);
  return queue;
}

const storedConfigs = z.array(scoreConfig);
export const configsOf = ({ scores }: Pick<StoredQueue, 'scores'>): ScoreConfig[] =>
  storedConfigs.parse(JSON.parse(scores));

/** Returns queues in the form of responses. */
export async function queueViews(db: Db, tenantId: string, queues: readonly StoredQueue[]) {
  const counts = await countItems(
    db,
    tenantId,
    queues.map(({ id }) => id),
  );
  return queues.map((queue) => ({
    ...queue,
    scores: configsOf(queue),
    progress: progressOf(counts.get(queue.id) ?? []),
  }));
}

export async function progressOfQueue(
  db: Db,
  { tenant_id, queue_id }: QueueKey,
): Promise<Progress> {
  const counts = await countItems(db, tenant_id, [queue_id]);
  return progressOf(counts.get(queue_id) ?? []);
}

export const itemNotFound = ({ queue_id, run_id }: ItemKey): ApiError =>
  new ApiError('not_found', `run ${run_id} is not in annotation queue ${queue_id}`);

/** @throws ApiError `not_found` */
export async function requireItem(db: Db, key: ItemKey): Promise<StoredItem> {
  const item = await findItem(db, key);
  if (!item) throw itemNotFound(key);
  return item;
}

/** Returns items in the form of responses, with the email addresses of their reviewers. */
export async function itemViews(db: Db, tenantId: string, items: readonly StoredItem[]) {
  const reviewers = items.flatMap(({ reviewer_id }) => reviewer_id ?? []);
  const emails = await emailsOf(db, tenantId, [...new Set(reviewers)]);
  return items.map(({ reviewer_id, score_ids: _scores, ...item }) => ({
    ...item,
    reviewer: reviewer_id === null ? null : (emails.get(reviewer_id) ?? null),
  }));
}

/** @throws ApiError `not_found` */
export async function itemView(db: Db, key: ItemKey) {
  const [answer] = await itemViews(db, key.tenant_id, [await requireItem(db, key)]);
  if (!answer) throw itemNotFound(key);
  return answer;
}

export const scoreIdsOf = ({ score_ids }: Pick<StoredItem, 'score_ids'>): string[] =>
  z.array(z.string()).parse(JSON.parse(score_ids));

/** Returns a claimed item with the scores that were given before it was reopened. */
export async function claimView(db: Db, key: ItemKey) {
  const item = await requireItem(db, key);
  const given = await findGivenScores(db, key.tenant_id, scoreIdsOf(item));
  const scores = given.map((score) => ({ name: score.name, value: givenValueOf(score) }));
  return { ...(await itemView(db, key)), scores };
}
