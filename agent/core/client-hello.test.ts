import { connect as connectTcp, createServer } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readClientHello, readServerName } from './client-hello.ts';

/** Returns the first bytes that Node's own TLS client (OpenSSL) sends. */
async function realHello(
  servername: string | undefined,
  options: ConnectionOptions = {},
): Promise<Uint8Array> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const received = new Promise<Uint8Array>((resolve) =>
    server.once('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (data) => resolve(Uint8Array.from(data)));
    }),
  );
  const { port } = server.address() as { port: number };
  const socket = connectTcp(port, '127.0.0.1');
  const client = connect({ socket, ...(servername ? { servername } : {}), ...options });
  client.on('error', () => undefined);
  const bytes = await received;
  client.destroy();
  server.close();
  return bytes;
}

const named = await realHello('API.OpenAI.com');
const unnamed = await realHello(undefined);
const dotted = await realHello('api.openai.com.');

/** Splits the handshake message of the hello into TLS records of these sizes. */
function inRecords(hello: Uint8Array, sizes: readonly number[]): Uint8Array {
  const body = hello.subarray(5);
  const parts: number[] = [];
  for (let at = 0, i = 0; at < body.length; i++) {
    const size = Math.min(sizes[i % sizes.length] ?? 1, body.length - at);
    parts.push(0x16, 3, 1, size >> 8, size & 255, ...body.subarray(at, at + size));
    at += size;
  }
  return Uint8Array.from(parts);
}

describe('readServerName', () => {
  test.each([
    ['a real hello with a name', named, { state: 'named', name: 'api.openai.com' }],
    ['a name with a trailing dot', dotted, { state: 'named', name: 'api.openai.com' }],
    ['a real hello by address', unnamed, { state: 'unnamed' }],
    ['nothing', new Uint8Array(), { state: 'not-tls' }],
    ['plain HTTP', new TextEncoder().encode('GET / HTTP/1.1\r\n'), { state: 'not-tls' }],
    [
      'another handshake message',
      Uint8Array.of(0x16, 3, 3, 0, 4, 2, 0, 0, 0),
      { state: 'not-tls' },
    ],
    ['only the record header', named.subarray(0, 5), { state: 'incomplete' }],
  ])('%s', (_, bytes, expected) => expect(readServerName(bytes)).toEqual(expected));

  test('is never wrong about a truncated hello', () => {
    const name = { state: 'named', name: 'api.openai.com' };
    const results = Array.from(named, (_, i) => readServerName(named.subarray(0, i + 1)));
    const known = results.findIndex((result) => result.state === 'named');
    expect(known).toBeGreaterThan(0);
    expect(results).toEqual(results.map((_, i) => (i < known ? { state: 'incomplete' } : name)));
  });

  test('reads a hello in records of any size', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(sizes, (chosen) => {
        const result = readServerName(inRecords(named, chosen));
        expect(result).toEqual({ state: 'named', name: 'api.openai.com' });
      }),
    );
  });

  test('has a result for any bytes, and rejects names that are not host names', () => {
    const damaged = fc.tuple(fc.nat(named.length - 1), fc.nat(255)).map(([at, value]) => {
      const bytes = Uint8Array.from(named);
      bytes[at] = value;
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 600 }), damaged), (bytes) => {
        const result = readServerName(bytes);
        const name = result.state === 'named' ? result.name : 'none';
        expect(name).toMatch(/^[a-z0-9_.-]{1,253}$/);
      }),
    );
  });
});

describe('readClientHello', () => {
  test.each([
    ['TLS 1.3', {}, true],
    ['TLS 1.2', { maxVersion: 'TLSv1.2' }, true],
    [
      'TLS 1.2 for RSA only',
      { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' },
      false,
    ],
    ['TLS 1.3 with signatures of RSA only', { sigalgs: 'RSA-PSS+SHA256' }, false],
  ] as const)(
    '%s: whether the client can verify a key on P-256',
    async (_, options, verifiesP256) => {
      const read = readClientHello(
        await realHello('a.test', { ALPNProtocols: ['h2'], ...options }),
      );
      expect(read).toEqual({
        state: 'whole',
        hello: { name: 'a.test', protocols: ['h2'], verifiesP256 },
      });
    },
  );
});
