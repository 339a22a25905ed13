import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClientFinder, withinDeadline } from './client-process.ts';
import type { ConnectionEnds } from './client-process.ts';
import { unknownClient } from './door.ts';

const server = createServer((socket) => socket.on('error', () => undefined));
let client: Socket;
let ends: ConnectionEnds;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  client = await connectHere();
  ends = endsOf(client);
});

async function connectHere(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

const endsOf = ({ localPort = 0, remotePort = 0 }: Socket): ConnectionEnds => ({
  client: { address: '127.0.0.1', port: localPort },
  server: { address: '127.0.0.1', port: remotePort },
});

afterAll(() => {
  client.destroy();
  server.close();
});

const ours = { pid: process.pid, path: process.execPath, user: userInfo().username };

describe.runIf(process.platform === 'linux')('on Linux', () => {
  it('finds the client, not the server, which has a socket between the same ends', async () => {
    const finder = await openClientFinder('linux');
    expect(await finder.find(ends)).toMatchObject(ours);
    finder.close();
  });

  it('finds many at once', async () => {
    const finder = await openClientFinder('linux');
    const clients = await Promise.all(Array.from({ length: 50 }, connectHere));
    const all = await Promise.all(clients.map((each) => finder.find(endsOf(each))));
    expect(all.map(({ pid }) => pid)).toEqual(all.map(() => process.pid));
    for (const each of clients) each.destroy();
    finder.close();
  });

  it.each([
    ['of another port', { ...unknownEnds(), server: { address: '127.0.0.1', port: 1 } }],
    ['that is no address', { ...unknownEnds(), client: { address: '', port: 1 } }],
    ['of two IP versions', { ...unknownEnds(), client: { address: '::1', port: 1 } }],
  ])('knows nobody for a connection %s', async (_, nonsense) => {
    const finder = await openClientFinder('linux');
    expect(await finder.find(nonsense)).toEqual(unknownClient);
    finder.close();
  });
});

it('asks lsof on macOS', { tags: ['lsof'] }, async () => {
  const finder = await openClientFinder('darwin');
  // lsof takes longer than the deadline at times; it is the answer that counts here. The path is
  // left out: only the ps of macOS tells it.
  const { path: _, ...told } = ours;
  await expect.poll(() => finder.find(ends)).toMatchObject(told);
});

it('knows nobody on another system', async () => {
  const finder = await openClientFinder('plan9');
  expect(await finder.find(ends)).toEqual(unknownClient);
});

it('waits no longer than the deadline, nor for a search that fails', async () => {
  const known = { ...unknownClient, user: 'zoe' };
  expect(await withinDeadline(new Promise(() => undefined), known)).toBe(known);
  expect(await withinDeadline(Promise.reject(new Error('lsof')), known)).toBe(known);
});

function unknownEnds(): ConnectionEnds {
  const end = { address: '127.0.0.1', port: 2 };
  return { client: end, server: end };
}
