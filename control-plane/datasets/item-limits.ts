import { MAX_DATASET_BYTES, MAX_ITEM_BYTES, MAX_ITEMS } from '#contract/datasets.ts';
import { ApiError } from '#contract/errors.ts';
import type { Db } from '../storage/open.ts';
import { type ItemContent, sizeOfItems } from './item-queries.ts';
import type { DatasetKey } from './queries.ts';
import { itemBytes } from './rules.ts';

/**
 * Returns the size of an item in bytes.
 *
 * @throws ApiError `validation_error` if it is too large
 */
export function requireItemSize(content: ItemContent, name: string): number {
  const bytes = itemBytes(content);
  if (bytes > MAX_ITEM_BYTES)
    throw new ApiError(
      'validation_error',
      `${name}: input, expected output and metadata have ${bytes} bytes of JSON together, at most ${MAX_ITEM_BYTES} allowed`,
    );
  return bytes;
}

/**
 * @throws ApiError `count_limit_reached` if the dataset has no room for this many items or bytes
 */
export async function requireCapacity(
  db: Db,
  key: DatasetKey,
  added: { count: number; bytes: number },
): Promise<void> {
  const { count, bytes } = await sizeOfItems(db, key);
  if (count + added.count > MAX_ITEMS)
    throw new ApiError(
      'count_limit_reached',
      `items: the dataset has ${count} items, archived ones included, and may have ${MAX_ITEMS}`,
    );
  if (bytes + added.bytes > MAX_DATASET_BYTES)
    throw new ApiError(
      'count_limit_reached',
      `items: the dataset has ${bytes} bytes, archived items included, and may have ${MAX_DATASET_BYTES}`,
    );
}
