import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { LIVE_PATH } from '#contract/live.ts';
import { OWNER, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';

describe('a request with the session cookie', () => {
  let service: TestControlPlane;
  let cookie: string;
  beforeAll(async () => {
    service = await startTestControlPlane('sqlite');
    const response = await login();
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  });
  afterAll(() => service.stop());

  const login = (headers: Record<string, string> = {}) =>
    fetch(`${service.urls.public}/api/v1/auth/login/`, {
      method: 'POST',
      body: JSON.stringify(OWNER),
      headers,
    });

  const statusOf = (call: Promise<unknown>): Promise<number> =>
    call.then(
      () => 200,
      ({ status }: { status: number }) => status,
    );

  const openLive = async (headers: Record<string, string>): Promise<number> => {
    const socket = new WebSocket(service.urls.public.replace('http', 'ws') + LIVE_PATH, {
      headers,
    });
    const status = await new Promise<number>((resolve) => {
      socket.on('open', () => resolve(101));
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      socket.on('error', () => undefined);
    });
    socket.terminate();
    return status;
  };

  /**
   * Returns the responses to a page of this origin: to a change, a live connection and a sign-in.
   */
  const askedFrom = async (Origin: string): Promise<number[]> => {
    const headers = { Cookie: cookie, Origin };
    const settings = { password_max_age_days: null };
    return [
      await statusOf(service.by(headers).identity.putIdentitySettings({ body: settings })),
      await openLive(headers),
      (await login({ Origin })).status,
    ];
  };

  test('is accepted from the page of the console', async () => {
    expect(await askedFrom(service.urls.public)).toEqual([200, 101, 200]);
  });

  test.each<[string, (own: string) => string]>([
    ['that begins as ours does', (own) => `${own}.evil.example`],
    ['at a port that begins as ours does', (own) => `${own}0`],
    ['of our port at another host', (own) => own.replace(/\/\/[^:]+/, '//evil.example')],
    ['of our host at another port', (own) => own.replace(/:\d+$/, '')],
    ['that has ours within it', (own) => `https://evil.example?${own}`],
    ['that a sandbox hides', () => 'null'],
    ['that is empty', () => ''],
  ])('is refused from an origin %s', async (_, origin) => {
    expect(await askedFrom(origin(service.urls.public))).toEqual([403, 403, 403]);
  });
});
