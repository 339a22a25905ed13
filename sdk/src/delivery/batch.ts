/** What is recorded many at a time, and where it goes. */
const destinations = {
  calls: 'llm-calls',
  steps: 'steps',
  spans: 'spans',
  scores: 'scores',
} as const;

export type Kind = keyof typeof destinations | 'events';
export const kinds = ['calls', 'steps', 'spans', 'scores', 'events'] as const;

/** One record, already as it will be sent. */
export interface Item {
  json: string;
  bytes: number;
}

/** What travels in one request. However often it is sent, it keeps its id. */
export interface Batch {
  id: string;
  path: string;
  /** Several records of one kind, or the one that starts or completes a run. */
  content: { kind: Kind; items: readonly Item[] } | { kind: 'start' | 'complete'; item: Item };
  /** Times that the server was there and failed. */
  failures: number;
  /** Refusals that this batch and its parts may still cause while the item at fault is sought. */
  budget: { refusals: number };
}

const observe = '/api/v1/observe';
export const startPath = `${observe}/runs/start/`;
export const completePath = (runId: string): string => `${observe}/runs/${runId}/complete/`;

const pathOf = (kind: Kind, runId: string): string =>
  kind === 'events' ? `${observe}/events/` : `${observe}/runs/${runId}/${destinations[kind]}/`;

// The server takes 1,000 items and 10 MB; the rest of the request needs a little of that.
export const MOST_ITEMS = 1000;
export const MOST_BYTES = 8_000_000;

const encoder = new TextEncoder();

/** Measured once, when it is recorded: batches are cut by bytes. */
export function itemOf(value: object): Item {
  const json = JSON.stringify(value);
  return { json, bytes: encoder.encode(json).byteLength };
}

/** With a field in front of its own, which win. Its bytes stay those that the queue counts. */
export const withField = ({ json, bytes }: Item, name: string, value: string): Item => ({
  json: `{"${name}":${JSON.stringify(value)},${json.slice(1)}`,
  bytes,
});

/** How many of these, from the first on, fit into one request. One always does. */
export function fitting(items: readonly Item[]): number {
  let bytes = 0;
  const over = items.findIndex((item, index) => {
    bytes += item.bytes + 1;
    return index === MOST_ITEMS || (bytes > MOST_BYTES && index > 0);
  });
  return over === -1 ? items.length : over;
}

const REFUSALS = 24;

/** These items of one run, or of none. */
export const batchOf = (
  kind: Kind,
  runId: string,
  items: readonly Item[],
  budget = { refusals: REFUSALS },
): Batch => ({
  id: crypto.randomUUID(),
  path: pathOf(kind, runId),
  content: { kind, items },
  failures: 0,
  budget,
});

export const singleOf = (kind: 'start' | 'complete', path: string, item: Item): Batch => ({
  id: crypto.randomUUID(),
  path,
  content: { kind, item },
  failures: 0,
  budget: { refusals: 0 },
});

export const itemsOf = ({ content }: Batch): readonly Item[] =>
  'items' in content ? content.items : [content.item];

/** The body of the request: the batch's id, and what it carries. */
export function bodyOf({ id, content }: Batch): string {
  const head = `{"batch_id":"${id}",`;
  if ('item' in content) return head + content.item.json.slice(1);
  return `${head}"${content.kind}":[${content.items.map(({ json }) => json).join(',')}]}`;
}
