import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { LIVE_PATH } from '#contract/live.ts';
import { newDatabase } from '../support/databases.ts';
import { freePort, built, startProgram } from '../support/processes.ts';
import { API_KEY, OWNER } from '../support/control-plane.ts';

/** Starts a forwarding port to the real PostgreSQL server that can be cut off. */
async function cuttable(url: string): Promise<{ url: string; cut(): void }> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on('error', () => one.destroy());
    }
    socket.pipe(upstream).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const through = new URL(url);
  through.host = `127.0.0.1:${port}`;
  return {
    url: through.href,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('a PostgreSQL server that disappears causes 503, and the process keeps running', async () => {
  const database = await newDatabase('postgres');
  const way = await cuttable(database.databaseUrl ?? '');
  const port = await freePort();
  const program = startProgram(built.controlPlane, {
    HOST: '127.0.0.1',
    PORT: String(port),
    DEVICE_PORT: '0',
    DATA_DIR: database.dataDir,
    DATABASE_URL: way.url,
    BOOTSTRAP_API_KEY: API_KEY,
    BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
    BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
    LOG_LEVEL: 'silent',
  });
  await program.waitForOutput(/devices/);
  const start = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/observe/runs/start/`, {
      method: 'POST',
      headers: { 'X-Svc-Key': API_KEY },
      body: '{"agent_name":"a"}',
    });
    return [response.status, ((await response.json()) as { error?: string }).error];
  };
  const signIn = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login/`, {
    method: 'POST',
    body: JSON.stringify(OWNER),
  });
  const { token } = (await signIn.json()) as { token: string };
  const live = new WebSocket(`ws://127.0.0.1:${port}${LIVE_PATH}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  await once(live, 'open');
  const liveEnd = once(live, 'close');
  expect(await start()).toEqual([201, undefined]);
  // The session of the live connection is checked before the run is announced to it.
  way.cut();
  const refused = [503, 'the database does not respond: try again in a moment'];
  expect([await start(), await start()]).toEqual([refused, refused]);
  const ready = await fetch(`http://127.0.0.1:${port}/readyz/`);
  const gone = { status: 'failed', reason: refused[1] };
  expect([ready.status, await ready.json()]).toEqual([
    503,
    {
      status: 'unavailable',
      error: `database: ${refused[1]}`,
      checks: { database: gone, recording: gone, migrations: gone },
    },
  ]);
  // If the session had ended, the connection would be closed by now. The close code shows that the
  // service stopped.
  await Promise.race([liveEnd, pause(1000)]);
  expect(await program.stop()).toBe(0);
  const [code] = (await liveEnd) as [number];
  expect(code, 'the session did not end: the service stopped').toBe(1001);
  await database.remove();
});
