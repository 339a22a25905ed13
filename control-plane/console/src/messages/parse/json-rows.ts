import { isObject } from './json.ts';

/** One line of a JSON tree. */
export interface JsonRow {
  /** The names and indexes on the way to this row, unique within the tree. */
  path: string;
  /** Counted from 1. */
  level: number;
  /** Name or index within the parent; null for the outermost. */
  name: string | number | null;
  value: unknown;
  /** Undefined for values without children. */
  open: boolean | undefined;
}

export const sizeOf = (value: object): number =>
  Array.isArray(value) ? value.length : Object.keys(value).length;

export const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && sizeOf(value) > 0;

interface Waiting extends Omit<JsonRow, 'open'> {}

/**
 * The first rows of a tree, in order, at most `limit`. Not recursive, because recorded JSON may be
 * nested deeper than the stack.
 */
export function jsonRows(
  value: unknown,
  isOpen: (row: { path: string; value: object; level: number }) => boolean,
  limit: number,
): { rows: JsonRow[]; hasMore: boolean } {
  const rows: JsonRow[] = [];
  const waiting: Waiting[] = [{ path: '', level: 1, name: null, value }];
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    if (rows.length === limit) return { rows, hasMore: true };
    const { value, path, level } = row;
    const open = isContainer(value) ? isOpen({ path, value, level }) : undefined;
    rows.push({ ...row, open });
    // Adds no more rows than can still be shown, because a list may have a million items.
    if (open) waiting.push(...childrenOf(row, limit - rows.length + 1).reverse());
  }
  return { rows, hasMore: false };
}

function childrenOf({ value, path, level }: Waiting, most: number): Waiting[] {
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.slice(0, most).map((item: unknown, at) => [at, item])
    : Object.entries(isObject(value) ? value : {}).slice(0, most);
  return entries.map(([name, value]) => ({
    path: `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    level: level + 1,
    name,
    value,
  }));
}
