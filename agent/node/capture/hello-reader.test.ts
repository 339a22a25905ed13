import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHello } from './hello-reader.ts';

const server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
const LONG_MS = 60_000;
let client: Socket;
let accepted: Socket;
beforeEach(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const connected = once(server, 'connection') as Promise<[Socket]>;
  client = connect(port, '127.0.0.1');
  [accepted] = await connected;
});
afterEach(async () => {
  client.destroy();
  accepted.destroy();
  await new Promise((done) => server.close(done));
});

const emptyRecord = [0x16, 3, 1, 0, 0];

test.each([
  [
    'records without end that hold nothing',
    Buffer.from(Array.from({ length: 20_000 }, () => emptyRecord).flat()),
  ],
  ['what is no TLS', Buffer.from('GET / HTTP/1.1\r\n')],
])('%s: returned at once, and the bytes are put back', async (_, bytes) => {
  client.write(bytes);
  expect(await readHello(accepted, LONG_MS)).toEqual({ hello: null, consumed: null });
  const got: Buffer[] = [];
  accepted.on('data', (data) => got.push(data)).resume();
  client.end();
  await once(accepted, 'end');
  expect(Buffer.concat(got).equals(bytes)).toBe(true);
});

test('all bytes of a client that has ended are returned', async () => {
  client.end(Buffer.from(emptyRecord));
  expect(await readHello(accepted, LONG_MS)).toEqual({
    hello: null,
    consumed: Buffer.from(emptyRecord),
  });
});
