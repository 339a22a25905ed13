import { randomUUID } from 'node:crypto';
import { createConnectionObserver } from '#agent/core/capture/wire/connection-observer.ts';
import { createCopyBudget, createReservation } from '#agent/core/capture/wire/copy-budget.ts';
import type {
  CopyBudget,
  ObservedBody,
  ObservedExchange,
  ObservedMessage,
} from '#agent/core/capture/wire/exchange.ts';
import type { CaptureReport } from '#contract/captures.ts';
import type { OwnRules } from '#contract/settings.ts';
import { normalizeHost } from '#domain/hosts/host-catalog.ts';
import { createDeferredWork } from './reports/deferred-work.ts';
import { type CapturedConnection, type CaptureTap, reportFactsOf } from './captured-connection.ts';
import { headerOf, type ReportFacts } from './reports/exchange-report.ts';
import { createMessageInflater, type MessageInflater } from './reports/message-inflation.ts';
import { createReportThread } from './reports/report-thread.ts';

export interface CaptureTapsOptions {
  /** Returns the tenant rules currently in force. */
  tenantRules?: () => OwnRules;
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

/** The limit of the copied bytes of one body; the remaining bytes are only counted. */
const MAX_BODY_BYTES = 1024 * 1024;
/** That of a request. Its newest messages are at its end, after files and screenshots. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
/** Limit of all copies of this process. */
const MAX_COPIED_BYTES = 32 * 1024 * 1024;
/**
 * The limit of all inflated messages. A separate budget, because a few of them would otherwise stop
 * all copying.
 */
const MAX_INFLATED_BYTES = 16 * 1024 * 1024;
/** Small enough not to delay relayed bytes, and larger than what is reported of one piece. */
const inflationLimits = { maxMessageBytes: 1024 * 1024, maxPieceBytes: 2 * 1024 * 1024 };

export function createCaptureTaps(options: CaptureTapsOptions): CaptureTaps {
  const { tenantRules, onReport, onNotice, now = Date.now } = options;
  const budget = createCopyBudget(MAX_COPIED_BYTES);
  const inflationBudget = createCopyBudget(MAX_INFLATED_BYTES);
  const thread = createReportThread({ ...(tenantRules && { tenantRules }), onProblem: onNotice });
  const deferred = createDeferredWork();

  const report = (exchange: ObservedExchange, facts: ReportFacts): void =>
    thread.createReport(exchange, facts, (created) => {
      exchange.release();
      onReport(created);
    });

  const open = (connection: CapturedConnection): CaptureTap => {
    const { host, protocol } = connection;
    const facts = reportFactsOf(connection);
    let stopped = false;
    const inflated = inflateWebSockets(inflationBudget);
    const refused = new Set<number>();
    const observer = createConnectionObserver(protocol, {
      now,
      maxBodyBytes: MAX_BODY_BYTES,
      maxRequestBytes: MAX_REQUEST_BYTES,
      budget,
      onExchange: (exchange) => {
        // A client may name another host on this connection: that host is not captured.
        if (stopped || !isForHost(exchange, host)) return exchange.release();
        const reportFacts: ReportFacts = { ...facts, id: `cap_${randomUUID()}` };
        if (refused.delete(exchange.id)) reportFacts.refused = true;
        report(inflated(exchange), reportFacts);
      },
      onExcluded: (reason) => onNotice(`${host}: an exchange was left out: too many ${reason}`),
      onGivenUp: (reason) => onNotice(`${host}: a connection could not be read: ${reason}`),
    });
    return {
      fromClient: (chunk) => deferred.add(() => observer.fromClient(chunk)),
      fromServer: (chunk) => deferred.add(() => observer.fromServer(chunk)),
      clientEnded: () => deferred.add(observer.clientEnded),
      serverEnded: () => deferred.add(observer.serverEnded),
      refused: (id) => void refused.add(id),
      passed: (id) => void refused.delete(id),
      stop: () => {
        stopped = true;
        observer.stopCopying();
      },
    };
  };

  return {
    open,
    close: async () => {
      deferred.flush();
      await thread.close();
    },
  };
}

const isForHost = ({ authority }: ObservedExchange, host: string): boolean =>
  authority === null ||
  authority === host ||
  normalizeHost(authority.replace(/:\d+$/, '')) === host;

/**
 * Inflates messages here and not on the report thread: a message may refer to earlier pieces, and
 * that thread may end between two pieces.
 */
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
    const hold = createReservation(budget);
    const read = inflater(messages, (bytes) => hold.take(bytes));
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

/** Returns the body of one side of a WebSocket, with the size of its messages as sent. */
function withMessages(
  body: ObservedBody,
  side: ObservedMessage['from'],
  sent: readonly ObservedMessage[],
  read: readonly ObservedMessage[],
): ObservedBody {
  const ownMessages = sent.filter(({ from }) => from === side);
  const isComplete = ownMessages.length === read.filter(({ from }) => from === side).length;
  return {
    ...body,
    bytes: ownMessages.reduce((sum, { size }) => sum + size, 0),
    truncated: body.truncated || !isComplete || ownMessages.some(({ truncated }) => truncated),
  };
}
