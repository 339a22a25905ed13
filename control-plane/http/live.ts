import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { livePath, liveTopics, type LiveMessage } from '#contract/live.ts';
import { ApiError, deniesAccess } from '#contract/errors.ts';
import type { Context } from '../context.ts';
import { keyBatchQueue } from '../lib/batch-queue.ts';
import { callerOfSession } from '../identity/sessions/session-caller.ts';
import type { SessionCaller } from './caller.ts';
import { keepAlive } from './keep-alive.ts';
import { acceptUpgrades } from './upgrade.ts';

const GATHER_MS = 200;
/** However many changes of tenants are told of, sessions are looked up no more often than this. */
const REST_OF_CHECKS_MS = 1000;
/** A browser has one for each of its tabs. */
const OF_SESSION = 50;
const OF_TENANT = 500;
const TRY_AGAIN_MS = 2000;
const RETRY_SECONDS = 30;

/** Tells consoles what changed, gathered so that a busy fleet does not flood a browser. */
export function serveLive(server: Server, context: Context): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  const watchers = new Map<WebSocket, Watcher>();
  context.metrics.gauge(
    'live_connections',
    'Consoles that are told of changes',
    () => watchers.size,
  );

  acceptUpgrades(server, sockets, livePath, context.shutdown, {
    authenticate: (request) => callerOfSession(context, request, 'viewer'),
    limit: (caller) => refuseMore(watchers.values(), caller),
    open: (socket, { tenantId, sessionId }, request) => {
      keepAlive(socket);
      const check = () => callerOfSession(context, request, 'viewer');
      watchers.set(socket, { tenantId, sessionId, check, send: debounced(socket, check) });
      socket.on('close', () => watchers.delete(socket));
    },
  });

  const checks = keyBatchQueue<'all'>({
    ms: 0,
    restMs: REST_OF_CHECKS_MS,
    work: () => Promise.all([...watchers].map(recheck)),
    onError: (err) => context.log.warn({ err }, 'live connections'),
  });
  const unsubscribe = context.storage.signals.subscribe(({ tenant_id, ...message }) => {
    // A suspended tenant takes all below it along.
    if (message.topic === 'tenants') checks.add('all');
    if (!isLive(message)) return;
    for (const watcher of watchers.values())
      if (watcher.tenantId === tenant_id) watcher.send(message);
  });
  return () => {
    unsubscribe();
    void checks.stop();
    for (const socket of watchers.keys()) socket.close(1001, 'the service stops');
    sockets.close();
  };
}

interface Watcher {
  tenantId: string;
  sessionId: string;
  /** Throws once the session that opened the line no longer counts. */
  check: () => Promise<unknown>;
  send(message: LiveMessage): void;
}

/** Counted in this process. @throws ApiError `rate_limited` */
function refuseMore(open: Iterable<Watcher>, { tenantId, sessionId }: SessionCaller): void {
  let ofTenant = 0;
  let ofSession = 0;
  for (const watcher of open) {
    if (watcher.tenantId !== tenantId) continue;
    ofTenant += 1;
    if (watcher.sessionId === sessionId) ofSession += 1;
  }
  const refusal =
    ofSession >= OF_SESSION
      ? `this session has ${ofSession} live connections`
      : ofTenant >= OF_TENANT && `this tenant has ${ofTenant} live connections`;
  if (refusal)
    throw new ApiError('rate_limited', `${refusal}, as many as it may: close one first`, {
      retry_after: RETRY_SECONDS,
    });
}

const recheck = ([socket, { check }]: [WebSocket, Watcher]): Promise<void> =>
  check().then(
    () => undefined,
    (error: unknown) => hangUpIfDenied(socket, error),
  );

/** Some signals are only for the processes of the control plane. */
const isLive = (message: { topic: string }): message is LiveMessage =>
  liveTopics.some((topic) => topic === message.topic);

/** Nothing more is sent once the session has ended. */
function debounced(socket: WebSocket, check: Watcher['check']): (message: LiveMessage) => void {
  const waiting = new Set<string>();
  const sendAll = (): void => {
    for (const text of waiting) socket.send(text);
    waiting.clear();
  };
  const send = (): void =>
    void check().then(sendAll, (error: unknown) => {
      hangUpIfDenied(socket, error);
      if (socket.readyState === socket.OPEN) setTimeout(send, TRY_AGAIN_MS);
    });
  return (message) => {
    if (waiting.size === 0) setTimeout(send, GATHER_MS);
    waiting.add(JSON.stringify(message));
  };
}

/** A database that is away says nothing about the session. */
function hangUpIfDenied(socket: WebSocket, error: unknown): void {
  if (deniesAccess(error)) socket.close(1008, 'the session has ended');
}
