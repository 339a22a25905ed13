import {
  type Batch,
  batchOf,
  completePath,
  fitting,
  type Item,
  itemsOf,
  type Kind,
  kinds,
  singleOf,
  startPath,
  withField,
} from './batch.ts';

/**
 * What waits to be sent for one run, in the order that the server needs: its start, what was
 * recorded, its completion. No two requests of a lane are ever under way at once.
 */
export interface Lane {
  /** Absent once formed into a batch, and for what belongs to no run. */
  start: Item | undefined;
  parent: Lane | undefined;
  /** The server's id of the run; empty until its start was acknowledged. */
  runId: string;
  items: Record<Kind, Item[]>;
  completion: Item | undefined;
  /** Formed and not yet done with. They are sent again as they are, in this order. */
  batches: Batch[];
  /** Started, or never to be: what waits for that may go on. */
  state: 'starting' | 'open' | 'refused';
  busy: boolean;
  /** When it may be sent. */
  dueAt: number;
  /** Not before this, whatever is due: the server asked for it, or failed. */
  notBefore: number;
  onStarted: (runId: string) => void;
  onCompleted: (answer: unknown) => void;
  /** Called, once each, when nothing waits any more. */
  onEmpty: (() => void)[];
}

export const NEVER = Number.POSITIVE_INFINITY;

export function newLane(start: Item | undefined, parent?: Lane): Lane {
  return {
    start,
    parent,
    runId: '',
    items: { calls: [], steps: [], spans: [], scores: [], events: [] },
    completion: undefined,
    batches: [],
    state: start ? 'starting' : 'open',
    busy: false,
    dueAt: NEVER,
    notBefore: 0,
    onStarted: () => undefined,
    onCompleted: () => undefined,
    onEmpty: [],
  };
}

/** All that it holds is in batches. */
const isFormed = (lane: Lane): boolean =>
  !lane.start && !lane.completion && kinds.every((kind) => lane.items[kind].length === 0);

export const isEmpty = (lane: Lane): boolean => isFormed(lane) && lane.batches.length === 0;

/** A child's start names its parent, whose id must be known by then. */
export const waitsForParent = ({ start, parent }: Lane): boolean =>
  start !== undefined && parent?.state === 'starting';

/** What is to be sent now. It stays the lane's first batch until it is done with. */
export function nextBatch(lane: Lane): Batch | undefined {
  const [waiting] = lane.batches;
  if (waiting) return waiting;
  const batch = formBatch(lane);
  if (batch) lane.batches.push(batch);
  // What comes from now on waits for others to travel with.
  if (isFormed(lane)) lane.dueAt = NEVER;
  return batch;
}

function formBatch(lane: Lane): Batch | undefined {
  const { start, parent, completion } = lane;
  if (start) {
    lane.start = undefined;
    lane.parent = undefined;
    const named = parent?.runId ? withField(start, 'parent_run_id', parent.runId) : start;
    return singleOf('start', startPath, named);
  }
  const kind = kinds.find((one) => lane.items[one].length > 0);
  if (kind) {
    const items = lane.items[kind];
    const taken = items.splice(0, fitting(items));
    return batchOf(kind, lane.runId, kind === 'events' ? ofRun(taken, lane.runId) : taken);
  }
  if (!completion) return undefined;
  lane.completion = undefined;
  return singleOf('complete', completePath(lane.runId), completion);
}

/** Events go to one place for all runs: they name theirs themselves. */
const ofRun = (events: Item[], runId: string): Item[] =>
  runId ? events.map((event) => withField(event, 'run_id', runId)) : events;

/** Puts two halves in the place of the first batch, so that good items do not share its fate. */
export function halveFirst(lane: Lane): boolean {
  const [batch, ...others] = lane.batches;
  if (!batch || !('items' in batch.content) || batch.budget.refusals <= 0) return false;
  const { kind, items } = batch.content;
  if (items.length < 2) return false;
  batch.budget.refusals -= 1;
  const middle = Math.ceil(items.length / 2);
  const parts = [items.slice(0, middle), items.slice(middle)];
  const halves = parts.map((part) => batchOf(kind, lane.runId, part, batch.budget));
  lane.batches = [...halves, ...others];
  return true;
}

/** Takes out all that it holds. */
export function emptyLane(lane: Lane): Item[] {
  const held = [
    ...(lane.start ? [lane.start] : []),
    ...lane.batches.flatMap(itemsOf),
    ...kinds.flatMap((kind) => lane.items[kind].splice(0)),
    ...(lane.completion ? [lane.completion] : []),
  ];
  lane.batches = [];
  lane.start = undefined;
  lane.completion = undefined;
  return held;
}
