import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { contract } from '#contract/index.ts';
import { LIVE_PATH, type LiveMessage } from '#contract/live.ts';
import type { Route } from '#contract/route.ts';
import {
  API_KEY,
  OWNER,
  startOn,
  startTestControlPlane,
  type TestControlPlane,
} from '../support/control-plane.ts';
import { newDatabase } from '../support/databases.ts';
import { readProfile, tlsFetch } from '../support/device.ts';
import { isCacheable } from '../support/documented.ts';
import { freePort } from '../support/processes.ts';

const routes = Object.values(contract).flatMap((group) => Object.entries<Route>(group));

describe('every route is tested through the client on both databases', () => {
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const textsOf = (suffix: string, pattern: RegExp): string[] =>
    files
      .filter((file) => file.endsWith(suffix) && !file.startsWith('dist/'))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .filter((text) => pattern.test(text));
  const onBoth = [
    ...textsOf('.test.ts', /describe\.each\((databases|providersOnDatabases)/),
    // Fixtures for such tests, which receive the database kind.
    ...textsOf('.ts', /^export .*\(kind: \(typeof databases\)\[number\]/m),
  ];

  test.each(routes)('%s', (name) => {
    const called = new RegExp(String.raw`\b${name}(\.events)?\(`);
    expect(onBoth.some((text) => called.test(text))).toBe(true);
  });
});

describe('the contract as served', () => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane('sqlite');
  });
  afterAll(() => service.stop());

  test.each(routes)(
    '%s is mounted only on its listener and requires a credential',
    async (_name, route) => {
      const { root } = await readProfile(service);
      const path = route.path.replace(/\{\w+\}/g, '1');
      const request = async (base: string) => {
        const response = await tlsOrPlain(base, root)(`${base}${path}`, { method: route.method });
        const kept = isCacheable(route) && response.ok ? 'public, max-age=300' : 'no-store';
        expect(response.headers.get('cache-control')).toBe(kept);
        return [response.status, (await response.text()).includes('there is no ')];
      };
      const [own, other] =
        route.listener === 'device'
          ? [service.urls.device, service.urls.public]
          : [service.urls.public, service.urls.device];
      const expected = route.auth === 'none' ? toStrangers(route) : 401;
      expect(await request(own)).toEqual([expected, false]);
      expect(await request(other)).toEqual([404, true]);
    },
  );

  const toStrangers = ({ path, body, downloads, status }: Route): number => {
    if (body || downloads) return 400;
    // Without an OIDC provider there is no redirect, and without a token there are no metrics.
    return status === 303 || path === contract.service.metrics.path ? 404 : 200;
  };

  const tlsOrPlain = (base: string, ca: string) =>
    base.startsWith('https') ? tlsFetch({ ca }) : fetch;

  test('OpenAPI contains every route with its schemas', async () => {
    const response = await fetch(`${service.urls.public}/openapi.json`);
    const document = (await response.json()) as {
      paths: Record<string, Record<string, { operationId: string; responses: object }>>;
    };
    const named = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.operationId),
    );
    expect(named.toSorted()).toEqual(routes.map(([name]) => name).toSorted());
    expect(document.paths['/api/v1/observe/runs/{run_id}/steps/']?.post).toMatchObject({
      security: [{ apiKey: [] }, { bearer: [] }],
      parameters: [{ name: 'run_id', in: 'path', required: true }],
      requestBody: {
        content: { 'application/json': { schema: { required: ['steps'], type: 'object' } } },
      },
      responses: {
        200: { content: { 'application/json': { schema: { required: ['status', 'count'] } } } },
        400: { content: { 'application/json': { schema: { required: ['error'] } } } },
        404: { description: 'The resource does not exist' },
      },
    });
  });

  test('the documentation is served with everything it loads', async () => {
    const page = await (await fetch(`${service.urls.public}/docs`)).text();
    const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]);
    expect(loaded).toHaveLength(3);
    for (const path of loaded)
      expect((await fetch(`${service.urls.public}${path}`)).status).toBe(200);
  });

  test('errors under the enterprise prefixes carry a code', async () => {
    const read = async (path: string) => {
      const response = await fetch(`${service.urls.public}${path}`);
      return (await response.json()) as { error: unknown };
    };
    const details = { reason: 'not_found' };
    const missing = { code: 'not_found', message: 'there is no GET /svc/v1/nothing/', details };
    expect([
      (await read('/svc/v1/nothing/')).error,
      (await read('/api/v1/nothing/')).error,
      (await read('/api/v1/observability/runs/%E0%A4%A/')).error,
      ((await read('/api/svc/v1/endpoint/mdm-profile/')).error as { code: string }).code,
    ]).toEqual([
      missing,
      'there is no GET /api/v1/nothing/',
      'malformed URL: /api/v1/observability/runs/%E0%A4%A/',
      'unauthorized',
    ]);
  });

  test.each([
    ['/healthz/', 200],
    ['/openapi.json', 200],
    ['/docs', 200],
    ['/docs/swagger-ui.css', 200],
    ['/api/v1/nothing/', 404],
    ['/api/svc/v1/endpoint/mdm-profile/', 401],
  ])('%s has security headers for browsers', async (path, status) => {
    const answer = await fetch(`${service.urls.public}${path}`);
    const { headers } = answer;
    expect(answer.status).toBe(status);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'self'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test('browsers get Strict-Transport-Security only if PUBLIC_URL is HTTPS', async () => {
    const port = await freePort();
    const database = await newDatabase('sqlite');
    const { controlPlane } = await startOn(database, {
      PORT: String(port),
      PUBLIC_URL: 'https://gatehouse.example',
    });
    const demand = async (url: string) =>
      (await fetch(url)).headers.get('strict-transport-security');
    for (const path of ['/healthz/', '/docs', '/api/v1/nothing/']) {
      expect(await demand(`http://127.0.0.1:${port}${path}`)).toBe('max-age=31536000');
      expect(await demand(`${service.urls.public}${path}`)).toBeNull();
    }
    await controlPlane.close();
    await database.remove();
  });

  test('unknown paths are not found, also below the console', async () => {
    const status = async (path: string) =>
      (await fetch(`${service.urls.public}${path}`, { headers: { Accept: 'text/html' } })).status;
    const paths = ['/metrics', '/.env', '/apix', '/assets/none.js', '/devices/../x', '/docs/none'];
    // Files in the Swagger UI package that our page does not use.
    paths.push('/docs/package.json', '/docs/index.html', '/docs/swagger-initializer.js');
    expect(await Promise.all(paths.map(status))).toEqual(paths.map(() => 404));
  });

  test.each(['//', 'http://[', '/%', ''])(
    'an upgrade at %j is rejected, and other requests are unaffected',
    async (path) => {
      const { port } = new URL(service.urls.public);
      const answer = await new Promise<string>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1');
        let text = '';
        socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
        socket.on('close', () => resolve(text));
        socket.end(
          `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        );
      });
      expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
      expect((await fetch(`${service.urls.public}/healthz/`)).status).toBe(200);
    },
  );

  test('a session has 50 live connections and a tenant 500', async () => {
    const signIn = async () => {
      const { token } = await service.by({}).identity.login({ body: OWNER });
      return { Authorization: `Bearer ${token}` };
    };
    const first = await signIn();
    const sockets = await openMany(first, 50);
    const refused = await openLive(first);
    expect(refused).toMatchObject({ opened: 429, retryAfter: '30' });
    // After closing one connection, a session can open another.
    sockets[0]?.close();
    await once(sockets[0] as WebSocket, 'close');
    sockets.push(...(await openMany(first, 1)));
    while (sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length < 500)
      sockets.push(...(await openMany(await signIn(), 50)));
    expect(await openLive(await signIn())).toMatchObject({ opened: 429 });
    for (const socket of sockets) socket.terminate();
    await expect.poll(async () => (await openLive(first)).opened).toBe(101);
  });

  /** Opens this many connections at once; returns those that were accepted. */
  const openMany = async (headers: Record<string, string>, count: number) => {
    const all = await Promise.all(Array.from({ length: count }, () => openLive(headers)));
    return all.filter(({ opened }) => opened === 101).map(({ socket }) => socket);
  };
  const openLive = async (headers: Record<string, string>) => {
    let retryAfter: string | undefined;
    const socket = new WebSocket(service.urls.public.replace('http', 'ws') + LIVE_PATH, {
      headers,
    });
    const opened = await new Promise<number>((resolve) => {
      socket.on('open', () => resolve(101));
      socket.on('unexpected-response', (_request, response) => {
        retryAfter = response.headers['retry-after'];
        resolve(response.statusCode ?? 0);
      });
      socket.on('error', () => undefined);
    });
    return { socket, opened, retryAfter };
  };

  test('the console receives changes; pages of other sites and API keys are refused', async () => {
    const login = await fetch(`${service.urls.public}/api/v1/auth/login/`, {
      method: 'POST',
      body: JSON.stringify(OWNER),
    });
    const Cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const { socket, opened } = await openLive({ Cookie, Origin: service.urls.public });
    const evil = await openLive({ Cookie, Origin: 'https://evil.example' });
    const key = await openLive({ Authorization: `Bearer ${API_KEY}` });
    expect([opened, evil.opened, key.opened]).toEqual([101, 403, 401]);
    const signal = new Promise((resolve) =>
      socket.on('message', (data: Buffer) => resolve(JSON.parse(data.toString()) as LiveMessage)),
    );
    const { run_id } = await service.byKey.recording.startRun({ body: { agent_name: 'a' } });
    expect(await signal).toEqual({ topic: 'runs', run_id: Number(run_id) });
    socket.close();
  });
});
