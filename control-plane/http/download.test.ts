import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { sendDownload, attachment } from './download.ts';

test('if a client disconnects, reading for its file stops', async () => {
  const ended = Promise.withResolvers<string>();
  async function* pieces() {
    try {
      for (;;) yield Buffer.alloc(64 * 1024);
    } finally {
      ended.resolve('ended');
    }
  }
  const file = { type: 'text/csv', name: 'runs.csv', pieces: pieces() };
  const server = createServer((_request, response) => void sendDownload(response, file));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await once(response, 'data');
  response.destroy();
  expect(await ended.promise).toBe('ended');
  server.close();
});

test.each([
  ['Gatehouse.pkg', 'attachment; filename="Gatehouse.pkg"'],
  ['a b.pkg', 'attachment; filename="a b.pkg"'],
  ['Tür "1".pkg', `attachment; filename="T_r _1_.pkg"; filename*=UTF-8''T%C3%BCr%20%221%22.pkg`],
  ['../x.pkg', `attachment; filename=".._x.pkg"; filename*=UTF-8''..%2Fx.pkg`],
  ["a\r\n'(*).pkg", `attachment; filename="a__'(*).pkg"; filename*=UTF-8''a%0D%0A%27%28%2A%29.pkg`],
])('%j', (name, header) => expect(attachment(name)).toBe(header));
