import {
  combinedTokens,
  type CursorEvent,
  NO_TOKENS,
  sumOfTokens,
  type TokenCounts,
} from './cursor-event.ts';
import {
  callSpan,
  type CursorSpan,
  editSpan,
  rootSpan,
  spanOf,
  toolSpan,
  traceOf,
  type TurnIdentity,
  withLines,
  WRITE_TOOL,
} from './cursor-spans.ts';

/** How long a turn waits for events that belong together, in ms; they arrive within milliseconds. */
export const CURSOR_SETTLE_MS = 2000;
/**
 * How long the last response waits for the tokens that `stop` reports, in ms since the last event of
 * its turn. A tool may run for minutes before the next event.
 */
export const CURSOR_CALL_MS = 5 * 60_000;
/** The maximum number of turns that are remembered; beyond it, the longest unused is forgotten. */
const MAX_TURNS = 200;

type EventOf<K extends CursorEvent['kind']> = Extract<CursorEvent, { kind: K }>;
type Arrived<T> = T & { at: number };

interface Turn {
  identity: TurnIdentity;
  started_at: number;
  /** The arrival of the last event, with which the next call begins. */
  last_at: number;
  prompt: string | null;
  answer: string | null;
  /** The last response, which waits for the tokens that `stop` reports. */
  pending: (EventOf<'response'> & { started_at: number; ended_at: number }) | null;
  /** The tokens in the calls so far, with those of `pending`. */
  counted: TokenCounts;
  hasCalls: boolean;
  /** Calls of the tool for files, and edits, that wait for each other. */
  writes: Arrived<EventOf<'tool'>>[];
  edits: Arrived<EventOf<'edit'>>[];
  stop: Arrived<EventOf<'stop'>> | null;
  isClosed: boolean;
  seen: Set<string>;
}

export interface CursorTurns {
  /** Takes an event that arrived at this time, and returns the spans that are complete. */
  observe: (event: CursorEvent, at: number) => CursorSpan[];
  /** Returns the spans whose counterparts did not arrive in time. */
  settle: (now: number) => CursorSpan[];
  /** Whether something waits to be settled. */
  isWaiting: () => boolean;
  /** Whether no turn is remembered. */
  isEmpty: () => boolean;
}

/**
 * Turns the events of Cursor's hooks into spans: a trace for each prompt, with its calls and tools.
 * Each event is a span of its own, except that
 * - the tokens of a turn are a running total, so a call gets what its response added, and the last
 *   one also what `stop` adds;
 * - an edit belongs to the call of the tool that made it, which only the file tells.
 */
export function createCursorTurns(
  /** The tokens of a turn that were recorded before this process observed it. */
  recorded: (trace: string) => TokenCounts | undefined = () => undefined,
): CursorTurns {
  const turns = new Map<string, Turn>();

  const turnOf = (event: CursorEvent, at: number): Turn => {
    const trace = traceOf(event);
    const turn = turns.get(trace) ?? beginTurn(event, trace, at, recorded(trace));
    turns.delete(trace);
    turns.set(trace, turn);
    const { identity } = turn;
    turn.identity = {
      ...identity,
      user: identity.user ?? event.user,
      model: event.model ?? identity.model,
      version: event.version ?? identity.version,
    };
    return turn;
  };

  const forgetOldest = (): CursorSpan[] => {
    const [oldest] = turns.size > MAX_TURNS ? turns : [];
    if (!oldest) return [];
    turns.delete(oldest[0]);
    return [...releaseHeld(oldest[1], Infinity), ...releaseCall(oldest[1], null)];
  };

  return {
    observe: (event, at) => {
      const turn = turnOf(event, at);
      if (turn.seen.has(event.key)) return [];
      turn.seen.add(event.key);
      const spans = take(turn, event, at);
      turn.last_at = Math.max(turn.last_at, at);
      return [...spans, ...forgetOldest()];
    },
    settle: (now) =>
      [...turns.values()].flatMap((turn) => [
        ...releaseHeld(turn, now - CURSOR_SETTLE_MS),
        ...(isDue(turn, now) ? close(turn) : []),
        ...(turn.last_at <= now - CURSOR_CALL_MS ? releaseCall(turn, null) : []),
      ]),
    isWaiting: () =>
      [...turns.values()].some(
        ({ writes, edits, pending, stop, isClosed }) =>
          writes.length > 0 || edits.length > 0 || pending !== null || (stop !== null && !isClosed),
      ),
    isEmpty: () => turns.size === 0,
  };
}

const isDue = ({ stop, isClosed }: Turn, now: number): boolean =>
  stop !== null && !isClosed && stop.at <= now - CURSOR_SETTLE_MS;

