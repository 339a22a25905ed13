/** Identifies a socket during its lifetime: a kernel cookie, or the closest equivalent. */
export type SocketKey = number | string;

export interface FlowOwner {
  pid: number;
  name: string;
  path: string | null;
  /** The script that an interpreter runs. Only used by `appOf`, never reported. */
  script?: string | null;
}

/** A socket as its source describes it at first sight. */
export interface FlowSocket {
  key: SocketKey;
  protocol: 'tcp' | 'udp';
  localAddress: string;
  localPort: number;
  address: string;
  port: number;
  inode: number;
  user: string | null;
  owner: FlowOwner | null;
}

/** Payload bytes; null if the system does not count them. */
export interface FlowCounts {
  established: boolean;
  bytesIn: number | null;
  bytesOut: number | null;
}

/**
 * Candidate: seen, but not reportable yet (a connection attempt, or a UDP socket seen once). Left
 * out: not reportable, remembered so that it is evaluated only once.
 */
export type FlowPhase = 'candidate' | 'open' | 'ended' | 'left-out';

export interface Flow extends FlowSocket {
  id: string;
  phase: FlowPhase;
  appId: string | null;
  host: string | null;
  /** The time in milliseconds since 1970, like all times here. */
  startedAt: number;
  lastSeen: number;
  endedAt: number | null;
  bytesIn: number | null;
  bytesOut: number | null;
  /** The last reported values and their time; null before the first report. */
  reported:
    | (Pick<Flow, 'appId' | 'host' | 'owner' | 'bytesIn' | 'bytesOut'> & { at: number })
    | null;
  /** The last poll that saw it, and how many polls in a row have missed it. */
  lastPoll: number;
  misses: number;
}

export interface FlowTableOptions {
  idOf: (key: SocketKey, startedAt: number) => string;
  /** A long-lived flow with new bytes is reported again after this time. */
  reportIntervalMs: number;
  /**
   * The number of polls in a row that must miss a socket before it counts as closed: a poll may
   * skip a few sockets.
   */
  maxMisses: number;
}

export interface FlowTable {
  startPoll: (now: number) => void;
  /**
   * Updates a known socket; returns false for a new one, which must be added first. Allocates
   * nothing.
   */
  update: (key: SocketKey, counts: FlowCounts) => boolean;
  /** Adds a socket, during or between polls. Its phase stays `candidate` until a poll sees it. */
  add: (socket: FlowSocket, now: number) => Flow;
  /** A complete poll is over: flows that were missed too often ended when last seen. */
  endPoll: () => void;
  /**
   * A socket was closed. `countsOf` is called only for a flow to report; if it returns undefined,
   * the last seen counts are final.
   */
  close: (key: SocketKey, countsOf: () => FlowCounts | undefined, now: number) => void;
  exclude: (flow: Flow) => void;
  /** Continues a flow that an earlier run of the agent reported. */
  restore: (flow: Flow) => void;
  has: (key: SocketKey) => boolean;
  all: () => Iterable<Flow>;
  /** The flows to report now, each at most once. Ended flows are removed. */
  takeReports: (now: number) => Flow[];
}

/** The flows of one machine between polls. Pure: times come from the caller. */
export function createFlowTable(options: FlowTableOptions): FlowTable {
  const flows = new Map<SocketKey, Flow>();
  let look = 0;
  let lookedAt = 0;

  return {
    startPoll(now) {
      look++;
      lookedAt = now;
    },
    update(key, counts) {
      const flow = flows.get(key);
      if (!flow) return false;
      if (flow.phase === 'candidate') updatePhase(flow, counts, look);
      flow.lastPoll = look;
      flow.misses = 0;
      flow.lastSeen = lookedAt;
      updateCounts(flow, counts);
      return true;
    },
    add(socket, now) {
      const flow = newFlow(socket, options.idOf(socket.key, now), now);
      flows.set(socket.key, flow);
      return flow;
    },
    endPoll() {
      for (const flow of flows.values()) {
        if (flow.lastPoll === look || flow.phase === 'ended') continue;
        if (++flow.misses >= options.maxMisses) end(flow, flow.lastSeen);
      }
    },
    close(key, countsOf, now) {
      const flow = flows.get(key);
      if (!flow || flow.phase === 'ended') return;
      const counts = flow.phase === 'left-out' ? undefined : countsOf();
      if (counts) {
        if (flow.phase === 'candidate' && flow.protocol === 'tcp') updatePhase(flow, counts, look);
        updateCounts(flow, counts);
      }
      end(flow, now);
    },
    exclude: (flow) => void (flow.phase = 'left-out'),
    restore: (flow) => void flows.set(flow.key, flow),
    has: (key) => flows.has(key),
    all: () => flows.values(),
    takeReports(now) {
      const due: Flow[] = [];
      for (const flow of flows.values()) {
        if (flow.phase === 'ended') flows.delete(flow.key);
        if (isDue(flow, now, options.reportIntervalMs)) due.push(flow);
      }
      for (const flow of due) flow.reported = reportedValuesOf(flow, now);
      return due;
    },
  };

  /** A flow that never opened is removed without a report. */
  function end(flow: Flow, at: number): void {
    if (flow.phase === 'open') {
      flow.phase = 'ended';
      flow.endedAt = Math.max(at, flow.startedAt);
    } else flows.delete(flow.key);
  }
}

function newFlow(socket: FlowSocket, id: string, now: number): Flow {
  return {
    ...socket,
    id,
    phase: 'candidate',
    appId: null,
    host: null,
    startedAt: now,
    lastSeen: now,
    endedAt: null,
    bytesIn: null,
    bytesOut: null,
    reported: null,
    lastPoll: 0,
    misses: 0,
  };
}

/**
 * Promotes a candidate. A TCP flow opens when it is established. A UDP socket opens at its second
 * poll: resolvers connect one only for a moment, and getaddrinfo() connects some without sending,
 * to find the source address that the system would choose.
 */
function updatePhase(flow: Flow, counts: FlowCounts, poll: number): void {
  const isSecondLook = flow.lastPoll > 0 && flow.lastPoll < poll;
  if (flow.protocol === 'tcp' ? counts.established : isSecondLook) flow.phase = 'open';
}

function updateCounts(flow: Flow, counts: FlowCounts): void {
  if (counts.bytesIn !== null && counts.bytesIn > (flow.bytesIn ?? -1))
    flow.bytesIn = counts.bytesIn;

  if (counts.bytesOut !== null && counts.bytesOut > (flow.bytesOut ?? -1))
    flow.bytesOut = counts.bytesOut;
}

function isDue(flow: Flow, now: number, reportIntervalMs: number): boolean {
  if (flow.phase === 'ended') return true;
  if (flow.phase !== 'open') return false;
  const { reported } = flow;
  if (
    !reported ||
    reported.host !== flow.host ||
    reported.owner !== flow.owner ||
    reported.appId !== flow.appId
  )
    return true;

  const hasMoved = reported.bytesIn !== flow.bytesIn || reported.bytesOut !== flow.bytesOut;
  return hasMoved && now - reported.at >= reportIntervalMs;
}

function reportedValuesOf(flow: Flow, now: number): NonNullable<Flow['reported']> {
  const { appId, host, owner, bytesIn, bytesOut } = flow;
  return { at: now, appId, host, owner, bytesIn, bytesOut };
}
