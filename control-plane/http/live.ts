import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { livePath, liveTopics, type LiveMessage } from '#contract/live.ts';
import type { Context } from '../context.ts';
import { callerOfSession } from '../identity/session-caller.ts';
import { keepAlive } from './keep-alive.ts';
import { acceptUpgrades } from './upgrade.ts';

const GATHER_MS = 200;

/** Tells consoles what changed, gathered so that a busy fleet does not flood a browser. */
export function serveLive(server: Server, context: Context): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  const watchers = new Map<WebSocket, Watcher>();

  acceptUpgrades(server, sockets, livePath, {
    authenticate: (request) => callerOfSession(context, request, 'viewer'),
    open: (socket, { tenantId }, request) => {
      keepAlive(socket);
      const check = () => callerOfSession(context, request, 'viewer');
      watchers.set(socket, { tenantId, check, send: gathered(socket, check) });
      socket.on('close', () => watchers.delete(socket));
    },
  });

  const unsubscribe = context.storage.signals.subscribe(({ tenant_id, ...message }) => {
    // Somebody was suspended, who takes all below them along.
    if (message.topic === 'tenants') for (const watcher of watchers) void recheck(watcher);
    if (!isLive(message)) return;
    for (const watcher of watchers.values())
      if (watcher.tenantId === tenant_id) watcher.send(message);
  });
  return () => {
    unsubscribe();
    for (const socket of watchers.keys()) socket.close(1001, 'the service stops');
    sockets.close();
  };
}

interface Watcher {
  tenantId: string;
  /** Throws once the session that opened the line no longer counts. */
  check: () => Promise<unknown>;
  send(message: LiveMessage): void;
}

const recheck = ([socket, { check }]: [WebSocket, Watcher]): Promise<void> =>
  check().then(
    () => undefined,
    () => hangUp(socket),
  );

/** Some signals are only for the processes of the control plane. */
const isLive = (message: { topic: string }): message is LiveMessage =>
  liveTopics.some((topic) => topic === message.topic);

/** Whose session has ended by then is told nothing more. */
function gathered(socket: WebSocket, check: Watcher['check']): (message: LiveMessage) => void {
  const waiting = new Set<string>();
  const sendAll = (): void => {
    for (const text of waiting) socket.send(text);
    waiting.clear();
  };
  return (message) => {
    if (waiting.size === 0)
      setTimeout(() => void check().then(sendAll, () => hangUp(socket)), GATHER_MS);
    waiting.add(JSON.stringify(message));
  };
}

const hangUp = (socket: WebSocket): void => socket.close(1008, 'the session has ended');
