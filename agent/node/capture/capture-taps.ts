import { randomUUID } from 'node:crypto';
import { createConnectionObserver } from '#agent/core/capture/wire/connection-observer.ts';
import { createCopyBudget, createHold } from '#agent/core/capture/wire/copy-budget.ts';
import type {
  CopyBudget,
  ObservedBody,
  ObservedExchange,
  ObservedMessage,
} from '#agent/core/capture/wire/exchange.ts';
import { normalizeHost } from '#agent/core/host-catalog.ts';
import type { CaptureReport } from '#contract/captures.ts';
import type { OwnRules } from '#contract/settings.ts';
import { createAfterRelaying } from './after-relaying.ts';
import { type CapturedConnection, type CaptureTap, factsOf } from './captured-connection.ts';
import { headerOf, type ReportFacts } from './exchange-report.ts';
import { createMessageInflater, type MessageInflater } from './message-inflation.ts';
import { createReportThread } from './report-thread.ts';

export interface CaptureTapsOptions {
  /** The rules of the tenant that are in force now. */
  own?: () => OwnRules;
  onReport: (report: CaptureReport) => void;
  /** Called with one line about content that is not captured. */
  onNotice: (line: string) => void;
  now?: () => number;
}

export interface CaptureTaps {
  /** Watches a connection and reports its exchanges. */
  open: (connection: CapturedConnection) => CaptureTap;
  /** Reports exchanges that are not redacted yet without their bodies. */
  close: () => Promise<void>;
}

/** Bytes copied of one body; the rest is only counted. */
const MOST_BODY_BYTES = 1024 * 1024;
/** Limit of all copies of this process. */
const MOST_COPIED_BYTES = 32 * 1024 * 1024;
/** Limit of all inflated messages: a separate budget, or a few of them would stop all copying. */
const MOST_INFLATED_BYTES = 16 * 1024 * 1024;
/** Small enough not to delay relayed bytes, and more than is reported of one piece. */
const inflationLimits = { mostMessageBytes: 1024 * 1024, mostPieceBytes: 2 * 1024 * 1024 };

export function createCaptureTaps(options: CaptureTapsOptions): CaptureTaps {
  const { own, onReport, onNotice, now = Date.now } = options;
  const budget = createCopyBudget(MOST_COPIED_BYTES);
  const inflationBudget = createCopyBudget(MOST_INFLATED_BYTES);
  const thread = createReportThread({ ...(own && { own }), onProblem: onNotice });
  const underway = new Set<Promise<void>>();
  const after = createAfterRelaying();

  const report = async (exchange: ObservedExchange, facts: ReportFacts): Promise<void> => {
    const { release, ...copy } = exchange;
    try {
      onReport(await thread.make(copy, facts));
    } finally {
      release();
    }
  };

  const open = (connection: CapturedConnection): CaptureTap => {
    const { host, protocol } = connection;
    const facts = factsOf(connection);
    let stopped = false;
    const inflated = inflateWebSockets(inflationBudget);
    const refused = new Set<number>();
    const observer = createConnectionObserver(protocol, {
      now,
      mostBodyBytes: MOST_BODY_BYTES,
      budget,
      onExchange: (exchange) => {
        // A client may name another host on this connection: that host is not captured.
        if (stopped || !isFor(exchange, host)) return exchange.release();
        const id = `cap_${randomUUID()}`;
        const ownFacts = {
          ...facts,
          id,
          ...(refused.delete(exchange.id) && { refused: true as const }),
        };
        const done = report(inflated(exchange), ownFacts).finally(() => underway.delete(done));
        underway.add(done);
      },
      onLeftOut: (reason) => onNotice(`${host}: an exchange was left out: too many ${reason}`),
      onGivenUp: (reason) => onNotice(`${host}: a connection could not be read: ${reason}`),
    });
    return {
      fromClient: (chunk) => after.add(() => observer.fromClient(chunk)),
      fromServer: (chunk) => after.add(() => observer.fromServer(chunk)),
      clientEnded: () => after.add(observer.clientEnded),
      serverEnded: () => after.add(observer.serverEnded),
      refused: (id) => void refused.add(id),
      stop: () => {
        stopped = true;
        observer.stopCopying();
      },
    };
  };

  return {
    open,
    close: async () => {
      after.flush();
      await thread.close();
      await Promise.all(underway);
    },
  };
}

const isFor = ({ authority }: ObservedExchange, host: string): boolean =>
  authority === null || normalizeHost(authority.replace(/:\d+$/, '')) === host;

/** A message may refer to earlier pieces, so the worker thread, which may end, cannot do this. */
function inflateWebSockets(budget: CopyBudget): (exchange: ObservedExchange) => ObservedExchange {
  const inflaters = new Map<number, MessageInflater>();
  return (exchange) => {
    const { id, webSocket, response } = exchange;
    if (!webSocket) return exchange;
    const extensions = response && headerOf(response, 'sec-websocket-extensions');
    const inflater = inflaters.get(id) ?? createMessageInflater(extensions, inflationLimits);
    if (webSocket.last) inflaters.delete(id);
    else inflaters.set(id, inflater);
    const { messages } = webSocket;
    const hold = createHold(budget);
    const read = inflater(messages, hold.take);
    return {
      ...exchange,
      request: withMessages(exchange.request, 'client', messages, read),
      response: response && withMessages(response, 'server', messages, read),
      webSocket: { ...webSocket, messages: read },
      release: () => {
        hold.release();
        exchange.release();
      },
    };
  };
}

/** The body of one side of a WebSocket: its messages as sent, some of them inflated. */
function withMessages(
  body: ObservedBody,
  side: ObservedMessage['from'],
  sent: readonly ObservedMessage[],
  read: readonly ObservedMessage[],
): ObservedBody {
  const own = sent.filter(({ from }) => from === side);
  const isWhole = own.length === read.filter(({ from }) => from === side).length;
  return {
    ...body,
    bytes: own.reduce((sum, { size }) => sum + size, 0),
    truncated: body.truncated || !isWhole || own.some(({ truncated }) => truncated),
  };
}
