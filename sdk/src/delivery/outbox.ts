import type { Settings } from '../config.ts';
import type { Stats } from '../recording/types.ts';
import type { Reporter } from '../report.ts';
import { type Item, itemOf, type Kind, MOST_BYTES, MOST_ITEMS } from './batch.ts';
import { createCourier } from './courier.ts';
import { emptyLane, type Lane, newLane } from './lane.ts';
import type { Send } from './request.ts';

const MOST_QUEUED_BYTES = 64_000_000;

interface Completion {
  status: 'success' | 'error';
  result?: Record<string, unknown> | undefined;
  error?: string;
}

export interface Outbox {
  /** Undefined when there is no room: the whole run then goes unrecorded. */
  startRun(start: object, parent?: Lane): Lane | undefined;
  add(lane: Lane, kind: Kind, value: object): void;
  complete(lane: Lane, completion: Completion): void;
  /** The lane of what belongs to no run. */
  readonly tenantLane: Lane;
  /** Sends all that waits; false if that was not done in time. */
  flush(timeoutMs: number): Promise<boolean>;
  /** Nothing is taken any more, and what still waits is given up. */
  close(): void;
  stats: () => Stats;
}

/**
 * The bounded queue between the agent and the server. When it is full, what comes is dropped: what
 * has been taken stays whole, a run with its start and its completion.
 */
export function createOutbox(settings: Settings, send: Send, report: Reporter): Outbox {
  const stats: Stats = { queued: 0, delivered: 0, dropped: 0 };
  let bytes = 0;
  let closed = false;
  let toldFull = false;
  const tenantLane = newLane(undefined);

  const courier = createCourier(settings, send, report, ({ delivered, dropped, problem }) => {
    release(delivered);
    stats.delivered += delivered.length;
    giveUp(dropped);
    if (problem) report.problem('refused', problem);
  });

  function take(item: Item): Item {
    stats.queued += 1;
    bytes += item.bytes;
    return item;
  }

  function release(items: readonly Item[]): void {
    stats.queued -= items.length;
    for (const item of items) bytes -= item.bytes;
    // Said again only when it fills anew, not for every record that finds it full.
    if (stats.queued <= settings.maxQueue / 2) toldFull = false;
  }

  function giveUp(items: readonly Item[]): void {
    release(items);
    stats.dropped += items.length;
  }

  function refusal(item: Item): string | undefined {
    if (item.bytes > MOST_BYTES) return `a record of ${item.bytes} bytes is too large to be sent`;
    if (stats.queued < settings.maxQueue && bytes + item.bytes <= MOST_QUEUED_BYTES)
      return undefined;
    if (toldFull) return '';
    toldFull = true;
    return `the queue is full: ${stats.queued} records wait`;
  }

  /** Whether there is room for it; if not, it is counted and told. */
  function admit(item: Item): boolean {
    const why = closed ? '' : refusal(item);
    if (why === undefined) return true;
    stats.dropped += 1;
    if (why) report.problem('dropped', `${why}; this and what follows is counted as dropped`);
    return false;
  }

  /** A run must be told of, also one with a field that is too large to be sent. */
  function fittingItem(value: object, [field, ...others]: readonly string[]): Item {
    const item = itemOf(value);
    if (item.bytes <= MOST_BYTES || !field) return item;
    report.problem('dropped', `${field} of ${item.bytes} bytes is too large to be sent`);
    return fittingItem({ ...value, [field]: undefined }, others);
  }

  return {
    tenantLane,
    startRun(start, parent) {
      const item = fittingItem(start, ['inputs', 'metadata']);
      if (!admit(item)) return undefined;
      const lane = newLane(take(item), parent);
      courier.offer(lane, Date.now());
      return lane;
    },
    add(lane, kind, value) {
      const item = itemOf(value);
      if (lane.state === 'refused') stats.dropped += 1;
      else if (admit(item)) {
        const waiting = lane.items[kind].push(take(item));
        courier.offer(lane, Date.now() + (waiting < MOST_ITEMS ? settings.flushIntervalMs : 0));
      }
    },
    complete(lane, completion) {
      if (closed || lane.state === 'refused') return;
      lane.completion = take(fittingItem(completion, ['result']));
      courier.offer(lane, Date.now());
    },
    async flush(timeoutMs) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      // Not unref'ed: it keeps the process alive for as long as flushing may take.
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), timeoutMs);
      });
      const done = await Promise.race([courier.hurry().then(() => true), late]);
      clearTimeout(timer);
      return done;
    },
    close() {
      closed = true;
      for (const lane of courier.close()) {
        giveUp(emptyLane(lane));
        lane.state = 'refused';
        lane.onStarted(lane.runId);
        lane.onCompleted(undefined);
      }
    },
    stats: () => ({ ...stats }),
  };
}