const beginTurn = (
  event: CursorEvent,
  trace: string,
  at: number,
  recorded: TokenCounts | undefined,
): Turn => ({
  identity: {
    trace,
    root: spanOf(trace, 'turn'),
    session: event.conversation,
    user: event.user,
    model: event.model,
    version: event.version,
  },
  started_at: at,
  last_at: at,
  prompt: null,
  answer: null,
  pending: null,
  counted: recorded ?? NO_TOKENS,
  hasCalls: recorded !== undefined,
  writes: [],
  edits: [],
  stop: null,
  isClosed: false,
  seen: new Set(),
});

function take(turn: Turn, event: CursorEvent, at: number): CursorSpan[] {
  switch (event.kind) {
    case 'prompt':
      turn.prompt = event.text;
      return [];
    case 'response':
      return takeResponse(turn, event, at);
    case 'tool':
      if (event.tool !== WRITE_TOOL) return [toolSpan(turn.identity, event, at)];
      turn.writes.push({ ...event, at });
      return pairEdits(turn);
    case 'edit':
      turn.edits.push({ ...event, at });
      return pairEdits(turn);
    case 'stop':
      turn.stop = { ...event, at };
      // Without a response yet, one may still be on its way: hooks are separate processes.
      return turn.pending ? close(turn) : [];
  }
}

function takeResponse(turn: Turn, event: EventOf<'response'>, at: number): CursorSpan[] {
  const spans = releaseCall(turn, null);
  const tokens = event.tokens && added(event.tokens, turn.counted);
  if (tokens) turn.counted = sumOfTokens(turn.counted, tokens);
  turn.pending = { ...event, tokens, started_at: turn.last_at, ended_at: at };
  turn.answer = event.text ?? turn.answer;
  if (turn.isClosed) return [...spans, ...releaseCall(turn, null)];
  return turn.stop ? [...spans, ...close(turn)] : spans;
}

/** The call of the last response, with further tokens. */
function releaseCall(turn: Turn, more: TokenCounts | null): CursorSpan[] {
  const { pending } = turn;
  if (!pending) return [];
  turn.pending = null;
  turn.hasCalls = true;
  const { key, text, tokens, started_at, ended_at } = pending;
  const all = tokens && more ? sumOfTokens(tokens, more) : (more ?? tokens);
  const call = { key, tokens: all, prompt: turn.prompt, text, error: null, started_at, ended_at };
  return [callSpan(turn.identity, call)];
}

const fields = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/**
 * What a total adds to the tokens counted so far. A smaller total does not contain them: it is that
 * of one response.
 */
const added = (total: TokenCounts, counted: TokenCounts): TokenCounts =>
  fields.every((field) => total[field] >= counted[field])
    ? combinedTokens(total, counted, (x, y) => x - y)
    : total;

/** Completes the calls of the tool for files with their edits. */
function pairEdits(turn: Turn): CursorSpan[] {
  const spans: CursorSpan[] = [];
  turn.writes = turn.writes.filter((write) => {
    const index = turn.edits.findIndex(({ path }) => path === write.path);
    const [edit] = index < 0 ? [] : turn.edits.splice(index, 1);
    if (edit) spans.push(withLines(toolSpan(turn.identity, write, write.at), edit));
    return !edit;
  });
  return spans;
}

/** Reports calls and edits that have waited since this time as they are. */
function releaseHeld(turn: Turn, until: number): CursorSpan[] {
  const { identity, writes, edits } = turn;
  turn.writes = writes.filter(({ at }) => at > until);
  turn.edits = edits.filter(({ at }) => at > until);
  return [
    ...writes.filter(({ at }) => at <= until).map((one) => toolSpan(identity, one, one.at)),
    ...edits.filter(({ at }) => at <= until).map((one) => editSpan(identity, one, one.at)),
  ];
}

/** Ends the turn: reports all that waits, and the span of the turn. */
function close(turn: Turn): CursorSpan[] {
  const { stop, identity, counted, started_at, prompt } = turn;
  if (!stop) return [];
  turn.isClosed = true;
  const rest = stop.tokens && combinedTokens(stop.tokens, counted, (x, y) => Math.max(0, x - y));
  const more = rest && Object.values(rest).some((count) => count > 0) ? rest : null;
  if (more) turn.counted = sumOfTokens(counted, more);
  const error = stop.status === 'completed' ? null : stop.status;
  const times = { started_at: turn.last_at, ended_at: stop.at };
  const wasPending = turn.pending !== null;
  const spans = [...releaseHeld(turn, Infinity), ...releaseCall(turn, more)];
  // A turn without a response failed, or its responses were not reported. Tokens that come after
  // the last call was reported are a call of their own.
  if ((more && !wasPending) || (!turn.hasCalls && error !== null)) {
    turn.hasCalls = true;
    const call = { key: 'call', tokens: more, prompt, text: null, error, ...times };
    spans.push(callSpan(identity, call));
  }
  const root = { prompt, answer: turn.answer, error, started_at, ended_at: stop.at };
  spans.push(rootSpan(identity, root));
  turn.prompt = null;
  turn.answer = null;
  return spans;
}
