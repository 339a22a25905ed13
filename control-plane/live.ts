import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { liveAccess, LIVE_PATH, liveTopics, type LiveMessage } from '#contract/live.ts';
import { ApiError, deniesAccess } from '#contract/errors.ts';
import { callerOfSession } from './authenticate.ts';
import type { Context } from './context.ts';
import { throttleTrailing } from '#lib/trailing-throttle.ts';
import { keyBatchQueue } from './lib/batch-queue.ts';
import type { SessionCaller } from './http/caller.ts';
import { startPings } from './http/ping-web-sockets.ts';
import { acceptUpgrades } from './http/upgrade.ts';

const DEBOUNCE_MS = 200;
/** The minimum interval between session checks, however many tenant changes are signaled. */
const CHECK_INTERVAL_MS = 1000;
/** The maximum number of connections per session, of which each browser tab has one. */
const MAX_OF_SESSION = 50;
const MAX_OF_TENANT = 500;
const TRY_AGAIN_MS = 2000;
const RETRY_SECONDS = 30;

/** Notifies consoles of changes, debounced so that a busy fleet does not flood browsers. */
export function serveLive(server: Server, context: Context): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  const watchers = new Map<WebSocket, Watcher>();
  context.metrics.gauge(
    'live_connections',
    'Consoles connected for live updates',
    () => watchers.size,
  );

  acceptUpgrades(server, sockets, LIVE_PATH, context.shutdown, {
    authenticate: (request) => callerOfSession(context, request, liveAccess),
    limit: (caller) => refuseOverLimit(watchers.values(), caller),
    open: (socket, { tenantId, sessionId }, request) => {
      startPings(socket);
      const check = () => callerOfSession(context, request, liveAccess);
      watchers.set(socket, { tenantId, sessionId, check, send: debounced(socket, check) });
      socket.on('close', () => watchers.delete(socket));
    },
  });

  const checks = keyBatchQueue<'all'>({
    ms: 0,
    minGapMs: CHECK_INTERVAL_MS,
    work: () => Promise.all([...watchers].map(recheck)),
    onError: (err) => context.log.warn({ err }, 'live connections'),
  });
  const unsubscribe = context.storage.signals.subscribe(({ tenant_id, ...message }) => {
    // Suspending a tenant also suspends its descendants.
    if (message.topic === 'tenants') checks.add('all');
    if (!isLive(message)) return;
    for (const watcher of watchers.values())
      if (watcher.tenantId === tenant_id) watcher.send(message);
  });
  return () => {
    unsubscribe();
    void checks.stop();
    for (const socket of watchers.keys()) socket.close(1001, 'the service is shutting down');
    sockets.close();
  };
}

interface Watcher {
  tenantId: string;
  sessionId: string;
  /**
   * Checks the session that opened the connection.
   *
   * @throws ApiError `unauthorized` once the session is no longer active
   */
  check: () => Promise<unknown>;
  send(message: LiveMessage): void;
}

/**
 * Refuses a connection beyond the limits, which apply per process.
 *
 * @throws ApiError `rate_limited`
 */
function refuseOverLimit(open: Iterable<Watcher>, { tenantId, sessionId }: SessionCaller): void {
  let ofTenant = 0;
  let ofSession = 0;
  for (const watcher of open) {
    if (watcher.tenantId !== tenantId) continue;
    ofTenant += 1;
    if (watcher.sessionId === sessionId) ofSession += 1;
  }
  const refusal =
    ofSession >= MAX_OF_SESSION
      ? `this session has ${ofSession} live connections`
      : ofTenant >= MAX_OF_TENANT && `this tenant has ${ofTenant} live connections`;
  if (refusal)
    throw new ApiError('concurrency_limited', `${refusal}, the maximum: close one first`, {
      retry_after: RETRY_SECONDS,
    });
}

const recheck = ([socket, { check }]: [WebSocket, Watcher]): Promise<void> =>
  check().then(
    () => undefined,
    (error: unknown) => closeIfDenied(socket, error),
  );

/** Whether a signal is for consoles. Some are only for the control plane's own processes. */
const isLive = (message: { topic: string }): message is LiveMessage =>
  liveTopics.some((topic) => topic === message.topic);

/** Debounces messages, and stops sending once the session has ended. */
function debounced(socket: WebSocket, check: Watcher['check']): (message: LiveMessage) => void {
  const waiting = new Set<string>();
  const sendAll = (): void => {
    for (const text of waiting) socket.send(text);
    waiting.clear();
  };
  const send = (): void =>
    void check().then(sendAll, (error: unknown) => {
      closeIfDenied(socket, error);
      if (socket.readyState === socket.OPEN) due.request(TRY_AGAIN_MS);
    });
  const due = throttleTrailing(send, DEBOUNCE_MS);
  return (message) => {
    waiting.add(JSON.stringify(message));
    due.request();
  };
}

/**
 * Closes the connection if the session has ended. An unavailable database does not mean that it
 * has.
 */
function closeIfDenied(socket: WebSocket, error: unknown): void {
  if (deniesAccess(error)) socket.close(1008, 'the session has ended');
}
