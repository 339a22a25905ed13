import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClient, type ResponseError } from '#contract/client.ts';
import type { ApiError } from '#contract/errors.ts';
import { contract } from '#contract/index.ts';
import type { Role } from '#contract/route.ts';
import { queueByNetwork } from '#control-plane/identity/password/fair-queue.ts';
import { OWNER, type TestClient } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { pollUntil } from '../support/processes.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

/** Number of anonymous requests that may wait for their turn. */
const PLACES = 16;
const FLOOD = 20;

describe.each(databases)('while passwords wait to be hashed on %s', (kind) => {
  let service: TwoTenants;
  beforeAll(async () => {
    service = await startTwoTenants(kind, { TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(() => service.stop());

  /** Blocks the queue until it is resolved, so that no password is hashed. */
  let turn: PromiseWithResolvers<void>;
  let held: Promise<void>;
  beforeEach(() => {
    turn = Promise.withResolvers();
    held = queueByNetwork('192.0.2.255', () => turn.promise);
  });
  const release = async (): Promise<void> => {
    turn.resolve();
    await held;
  };
  afterEach(release);

  /** Takes places in the queue without hashing a password. */
  const take = (places: number, addressOf: (i: number) => string) =>
    Array.from({ length: places }, (_, i) =>
      queueByNetwork(addressOf(i), () => Promise.resolve('served')).catch(
        (error: ApiError) => error.code,
      ),
    );

  const signIn = async (address: string, email: string) => {
    const { status, headers } = await fetch(`${service.urls.public}/api/v1/auth/login/`, {
      method: 'POST',
      headers: { 'X-Forwarded-For': address },
      body: JSON.stringify({ email, password: 'a wrong one' }),
    });
    return [status, headers.get('retry-after')];
  };

  const countAttempts = async (): Promise<number> =>
    (await service.storage.db.selectFrom('sign_in_failures').select('email').execute()).length;

  test('a full queue refuses at once without using the database, and other requests do not wait', async () => {
    const before = await countAttempts();
    const LEFT = 2;
    const taken = take(PLACES - LEFT, (i) => `192.0.2.${i}`);
    const answers: (number | string | null)[][] = [];
    const flood = Array.from({ length: FLOOD }, async (_, i) =>
      answers.push(await signIn(`198.51.100.${i}`, `user-${i}@example.test`)),
    );
    await pollUntil(
      () => answers.length,
      (count) => count === FLOOD - LEFT,
    );
    expect(answers).toEqual(answers.map(() => [503, '5']));
    expect(await countAttempts()).toBe(before);

    const { byOwner, byKey, headers } = service.one;
    expect((await byOwner.identity.me()).email).toBe(OWNER.email);
    await byKey.recording.startRun({ body: { agent_name: 'plain' } });
    const compressed = await fetch(`${service.urls.public}/api/v1/observe/runs/start/`, {
      method: 'POST',
      headers: { ...headers.key, 'Content-Encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ agent_name: 'compressed' })),
    });
    expect(compressed.status).toBe(201);
    // A place is reserved for signed-in users.
    const body = { email: `made-${kind}@example.test`, role: 'viewer' as const };
    const made = byOwner.identity.createUser({ body });

    await release();
    await Promise.all(flood);
    expect(answers.filter(([status]) => status === 401)).toHaveLength(LEFT);
    expect(await countAttempts()).toBe(before + LEFT);
    expect(await Promise.all(taken)).toEqual(taken.map(() => 'served'));
    expect((await made).email).toBe(body.email);
  });

  test('one network cannot take the places of others', async () => {
    const taken = take(PLACES, () => '203.0.113.1');
    const other = signIn('203.0.113.2', OWNER.email);
    // The last request of the network loses its place.
    expect(await taken.at(-1)).toBe('rate_limited');
    expect(await signIn('203.0.113.1', OWNER.email)).toEqual([429, '5']);
    await release();
    expect(await other).toEqual([401, null]);
    expect(await Promise.all(taken)).toEqual([
      ...taken.slice(1).map(() => 'served'),
      'rate_limited',
    ]);
  });

  test('invalid or pointless requests are refused without hashing', async () => {
    const { one, other } = service;
    const { id } = await one.byOwner.identity.me();
    const limited = await one.byOwner.identity.createApiKey({
      body: { name: 'limited', permissions: ['admin'] },
    });
    const byLimited = createClient(contract, {
      baseUrl: service.urls.public,
      headers: () => ({ 'X-Svc-Key': limited.key }),
    });
    const password = 'another good one';
    const make = (by: TestClient, email: string, role: Role, given = password) =>
      by.identity.createUser({ body: { email, role, password: given } });
    const reset = (by: TestClient, user: string) =>
      by.identity.resetPassword({ params: { id: user } });
    const change = (current_password: string, new_password: string) =>
      one.byOwner.identity.changePassword({ body: { current_password, new_password } });
    const refused: [number, Promise<unknown>][] = [
      [404, reset(one.byOwner, 'usr_none')],
      [404, reset(other.byOwner, id)],
      [403, reset(one.byOwner, id)],
      [403, reset(one.byKey, id)],
      [403, make(one.byKey, 'x@example.test', 'owner')],
      [403, make(byLimited, 'x@example.test', 'admin')],
      [400, make(one.byOwner, 'x@example.test', 'viewer', 'short')],
      [409, make(one.byOwner, OWNER.email, 'viewer')],
      [409, make(other.byOwner, OWNER.email, 'viewer')],
      [400, change('whatever it is', 'short')],
      [400, change(password, password)],
    ];
    // The queue is blocked, so a request that hashes first would still be waiting.
    const statuses = refused.map(([, response]) =>
      response.catch(({ status }: ResponseError) => status),
    );
    expect(await Promise.all(statuses)).toEqual(refused.map(([status]) => status));
  });
});
