import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OWNER, startTestControlPlane } from '../support/control-plane.ts';
import { countFailure } from '#control-plane/identity/sign-in/sign-in-queries.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

describe.each(databases)('failed sign-ins on %s', (kind) => {
  let tenants: TwoTenants;
  beforeAll(async () => {
    tenants = await startTwoTenants(kind);
  });
  afterAll(() => tenants.stop());
  afterEach(() => tenants.setTime(undefined));

  const QUARTER_MS = 15 * 60_000;
  const begin = Math.ceil(Date.now() / QUARTER_MS) * QUARTER_MS;

  const limits = (now: number) => ({ since: now - QUARTER_MS, ofAccount: 10, ofNetwork: 100 });
  /** Counts a failure without hashing a password, because hashing is deliberately slow. */
  const guess = (email: string, at: number, network = '127.0.0.1') =>
    countFailure(tenants.storage, { email, network, at }, limits(at));
  const guesses = async (many: number, email: (i: number) => string, at: number) => {
    const attempts = Array.from({ length: many }, (_, i) => guess(email(i), at));
    return (await Promise.all(attempts)).filter((standing) => standing === null).length;
  };
  const signIn = async (account: { email: string; password: string }) => {
    const { status, headers } = await fetch(`${tenants.urls.public}/api/v1/auth/login/`, {
      method: 'POST',
      body: JSON.stringify(account),
    });
    return [status, headers.get('retry-after')];
  };

  test('ten failures are allowed, then 429 with the time to wait, then it is allowed again', async () => {
    const account = { email: 'guessed@example.test', password: 'no' };
    const now = begin - 4 * QUARTER_MS;
    expect(await guesses(9, () => account.email, now)).toBe(9);
    tenants.setTime(now);
    expect([await signIn(account), await signIn(account)]).toEqual([
      [401, null],
      [429, '900'],
    ]);
    tenants.setTime(now + QUARTER_MS + 1);
    expect(await signIn(account)).toEqual([401, null]);
  });

  test('of thirty concurrent guesses ten are counted and twenty refused', async () => {
    const now = begin - 2 * QUARTER_MS;
    expect(await guesses(30, () => 'hammered@example.test', now)).toBe(10);
  });

  test('concurrent correct sign-ins all succeed; wrong ones are tried at most ten times', async () => {
    const now = begin - 8 * QUARTER_MS;
    tenants.setTime(now);
    expect(await guesses(9, () => OWNER.email, now)).toBe(9);
    const right = await Promise.all(Array.from({ length: 4 }, () => signIn(OWNER)));
    expect(right).toEqual(right.map(() => [200, null]));
    const wrong = { email: 'flooded@example.test', password: 'no' };
    expect(await guesses(8, () => wrong.email, now)).toBe(8);
    const statuses = await Promise.all(Array.from({ length: 200 }, () => signIn(wrong)));
    expect(statuses.filter(([status]) => status === 401)).toHaveLength(2);
    expect(statuses.filter(([status]) => status === 429)).toHaveLength(198);
  });

  test('a successful sign-in clears earlier failures', async () => {
    tenants.setTime(begin - QUARTER_MS);
    expect(await guesses(9, () => OWNER.email, begin - QUARTER_MS)).toBe(9);
    expect(await signIn(OWNER)).toEqual([200, null]);
    expect(await guesses(11, () => OWNER.email, begin - QUARTER_MS)).toBe(10);
  });

  test('a flood of failures ends in the audit log with a note that it continues', async () => {
    const { storage, one } = tenants;
    const owner = await one.byOwner.identity.me();
    const of = { tenant_id: owner.tenant.id, since: begin };
    const before = (subject: string, count: number) =>
      storage.db
        .insertInto('listed_failures')
        .values({ ...of, subject, count })
        .execute();
    await before(owner.id, 8);
    await before('', 98);
    tenants.setTime(begin);
    const fail = (email: string) =>
      expect(one.byKey.identity.login({ body: { email, password: 'no' } })).rejects.toThrow();
    const recordedFailures = async () => {
      const start_date = new Date(begin).toISOString();
      const query = { action: 'user.sign_in_failed', start_date };
      const { entries } = await one.byKey.audit.listAuditEntries({ query });
      return entries.map(({ actor_id, metadata }) => [actor_id, metadata.silent_until ?? null]);
    };
    for (const email of [OWNER.email, 'a@example.test'])
      for (let i = 0; i < 3; i += 1) await fail(email);
    const silent = new Date(begin + QUARTER_MS).toISOString();
    expect(await recordedFailures()).toEqual([
      ['unknown', silent],
      ['unknown', null],
      [owner.id, silent],
      [owner.id, null],
    ]);
    tenants.setTime(begin + QUARTER_MS);
    await fail('a@example.test');
    expect(await recordedFailures()).toHaveLength(5);
  });

  test('a network has a hundred guesses across accounts, also with concurrent requests', async () => {
    const now = begin + 4 * QUARTER_MS;
    expect(await guesses(120, (i) => `user-${i}@example.test`, now)).toBe(100);
    expect(await guess('user-1@example.test', now, '192.0.2.1')).toBeNull();
    tenants.setTime(now + 1000);
    expect(await signIn(OWNER)).toEqual([429, '899']);
    tenants.setTime(now + QUARTER_MS + 1);
    expect(await signIn(OWNER)).toEqual([200, null]);
  });
});

test.each([
  ['a proxy that is trusted names who asks', '192.0.2.0/24,127.0.0.1', '203.0.113.7'],
  ['anybody else is who asks', '192.0.2.0/24', '127.0.0.1'],
])('%s, in the audit log', async (_, TRUSTED_PROXIES, expected) => {
  const service = await startTestControlPlane('sqlite', { TRUSTED_PROXIES });
  await fetch(`${service.urls.public}/api/v1/auth/login/`, {
    method: 'POST',
    headers: { 'X-Forwarded-For': '8.8.8.8, 203.0.113.7' },
    body: JSON.stringify({ ...OWNER, password: 'no' }),
  });
  const query = { action: 'user.sign_in_failed' };
  const { entries } = await service.byKey.audit.listAuditEntries({ query });
  expect(entries.map(({ ip }) => ip)).toEqual([expected]);
  await service.stop();
});
