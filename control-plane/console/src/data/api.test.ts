import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { beginSession, readSession, type User } from './session.ts';

const ada = { email: 'ada@example.test', must_change_password: false } as User;

const server = createServer();
afterEach(() => {
  server.close();
  vi.unstubAllGlobals();
});

test('an expired password is detected by its error reason; other 403 responses change nothing', async () => {
  const paths: string[] = [];
  let reason = 'missing_permission';
  server.on('request', ({ url = '' }, response) => {
    paths.push(url);
    const isMe = url.includes('/me/');
    response.writeHead(isMe ? 200 : 403, { 'X-Error-Reason': reason });
    response.end(JSON.stringify(isMe ? { ...ada, must_change_password: true } : { error: 'no' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  vi.stubGlobal('location', { origin: `http://127.0.0.1:${port}` });
  const { api } = await import('./api.ts');
  const { contract } = await import('#contract/index.ts');
  beginSession(ada);

  const refused = () => expect(api.identity.listUsers()).rejects.toThrow('no');
  await refused();
  reason = 'password_change_required';
  await refused();
  await vi.waitFor(() =>
    expect(readSession()).toMatchObject({ user: { must_change_password: true } }),
  );
  expect(paths.filter((path) => path === contract.identity.me.path)).toHaveLength(1);
});
