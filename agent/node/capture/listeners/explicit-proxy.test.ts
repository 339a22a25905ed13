import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, userInfo } from 'node:os';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openExplicitProxy } from './explicit-proxy.ts';
import type { ExplicitProxy } from './explicit-proxy.ts';
import { connectTo, readAll, readUntil, recordConnections } from './testing/connection-recorder.ts';
import type { ConnectionRecorder } from './testing/connection-recorder.ts';

const HOST = '127.0.0.1';
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

let taken: ConnectionRecorder;
let listener: ExplicitProxy;
let port: number;

beforeEach(async () => {
  taken = recordConnections();
  listener = await openExplicitProxy({ port: 0, ...taken });
  port = listener.port ?? 0;
});

afterEach(() => listener.close());

function connect(text: string) {
  const client = connectTo({ host: HOST, port });
  client.write(text);
  return client;
}

test('connections beyond the limit are closed and reported', async () => {
  const problems: (string | null)[] = [];
  const onProblem = (line: string | null) => void problems.push(line);
  const limited = await openExplicitProxy({ ...taken, port: 0, maxConnections: 3, onProblem });
  const open = () => connectTo({ host: HOST, port: limited.port ?? 0 });
  const clients = [open(), open(), open()];
  await Promise.all(clients.map((client) => once(client, 'connect')));
  expect(await readAll(open())).toBe('');
  for (const client of clients) client.destroy();
  await expect.poll(() => problems.at(-1)).toBeNull();
  expect(problems).toEqual(['more than 3 connections to the proxy: others are closed', null]);
  await limited.close();
});

describe('CONNECT', () => {
  test("is answered at once, and the client's bytes are left for the interceptor", async () => {
    const client = connect(
      'CONNECT API.openai.com:443 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic c2VjcmV0\r\n\r\nhel',
    );
    expect(await readUntil(client, '\r\n\r\n')).toBe(ESTABLISHED);
    const { socket, destination } = await taken.next();
    expect(destination).toEqual({ host: 'api.openai.com', port: 443, name: 'api.openai.com' });
    expect(socket.isPaused()).toBe(true);
    client.end('lo');
    expect(await readAll(socket)).toBe('hello');
    socket.end('answer');
    expect(await readAll(client)).toBe('answer');
  });

  test('accepts an address, without a Host field, in the oldest HTTP version', async () => {
    const client = connect('CONNECT [2001:db8::7]:8443 HTTP/1.0\r\n\r\n');
    expect(await readUntil(client, '\r\n\r\n')).toBe(ESTABLISHED);
    const { destination, socket } = await taken.next();
    expect(destination).toEqual({ host: '2001:db8::7', port: 8443, name: null });
    socket.destroy();
  });

  test('identifies the client', async () => {
    const ours = { pid: process.pid, path: process.execPath, user: userInfo().username };
    await vi.waitFor(async () => {
      const client = connect('CONNECT api.openai.com:443 HTTP/1.1\r\n\r\n');
      const found = await (await taken.next()).client;
      client.destroy();
      expect(found).toMatchObject(ours);
    });
  });

  test('identifies a curl that exits soon', { tags: ['curl'] }, async () => {
    const runCurl = async () => {
      const proxy = `http://${HOST}:${port}`;
      const curl = execFile('curl', ['-sp', '-x', proxy, 'http://a.example:443/']);
      const { socket, client } = await taken.next();
      socket.resume().end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
      return { known: await client, expected: { pid: curl.pid, process: 'curl' } };
    };
    // On a busy machine curl may exit too soon.
    await vi.waitFor(async () => {
      const { known, expected } = await runCurl();
      expect(known).toMatchObject(expected);
    });
  });
});

describe('all other requests', () => {
  test.each([
    ['CONNECT localhost:443 HTTP/1.1', 403],
    ['CONNECT 127.0.0.1:PORT HTTP/1.1', 403],
    ['CONNECT 169.254.169.254:80 HTTP/1.1', 403],
    ['CONNECT example.com HTTP/1.1', 400],
    ['CONNECT / HTTP/1.1', 400],
    ['GET http://example.com/ HTTP/1.1\r\nHost: example.com', 405],
    ['POST /proxy.pac HTTP/1.1\r\nHost: x', 405],
    ['GET /proxy.pac HTTP/1.1\r\nHost: rebound.example', 403],
    ['GET /proxy.pac HTTP/1.1\r\nHost: 127.0.0.1.example', 403],
    ['GET /proxy.pac HTTP/1.1\r\nHost: 127.0.0.1:9877\r\nSec-Fetch-Site: cross-site', 403],
    ['GET / HTTP/1.1\r\nHost: x', 405],
    ['GET / HTTP/1.1', 400],
    ['SSH-2.0-OpenSSH_9.2', 400],
    [`CONNECT a.example:443 HTTP/1.1\r\nx: ${'x'.repeat(8192)}`, 400],
  ])('%s: response %d, and closed', async (head, status) => {
    const client = connect(`${head.replace('PORT', String(port))}\r\n\r\n`);
    expect(await readAll(client)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(taken.unread).toEqual([]);
    client.destroy();
  });

  test('are not even read from a client outside loopback', async (test) => {
    const own = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
    test.skip(own === undefined, 'there is no other address here');
    const client = connectTo({ host: HOST, port, localAddress: own ?? '' });
    client.write('GET /proxy.pac HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await readAll(client)).toBe('');
  });
});

test('the PAC file names the currently enabled hosts', async () => {
  const read = () => fetch(`http://${HOST}:${port}/proxy.pac`);
  await listener.setHosts(['api.openai.com']);
  const file = await read();
  expect(file.headers.get('content-type')).toBe('application/x-ns-proxy-autoconfig');
  const text = await file.text();
  expect(text).toContain('"api.openai.com"');
  expect(text).toContain(`PROXY 127.0.0.1:${port}; DIRECT`);
  await listener.setHosts(['api.anthropic.com']);
  const later = await (await read()).text();
  expect(later).toContain('"api.anthropic.com"');
  expect(later).not.toContain('openai');
});

test('after closing, no connections are accepted, and earlier ones stay open', async () => {
  const client = connect('CONNECT api.openai.com:443 HTTP/1.1\r\n\r\n');
  await readUntil(client, '\r\n\r\n');
  const { socket } = await taken.next();
  const late = connect('CONNECT api.openai.com:443 HTTP/1.1\r\n');
  await once(late, 'connect');
  await listener.close();
  late.write('\r\n');
  expect(await readAll(late)).toBe('');
  expect(taken.unread).toEqual([]);
  await expect(once(connectTo({ host: HOST, port }), 'connect')).rejects.toThrow('ECONNREFUSED');
  socket.end('answer');
  expect(await readAll(client)).toBe('answer');
});

test('a port used by another program is a problem until it is free', async () => {
  const other = createServer().listen(0, HOST);
  await once(other, 'listening');
  const its = (other.address() as AddressInfo).port;
  const second = await openExplicitProxy({ port: its, ...taken });
  expect(second.port).toBe(null);
  expect(taken.problems).toEqual([expect.stringContaining('EADDRINUSE')]);
  await new Promise((resolve) => other.close(resolve));
  await second.setHosts(['a.example']);
  expect(second.port).toBe(its);
  expect(taken.problems.at(-1)).toBe(null);
  await second.close();
});
