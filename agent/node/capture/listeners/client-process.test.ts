import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDarwinClients } from './client-process-darwin.ts';
import { openLinuxClients } from './client-process-linux.ts';
import { openClientFinder } from './client-finder.ts';
import type { ConnectionEndpoints } from './client-process.ts';
import { unknownClient } from './capture-listener.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-client-')));
const script = join(folder, 'tool.cjs');
const CONNECTING = `process.stdin.on('data', (port) =>
  require('node:net').connect(Number(port), '127.0.0.1'));`;

const server = createServer((socket) => socket.on('error', () => undefined));
let child: ChildProcessWithoutNullStreams;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  writeFileSync(script, CONNECTING);
  child = spawn(process.execPath, [script]);
});

afterAll(() => {
  child.kill('SIGKILL');
  server.close();
  rmSync(folder, { recursive: true });
});

/** Returns the endpoints of a connection from the other process to this one. */
async function connectFromChild(): Promise<ConnectionEndpoints> {
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  child.stdin.write(`${port}\n`);
  const [{ remotePort = 0 }] = await accepted;
  const address = '127.0.0.1';
  return { client: { address, port: remotePort }, server: { address, port } };
}

const expected = () => ({ pid: child.pid, path: process.execPath, user: userInfo().username });

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test('finds the client and not the server, which has a socket between the same endpoints', async () => {
    const finder = await openClientFinder();
    const ends = await connectFromChild();
    await expect.poll(() => finder.find(ends)).toMatchObject({ ...expected(), script });
    finder.close();
  });

  test('finds many at once', async () => {
    const finder = await openClientFinder();
    const connections: ConnectionEndpoints[] = [];
    for (let i = 0; i < 50; i++) connections.push(await connectFromChild());
    // The first search may take long with many processes; later ones know where to look.
    await vi.waitFor(async () => {
      const all = await Promise.all(connections.map(finder.find));
      expect(all.map(({ pid }) => pid)).toEqual(all.map(() => child.pid));
    });
    finder.close();
  });

  test('lets other work run during a search', async () => {
    const owner = { pid: 1, name: 'init', path: null };
    let turns = 0;
    const isEnough = (): boolean => turns >= 2;
    // Runs until other work has had its turns. The limit ends a search that gives none.
    function* search(inodes: ReadonlySet<number>) {
      for (let step = 0; !isEnough() && step < 1e8; step += 1) yield;
      return new Map([...inodes].map((inode) => [inode, owner]));
    }
    const finder = openLinuxClients({ owners: { search, find: () => new Map() } });
    const endpoints = await connectFromChild();
    const turn = setInterval(() => (turns += 1), 1);
    await finder.find(endpoints);
    clearInterval(turn);
    expect(isEnough()).toBe(true);
    finder.close();
  });

  test.each([
    ['of another port', { ...unknownEnds(), server: { address: '127.0.0.1', port: 1 } }],
    ['that is no address', { ...unknownEnds(), client: { address: '', port: 1 } }],
    ['of two IP versions', { ...unknownEnds(), client: { address: '::1', port: 1 } }],
  ])('finds no process for a connection %s', async (_, nonsense) => {
    const finder = await openClientFinder();
    expect(await finder.find(nonsense)).toEqual(unknownClient);
    finder.close();
  });
});

test('uses lsof on macOS', { tags: ['lsof'] }, async () => {
  const { path, ...facts } = expected();
  const finder = openDarwinClients({ deadlineMs: 60_000 });
  const found = await finder.find(await connectFromChild());
  expect(found).toMatchObject(facts);
  // Only the ps of macOS prints whole paths.
  expect([path, null]).toContain(found.path);
});

test('finds no process on another system', async () => {
  const finder = await openClientFinder(undefined, 'plan9');
  expect(await finder.find(unknownEnds())).toEqual(unknownClient);
});

function unknownEnds(): ConnectionEndpoints {
  const end = { address: '127.0.0.1', port: 2 };
  return { client: end, server: end };
}
