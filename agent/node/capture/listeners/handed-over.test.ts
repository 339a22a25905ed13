import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { encodeProxyHeader } from '#agent/core/capture/listeners/testing/proxy-protocol-encoder.ts';
import type { ProxyHeader } from '#agent/core/capture/listeners/proxy-protocol.ts';
import type { CaptureListener } from './capture-listener.ts';
import { openHandedOverListener } from './handed-over.ts';
import type { HandedOverListenerOptions } from './handed-over.ts';
import { connectTo, readAll, recordConnections } from './testing/connection-recorder.ts';
import type { ConnectionRecorder } from './testing/connection-recorder.ts';

const header: ProxyHeader = {
  command: 'proxy',
  source: { address: '192.0.2.10', port: 52314 },
  destination: { address: '203.0.113.7', port: 443 },
  authority: 'api.openai.com',
  pid: 4711,
  executable: '/Applications/Chat.app/Contents/MacOS/Chat',
  user: 'zoe',
  signingId: 'com.example.chat',
};
const described = {
  destination: { host: '203.0.113.7', port: 443, name: 'api.openai.com' },
  client: {
    pid: 4711,
    process: 'Chat',
    path: '/Applications/Chat.app/Contents/MacOS/Chat',
    user: 'zoe',
    signingId: 'com.example.chat',
  },
};

let folder: string;
let path: string;
let taken: ConnectionRecorder;
let listener: CaptureListener;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handed-over-'));
  path = join(folder, 'flows.sock');
});

afterEach(async () => {
  vi.useRealTimers();
  await listener.close();
  rmSync(folder, { recursive: true });
});

async function open(over: Partial<HandedOverListenerOptions> = {}): Promise<void> {
  taken = recordConnections();
  listener = openHandedOverListener({ path, ...taken, ...over });
  await listener.setHosts(['api.openai.com']);
}

describe('a flow', () => {
  test('is delivered with its destination, its client and all bytes of the client', async () => {
    await open();
    const client = connectTo({ path });
    client.end(Buffer.concat([encodeProxyHeader(header), Buffer.from('client hello')]));
    const { socket, ...rest } = await taken.next();
    expect({ ...rest, client: await rest.client }).toEqual(described);
    expect(socket.isPaused()).toBe(true);
    expect(await readAll(socket)).toBe('client hello');
    // The client has closed its side, but can still receive.
    socket.end('answer');
    expect(await readAll(client)).toBe('answer');
  });

  test.each([1, 7, 16, 28, 40, 60])('may arrive in pieces of %d bytes', async (size) => {
    await open();
    const client = connectTo({ path });
    const bytes = Buffer.concat([encodeProxyHeader(header), Buffer.from('client hello')]);
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      await new Promise((resolve) => client.write(piece, resolve));
    }
    client.end();
    const { socket, destination } = await taken.next();
    expect(destination).toEqual(described.destination);
    expect(await readAll(socket)).toBe('client hello');
  });

  test('with only a host name goes to that name', async () => {
    await open();
    const nowhere = { address: '0.0.0.0', port: 443 };
    const unknown = { executable: null, pid: null, user: null, signingId: null };
    connectTo({ path }).write(encodeProxyHeader({ ...header, ...unknown, destination: nowhere }));
    const { destination, client } = await taken.next();
    expect(destination).toEqual({ host: 'api.openai.com', port: 443, name: 'api.openai.com' });
    expect(await client).toMatchObject({ pid: null, process: null, path: null });
  });
});

describe('a connection is closed', () => {
  test.each([
    ['that is no flow', Buffer.from('GET / HTTP/1.1\r\n\r\n'), 'malformed header (signature)'],
    [
      'whose flow has no destination',
      encodeProxyHeader({ ...header, source: null, destination: null }),
      'no destination in its header',
    ],
    [
      'whose flow has neither address nor name',
      encodeProxyHeader({
        ...header,
        authority: null,
        destination: { address: '0.0.0.0', port: 443 },
      }),
      'no destination in its header',
    ],
  ])('%s, and the problem is reported until the next valid one', async (_, bytes, reason) => {
    await open();
    const client = connectTo({ path });
    client.write(bytes);
    expect(await readAll(client)).toBe('');
    connectTo({ path }).write(encodeProxyHeader(header));
    await taken.next();
    const line = `handed-over connection refused: ${reason}`;
    expect(taken.problems).toEqual([line, null]);
    expect(taken.unread).toEqual([]);
  });

  test('whose header is incomplete after the time limit', async () => {
    await open({ headerTimeoutMs: 50 });
    const client = connectTo({ path });
    client.write(encodeProxyHeader(header).subarray(0, -1));
    expect(await readAll(client)).toBe('');
    expect(taken.problems).toHaveLength(1);
  });

  test('but not one with a complete header, even if it is silent afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await open({ headerTimeoutMs: 20 });
    const client = connectTo({ path });
    client.write(encodeProxyHeader(header));
    const { socket } = await taken.next();
    vi.advanceTimersByTime(20);
    socket.end('still there');
    expect(await readAll(client)).toBe('still there');
  });

  test('that only checks whether the agent runs', async () => {
    await open();
    const client = connectTo({ path });
    client.write(encodeProxyHeader({ ...header, command: 'local' }));
    expect(await readAll(client)).toBe('');
    expect(taken.problems).toEqual([]);
    client.destroy();
  });

  test('by a client that disconnected earlier without sending anything', async () => {
    await open();
    const client = connectTo({ path });
    client.end(encodeProxyHeader(header).subarray(0, 30));
    await readAll(client);
    expect(taken.problems).toEqual([]);
  });
});

describe('the socket', () => {
  test('is accessible to this user only, whatever the umask', async () => {
    const umask = process.umask(0);
    await open();
    expect(process.umask(umask)).toBe(0);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('does not exist without hosts, and earlier flows continue', async () => {
    await open();
    const client = connectTo({ path });
    client.write(encodeProxyHeader(header));
    const { socket } = await taken.next();
    const unfinished = connectTo({ path });
    await once(unfinished, 'connect');
    await listener.setHosts([]);
    expect(existsSync(path)).toBe(false);
    expect(await readAll(unfinished)).toBe('');
    socket.end('answer');
    expect(await readAll(client)).toBe('answer');
    await listener.setHosts(['a.example']);
    connectTo({ path }).write(encodeProxyHeader(header));
    await taken.next();
  });

  test('left by a killed agent is replaced', async () => {
    const left = createServer().listen(path);
    await once(left, 'listening');
    await open();
    connectTo({ path }).write(encodeProxyHeader(header));
    await taken.next();
    left.close();
  });

  test('never replaces a file', async () => {
    writeFileSync(path, 'precious');
    await open();
    expect(taken.problems).toEqual([`${path} exists and is not a socket`]);
    expect(statSync(path).size).toBe(8);
  });

  test('in a missing folder is reported as a problem, not thrown as an error', async () => {
    await open({ path: join(folder, 'none', 'flows.sock') });
    expect(taken.problems).toEqual([expect.stringContaining('flows.sock')]);
  });
});

test('a path that cannot be examined is a problem, and does not prevent later attempts', async () => {
  const loop = join(folder, 'loop');
  symlinkSync(loop, loop);
  path = join(loop, 'flows.sock');
  await open();
  expect(taken.problems).toEqual([expect.stringMatching(/ELOOP/)]);
  rmSync(loop);
  mkdirSync(loop);
  await listener.setHosts(['api.openai.com']);
  expect(existsSync(path)).toBe(true);
});
