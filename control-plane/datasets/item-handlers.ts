import type { z } from 'zod';
import type { datasetRoutes, newItem } from '#contract/datasets.ts';
import { ApiError } from '#contract/errors.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import type { Db } from '../storage/open.ts';
import { datasetNotFound, datasetOf, keyOf, requireDataset } from './dataset-key.ts';
import {
  changeItem,
  findCallIds,
  findItem,
  insertItems,
  type ItemContent,
  listItems,
  reservePositions,
} from './item-queries.ts';
import { changeDataset, type DatasetKey } from './queries.ts';
import { requireCapacity, requireItemSize } from './item-limits.ts';
import { isBeingCopied } from './start-queries.ts';
import { expectedJson, expectedPreview, inputPreview, itemBytes } from './rules.ts';

type NewItem = z.output<typeof newItem>;

export const itemHandlers: Handlers<
  Pick<
    typeof datasetRoutes,
    'listDatasetItems' | 'addDatasetItems' | 'getDatasetItem' | 'updateDatasetItem'
  >
> = {
  async listDatasetItems({ storage: { reader } }, { caller, params, query, url }) {
    const key = keyOf(caller, params);
    await requireDataset(reader, key);
    return pageOf(url, query, await listItems(reader, key, query));
  },

  async addDatasetItems(context, request) {
    const { caller, params, body } = request;
    const key = keyOf(caller, params);
    const now = context.now();
    const item_ids = body.items.map(() => context.newId('dti'));
    const contents = body.items.map(contentOf);
    const bytes = contents.reduce(
      (sum, content, at) => sum + requireItemSize(content, `items[${at}]`),
      0,
    );
    await requireCalls(context.storage.db, key, body.items);
    await withAudit(context, request, async (tx, audit) => {
      const first = await reservePositions(tx, key, { count: item_ids.length, now });
      if (first === undefined) throw datasetNotFound(key);
      await requireCapacity(tx.db, key, { count: item_ids.length, bytes });
      const items = body.items.map((item, at) => ({
        ...key,
        ...(contents[at] as ItemContent),
        id: item_ids[at] as string,
        position: first + at,
        llm_call_id: item.llm_call_id ?? null,
        created_at: now,
        updated_at: now,
        archived_at: null,
      }));
      await insertItems(tx, items);
      // The content may be long, so the log only has the ids of the items.
      audit({ action: 'dataset.add_items', ...datasetOf(key), metadata: { item_ids } });
    });
    return { item_ids };
  },

  getDatasetItem: ({ storage: { reader } }, { caller, params }) =>
    requireItem(reader, keyOf(caller, params), params.item_id),

  async updateDatasetItem(context, request) {
    const { caller, params, body } = request;
    const key = keyOf(caller, params);
    const now = context.now();
    return withAudit(context, request, async (tx, audit) => {
      if (!(await changeDataset(tx, key, now))) throw datasetNotFound(key);
      await requireNoCopy(tx.db, key, now);
      const before = await requireItem(tx.db, key, params.item_id);
      const content = changedContent(body);
      const grown = requireItemSize({ ...before, ...content }, 'item') - itemBytes(before);
      if (grown > 0) await requireCapacity(tx.db, key, { count: 0, bytes: grown });
      const archived_at = body.archived ? (before.archived_at ?? now) : null;
      await changeItem(tx, key, params.item_id, {
        ...content,
        ...(body.archived !== undefined && { archived_at }),
        updated_at: now,
      });
      const after = await requireItem(tx.db, key, params.item_id);
      audit({
        action: 'dataset.update_item',
        resource_type: 'dataset_item',
        resource_id: params.item_id,
        before: previewsOf(before),
        after: previewsOf(after),
        metadata: { dataset_id: key.dataset_id, changed: Object.keys(body) },
      });
      return after;
    });
  },
};

const contentOf = ({ input, expected_output, metadata }: NewItem): ItemContent => ({
  input: JSON.stringify(input),
  input_preview: inputPreview(input),
  expected_output: expectedJson(expected_output),
  expected_preview: expectedPreview(expected_output),
  metadata: JSON.stringify(metadata),
});

/**
 * Returns only the members that were given. `expected_output: null` removes the expected output.
 */
const changedContent = (body: Partial<NewItem>): Partial<ItemContent> => ({
  ...(body.input && {
    input: JSON.stringify(body.input),
    input_preview: inputPreview(body.input),
  }),
  ...(body.expected_output !== undefined && {
    expected_output: expectedJson(body.expected_output),
    expected_preview: expectedPreview(body.expected_output),
  }),
  ...(body.metadata && { metadata: JSON.stringify(body.metadata) }),
});

/** Returns an item for the audit log, without its content, which may be long. */
const previewsOf = (item: Awaited<ReturnType<typeof requireItem>>) => ({
  input_preview: item.input_preview,
  expected_preview: item.expected_preview,
  archived: item.archived_at !== null,
});

/**
 * Refuses changes while items are being copied, because an experiment has its items as they are at
 * one moment.
 *
 * @throws ApiError `in_progress`
 */
async function requireNoCopy(db: Db, key: DatasetKey, now: number): Promise<void> {
  if (await isBeingCopied(db, key, now))
    throw new ApiError(
      'in_progress',
      'an experiment is being started and copies the items: change the item when it runs',
    );
}

/** @throws ApiError `not_found` */
async function requireItem(db: Db, key: DatasetKey, id: string) {
  const item = await findItem(db, key, id);
  if (!item) throw new ApiError('not_found', `the dataset has no item ${id}`);
  return item;
}

/** @throws ApiError `not_found` if an item names an LLM call that the tenant does not have */
async function requireCalls(db: Db, key: DatasetKey, items: readonly NewItem[]): Promise<void> {
  const ids = items.flatMap(({ llm_call_id }) => llm_call_id ?? []);
  if (ids.length === 0) return;
  const found = await findCallIds(db, key.tenant_id, ids);
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw new ApiError('not_found', `there is no LLM call ${missing}`);
}
