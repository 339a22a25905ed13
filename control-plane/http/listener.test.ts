import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import { readEvents } from '#contract/client.ts';
import type { Route } from '#contract/route.ts';
import type { HttpContext } from './http-context.ts';
import { createListener } from './listener.ts';
import type { RouteHandler } from './mount.ts';

const authenticated: string[] = [];

/** A context with only what serving needs, without database and tenant. */
const context = {
  config: { app: { name: 'Test' }, trustedProxies: { check: () => false } },
  version: '1',
  urls: { public: 'http://localhost' },
  log: { isLevelEnabled: () => false, error: () => undefined },
  storage: { unavailability: () => undefined, isTransactionRollback: () => false },
  metrics: { observeRequest: () => undefined },
  shutdown: { follow: (work: Promise<unknown>) => void work },
  authenticate: async ({ path }: Route) => {
    if (path === '/closed/') throw new ApiError('csrf_rejected', 'closed');
    authenticated.push(path);
  },
  encodeRpcStatus: async () => Buffer.from('status'),
} as unknown as HttpContext;

const text = z.object({ text: z.string() });
const usual = { method: 'GET', summary: '', auth: 'none', errors: 'text', response: text } as const;
const served = (
  route: Partial<Route> & Pick<Route, 'path'>,
  handle: RouteHandler['handle'],
): RouteHandler => ({
  route: { ...usual, ...route },
  handle,
});
const greeting = () => ({ text: 'hello' });
const pending = { status: 'pending' as const, retry_after: 7 };
const down = { status: 'unavailable' as const };

async function* spoken() {
  yield* ['hel', 'lo'].map((part) => ({ text: part }));
}

const routes: RouteHandler[] = [
  served({ path: '/json/' }, greeting),
  served({ path: '/created/', status: 201 }, greeting),
  served({ path: '/none/', status: 204 }, () => undefined),
  served({ path: '/elsewhere/', status: 303, response: z.string() }, () => '/there'),
  served({ path: '/failing-redirect/', status: 303, response: z.string() }, () => {
    throw new ApiError('not_found', '<nothing> here');
  }),
  ...(['text', 'coded', 'rpc'] as const).map((errors) =>
    served({ path: `/used-up/${errors}/`, errors }, () => {
      throw new ApiError('quota_exhausted', 'used up', { retry_after: 9 });
    }),
  ),
  served({ path: '/tagged/', etag: true }, greeting),
  served({ path: '/file/', produces: 'text/plain', response: z.string() }, () => 'a file'),
  served({ path: '/download/', downloads: ['text/csv'], response: z.string() }, () => ({
    type: 'text/csv',
    name: 'a.csv',
    bytes: 3,
    pieces: (async function* () {
      yield Buffer.from('a,b');
    })(),
  })),
  served(
    { path: '/waiting/', accepted: z.object({ status: z.string(), retry_after: z.int() }) },
    () => pending,
  ),
  served({ path: '/down/', unavailable: z.object({ status: z.string() }) }, () => down),
  served({ path: '/events/', events: text }, () => spoken()),
  served({ path: '/acting/', hasSideEffects: true }, greeting),
  served({ path: '/closed/', method: 'POST', body: text }, ({ body }) => body),
  served({ path: '/echo/', method: 'POST', body: text }, ({ body }) => body),
  served(
    { path: '/bytes/', method: 'POST', body: z.unknown(), consumes: ['text/x'] },
    ({ body }) => {
      const { bytes } = body as { bytes: Uint8Array };
      return bytes.toReversed();
    },
  ),
];

const server = createServer(
  createListener(context, routes, (_request, response) => response.writeHead(404).end()),
);
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const ask = (path: string, init: RequestInit = {}) =>
  fetch(url + path, { redirect: 'manual', ...init });

test.each([
  ['/json/', 200, '{"text":"hello"}'],
  ['/created/', 201, '{"text":"hello"}'],
  ['/none/', 204, ''],
  ['/elsewhere/', 303, ''],
  ['/tagged/', 200, '{"text":"hello"}'],
  ['/file/', 200, 'a file'],
  ['/download/', 200, 'a,b'],
  ['/waiting/', 202, '{"status":"pending","retry_after":7}'],
  ['/down/', 503, '{"status":"unavailable"}'],
  ['/events/', 200, 'data: {"text":"hel"}\n\ndata: {"text":"lo"}\n\n'],
])('%s is answered with %i in the form that the route declares', async (path, status, body) => {
  const answer = await ask(path);
  expect([answer.status, await answer.text()]).toEqual([status, body]);
});

test('each form has its own headers', async () => {
  const headersOf = async (path: string, name: string) => (await ask(path)).headers.get(name);
  expect(await headersOf('/elsewhere/', 'location')).toBe('/there');
  expect(await headersOf('/waiting/', 'retry-after')).toBe('7');
  expect(await headersOf('/download/', 'content-disposition')).toBe('attachment; filename="a.csv"');
  expect(await headersOf('/file/', 'content-type')).toBe('text/plain');
  const etag = (await headersOf('/tagged/', 'etag')) as string;
  expect((await ask('/tagged/', { headers: { 'if-none-match': etag } })).status).toBe(304);
});

test('events are read as they were sent', async () => {
  const events = [];
  for await (const event of readEvents(await ask('/events/'))) events.push(event);
  expect(events).toEqual([{ text: 'hel' }, { text: 'lo' }]);
});

test('a body is decoded, or passed on as bytes', async () => {
  const post = (path: string, body: string, type = 'application/json') =>
    ask(path, { method: 'POST', body, headers: { 'content-type': type } });
  expect(await (await post('/echo/', '{"text":"a"}')).json()).toEqual({ text: 'a' });
  expect((await post('/echo/', '{"text":1}')).status).toBe(400);
  expect(await (await post('/bytes/', 'abc', 'text/x')).text()).toBe('cba');
  expect((await post('/bytes/', 'abc')).status).toBe(415);
});

test('a refused caller is answered before the body is read', async () => {
  const answer = await ask('/closed/', { method: 'POST', body: '{' });
  expect([answer.status, await answer.json()]).toEqual([403, { error: 'closed' }]);
  expect(answer.headers.get('x-error-reason')).toBe('csrf_rejected');
});

test.each([
  ['text', { error: 'used up' }],
  [
    'coded',
    {
      error: {
        code: 'rate_limited',
        message: 'used up',
        details: { reason: 'quota_exhausted', retry_after: 9 },
      },
    },
  ],
  ['rpc', { code: 8, message: 'used up' }],
] as const)('an error in the shape "%s" has its reason', async (shape, body) => {
  const answer = await ask(`/used-up/${shape}/`);
  expect([answer.status, await answer.json()]).toEqual([429, body]);
  expect(answer.headers.get('x-error-reason')).toBe('quota_exhausted');
});

test('HEAD is refused before authentication if GET has side effects', async () => {
  const answer = await ask('/acting/', { method: 'HEAD' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
  expect(authenticated).not.toContain('/acting/');
  expect((await ask('/json/', { method: 'HEAD' })).status).toBe(200);
});

test('a failed redirect is a page for a browser, and JSON for a program', async () => {
  const page = await ask('/failing-redirect/', { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([
    404,
    expect.stringContaining('&lt;nothing&gt; here'),
  ]);
  expect(page.headers.get('x-error-reason')).toBe('not_found');
  expect(await (await ask('/failing-redirect/')).json()).toEqual({ error: '<nothing> here' });
});
