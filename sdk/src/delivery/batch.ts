/** The endpoints of the record types that are sent in batches. */
const destinations = {
  calls: 'llm-calls',
  steps: 'steps',
  spans: 'spans',
  scores: 'scores',
} as const;

export type BatchKind = keyof typeof destinations | 'events';
export const kinds = ['calls', 'steps', 'spans', 'scores', 'events'] as const;

/** One record, serialized. */
export interface QueuedItem {
  json: string;
  bytes: number;
}

/** The content of one request. Its id stays the same on retries. */
export interface Batch {
  id: string;
  path: string;
  /** Records of one type, or the start or completion of a run. */
  content:
    | { kind: BatchKind; items: readonly QueuedItem[] }
    | { kind: 'start' | 'complete'; item: QueuedItem };
  /** The number of error responses, without those of an unavailable server. */
  failures: number;
  /**
   * The number of times that this batch and its parts may still be split to find an invalid item.
   */
  budget: { splits: number };
}

const OBSERVE = '/api/v1/observe';
export const startPath = `${OBSERVE}/runs/start/`;
export const completePath = (runId: string): string => `${OBSERVE}/runs/${runId}/complete/`;

const pathOf = (kind: BatchKind, runId: string): string =>
  kind === 'events' ? `${OBSERVE}/events/` : `${OBSERVE}/runs/${runId}/${destinations[kind]}/`;

// The server accepts 1,000 items and 10 MB, including the overhead of the request.
export const MAX_ITEMS = 1000;
export const MAX_BYTES = 8_000_000;

const encoder = new TextEncoder();

/** Serializes a record. Its size is measured once, to limit the bytes of batches. */
export function itemOf(value: object): QueuedItem {
  const json = JSON.stringify(value);
  return { json, bytes: encoder.encode(json).byteLength };
}

/**
 * Adds a field, which an existing field overrides. `bytes` stays the size that the outbox counted.
 */
export const withField = (
  { json, bytes }: QueuedItem,
  name: string,
  value: string,
): QueuedItem => ({
  json: `{"${name}":${JSON.stringify(value)},${json.slice(1)}`,
  bytes,
});

/** Returns how many items, starting with the first, fit into one request. At least one. */
export function countWithinLimits(items: readonly QueuedItem[]): number {
  let bytes = 0;
  const over = items.findIndex((item, index) => {
    bytes += item.bytes + 1;
    return index === MAX_ITEMS || (bytes > MAX_BYTES && index > 0);
  });
  return over === -1 ? items.length : over;
}

const MAX_SPLITS = 24;

/** Creates a batch of items, of a run or without a run. */
export const batchOf = (
  kind: BatchKind,
  runId: string,
  items: readonly QueuedItem[],
  budget = { splits: MAX_SPLITS },
): Batch => ({
  id: crypto.randomUUID(),
  path: pathOf(kind, runId),
  content: { kind, items },
  failures: 0,
  budget,
});

export const singleOf = (kind: 'start' | 'complete', path: string, item: QueuedItem): Batch => ({
  id: crypto.randomUUID(),
  path,
  content: { kind, item },
  failures: 0,
  budget: { splits: 0 },
});

export const itemsOf = ({ content }: Batch): readonly QueuedItem[] =>
  'items' in content ? content.items : [content.item];

/** Returns the request body: the id of the batch and its content. */
export function bodyOf({ id, content }: Batch): string {
  const head = `{"batch_id":"${id}",`;
  if ('item' in content) return head + content.item.json.slice(1);
  return `${head}"${content.kind}":[${content.items.map(({ json }) => json).join(',')}]}`;
}
