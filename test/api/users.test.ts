import { afterEach, describe, expect, test } from 'vitest';
import type { Role } from '#contract/route.ts';
import { API_KEY, OWNER, type TestClient } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { startTwoTenants } from '../support/two-tenants.ts';
import { statusOf, setUpUsers, PASSWORD } from '../support/users.ts';

describe.each(databases)('users on %s', (kind) => {
  const world = setUpUsers(kind);
  const { signIn, createSignedInUser, sharedUser } = world;

  test('a new user gets an initial password that is shown once and must be changed', async () => {
    const { identity } = world.service.byOwner;
    const created = await identity.createUser({
      body: { email: 'New@Example.test', role: 'analyst' },
    });
    expect(created).toEqual({
      id: expect.stringMatching(/^usr_/) as string,
      email: 'new@example.test',
      role: 'analyst',
      disabled: false,
      must_change_password: true,
      has_password: true,
      created_at: expect.any(String) as string,
      password_changed_at: null,
      last_sign_in_at: null,
      initial_password: expect.stringMatching(/^[\w-]{20}$/) as string,
    });
    const { initial_password, ...rest } = created;
    const listed = await identity.listUsers();
    expect(listed.results).toContainEqual(rest);
    expect(JSON.stringify(listed)).not.toContain(initial_password);
    const client = await signIn('NEW@example.test', initial_password ?? '');
    expect((await client.identity.me()).must_change_password).toBe(true);
    for (const send of [
      () => client.runs.listRuns({ query: {} }),
      () => client.identity.listSessions(),
    ])
      await expect(send()).rejects.toMatchObject({
        status: 403,
        message: 'change your password first: POST /api/v1/auth/password/',
      });
    await client.identity.changePassword({
      body: { current_password: initial_password ?? '', new_password: PASSWORD },
    });
    expect((await client.identity.me()).must_change_password).toBe(false);
    await client.runs.listRuns({ query: {} });
    const after = await identity.getUser({ params: { id: created.id } });
    expect([after.password_changed_at, after.last_sign_in_at]).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
    const leaving = await signIn('new@example.test', PASSWORD);
    await leaving.identity.logout();
    expect(await statusOf(leaving.identity.me())).toBe(401);
  });

  test('an email address belongs to one user, in any spelling', async () => {
    const body = { email: OWNER.email.toUpperCase(), role: 'viewer' as const };
    await expect(world.service.byOwner.identity.createUser({ body })).rejects.toMatchObject({
      status: 409,
      message: `a user with the email ${OWNER.email} already exists`,
    });
  });

  test('users of another tenant are not revealed', async () => {
    const body = { name: 'Elsewhere' };
    const { api_key } = await world.service.byKey.subTenants.createSubTenant({ body });
    const there = world.service.by({ 'X-Svc-Key': api_key });
    const add = (client: TestClient, email: string) =>
      client.identity.createUser({ body: { email, role: 'viewer' } });
    await add(there, 'there@example.test');
    const refused = { status: 409, message: 'this email cannot be used here' };
    await expect(add(there, OWNER.email)).rejects.toMatchObject(refused);
    await expect(add(world.service.byOwner, 'there@example.test')).rejects.toMatchObject(refused);
    await expect(add(there, 'there@example.test')).rejects.toMatchObject({
      status: 409,
      message: 'a user with the email there@example.test already exists',
    });
  });

  test.each<[object, RegExp]>([
    [{ email: 'not-an-address', role: 'viewer' }, /email: expected an email address/],
    [{ email: 'a@example.test', role: 'king' }, /role: /],
    [
      { email: 'a@example.test', role: 'viewer', password: 'short' },
      /password: expected at least 12/,
    ],
    [
      { email: 'ada.king@example.test', role: 'viewer', password: 'ada.king12345' },
      /password: .*email/,
    ],
    [{ email: 'a@example.test', role: 'viewer', password: 'x'.repeat(1025) }, /password: Too big/],
    [{ email: 'a@example.test', role: 'viewer', colour: 'red' }, /colour/],
  ])('$0 is rejected', async (body, line) => {
    await expect(
      world.service.byOwner.identity.createUser({ body: body as never }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringMatching(line) as string });
  });

  test('disabling a user ends sessions at once, and enabling does not restore them', async () => {
    const { client, params, email } = await createSignedInUser('viewer');
    await world.service.byOwner.identity.updateUser({ params, body: { disabled: true } });
    expect(await statusOf(client.identity.me())).toBe(401);
    await expect(signIn(email, PASSWORD)).rejects.toMatchObject({ status: 403 });
    await expect(signIn(email, 'not the password')).rejects.toMatchObject({ status: 401 });
    await world.service.byOwner.identity.updateUser({ params, body: { disabled: false } });
    expect(await statusOf(client.identity.me())).toBe(401);
    await signIn(email, PASSWORD);
  });

  test('a deleted user is gone with all sessions', async () => {
    const { client, params, email } = await createSignedInUser('admin');
    await world.service.byOwner.identity.deleteUser({ params });
    expect(await statusOf(client.identity.me())).toBe(401);
    await expect(signIn(email, PASSWORD)).rejects.toMatchObject({ status: 401 });
    expect(await statusOf(world.service.byOwner.identity.getUser({ params }))).toBe(404);
    expect(await statusOf(world.service.byOwner.identity.deleteUser({ params }))).toBe(404);
  });

  test('a new role applies from the next request', async () => {
    const { client, params } = await sharedUser('viewer');
    expect(await statusOf(client.identity.listUsers())).toBe(403);
    await world.service.byOwner.identity.updateUser({ params, body: { role: 'admin' } });
    expect(await statusOf(client.identity.listUsers())).toBe(200);
    await world.service.byOwner.identity.updateUser({ params, body: { role: 'viewer' } });
  });

  test('administrators and programs can neither create nor change owners', async () => {
    const owner = await createSignedInUser('owner');
    const plain = await sharedUser('viewer');
    const { client: admin } = await sharedUser('admin');
    for (const { identity } of [admin, world.service.byKey]) {
      const refused = [
        identity.createUser({ body: { email: 'x@example.test', role: 'owner' } }),
        identity.updateUser({ params: plain.params, body: { role: 'owner' } }),
        identity.updateUser({ params: owner.params, body: { role: 'viewer' } }),
        identity.updateUser({ params: owner.params, body: { disabled: true } }),
        identity.deleteUser({ params: owner.params }),
        identity.resetPassword({ params: owner.params }),
        identity.endUserSessions({ params: owner.params }),
      ];
      expect(await Promise.all(refused.map(statusOf))).toEqual(refused.map(() => 403));
      await identity.updateUser({ params: plain.params, body: { role: 'analyst' } });
    }
    await owner.client.identity.deleteUser({ params: owner.params });
  });

  test('only a key with every permission may create users or raise their roles', async () => {
    const { key } = await world.service.byOwner.identity.createApiKey({
      body: { name: 'administers', permissions: ['admin', 'record'] },
    });
    const { identity } = world.service.by({ 'X-Svc-Key': key });
    const body = { email: `by-key-${kind}@example.test`, role: 'analyst' as const };
    const { id } = await world.service.byKey.identity.createUser({ body });
    const update = (change: { role?: Role; disabled?: boolean }, by = identity) =>
      by.updateUser({ params: { id }, body: change });
    for (const role of ['viewer', 'analyst', 'admin'] as const)
      await expect(
        identity.createUser({ body: { email: 'x@example.test', role } }),
      ).rejects.toMatchObject({
        status: 403,
        message:
          `you cannot grant the role "${role}": it exceeds the permissions of your API key, ` +
          'which lacks enroll, policies:write',
      });
    const refused = [
      () => update({ role: 'admin' }),
      () => identity.resetPassword({ params: { id } }),
    ];
    for (const one of refused) expect(await statusOf(one())).toBe(403);
    // Reducing a role grants nothing, so it is allowed.
    expect((await update({ role: 'viewer' })).role).toBe('viewer');
    expect(await statusOf(update({ role: 'analyst' }))).toBe(403);
    expect((await update({ disabled: true })).disabled).toBe(true);
    expect(await statusOf(update({ disabled: false }))).toBe(403);
    const { byKey } = world.service;
    expect((await update({ disabled: false }, byKey.identity)).disabled).toBe(false);
    expect((await update({ role: 'admin' }, byKey.identity)).role).toBe('admin');
  });

  test('the last owner is kept, also when two owners remove each other concurrently', async () => {
    const { results } = await world.service.byOwner.identity.listUsers();
    const own = { id: results.find(({ email }) => email === OWNER.email)?.id ?? '' };
    const { identity } = world.service.byOwner;
    const requests = [
      () => identity.updateUser({ params: own, body: { role: 'admin' } }),
      () => identity.updateUser({ params: own, body: { disabled: true } }),
      () => identity.deleteUser({ params: own }),
    ];
    for (const send of requests)
      await expect(send()).rejects.toMatchObject({
        status: 409,
        message: 'the last owner cannot be removed, demoted or disabled',
      });
    const other = await createSignedInUser('owner');
    const outcomes = await Promise.all(
      [
        identity.updateUser({ params: other.params, body: { role: 'viewer' } }),
        other.client.identity.updateUser({ params: own, body: { role: 'viewer' } }),
      ].map(statusOf),
    );
    // The second request comes from a user who is no longer an owner, or concerns the last owner.
    expect(outcomes.filter((status) => status === 200)).toHaveLength(1);
    const owners = (await world.service.byKey.identity.listUsers()).results.filter(
      ({ role }) => role === 'owner',
    );
    expect(owners).toHaveLength(1);
    if (owners[0]?.id === other.id)
      await other.client.identity.updateUser({ params: own, body: { role: 'owner' } });
  });

  test('sessions are listed with their origin, and ended one by one or all at once', async () => {
    const { email, params } = await createSignedInUser('viewer');
    const from = async (agent: string) => {
      const { token } = await world.service
        .by({ 'User-Agent': agent })
        .identity.login({ body: { email, password: PASSWORD } });
      return world.service.by({ Authorization: `Bearer ${token}`, 'User-Agent': agent });
    };
    const [phone, laptop] = [await from('Phone'), await from('Laptop')];
    const { results, count } = await laptop.identity.listSessions();
    expect(count).toBe(3);
    expect(results.find(({ current }) => current)).toEqual({
      id: expect.stringMatching(/^ses_/) as string,
      method: 'password',
      address: expect.stringMatching(/127\.0\.0\.1|::1/) as string,
      user_agent: 'Laptop',
      created_at: expect.any(String) as string,
      last_seen_at: expect.any(String) as string,
      expires_at: expect.any(String) as string,
      current: true,
    });
    const ofPhone = results.find(({ user_agent }) => user_agent === 'Phone')?.id ?? '';
    await laptop.identity.endSession({ params: { id: ofPhone } });
    expect(await statusOf(phone.identity.me())).toBe(401);
    expect(await statusOf(laptop.identity.endSession({ params: { id: ofPhone } }))).toBe(404);
    expect(await laptop.identity.endOtherSessions()).toEqual({ ended: 1 });
    const { client: admin } = await sharedUser('admin');
    const [only] = (await admin.identity.listUserSessions({ params })).results;
    expect(only).toMatchObject({ user_agent: 'Laptop', current: false });
    const session = { id: params.id, session_id: only?.id ?? '' };
    await admin.identity.endUserSession({ params: session });
    expect(await statusOf(laptop.identity.me())).toBe(401);
    expect(await statusOf(admin.identity.endUserSession({ params: session }))).toBe(404);
    await Promise.all([from('one'), from('two')]);
    expect(await admin.identity.endUserSessions({ params })).toEqual({ ended: 2 });
    expect((await admin.identity.listUserSessions({ params })).count).toBe(0);
  });

  test("the sessions of other users cannot be ended as one's own", async () => {
    const [one, other] = [await sharedUser('viewer'), await sharedUser('admin')];
    const [session] = (await other.client.identity.listSessions()).results;
    const params = { id: session?.id ?? '' };
    expect(await statusOf(one.client.identity.endSession({ params }))).toBe(404);
    expect(await statusOf(other.client.identity.me())).toBe(200);
  });

  test('a key has the permissions of a program here', async () => {
    const { results } = await world.service.by({ 'X-Svc-Key': API_KEY }).identity.listUsers();
    expect(results.length).toBeGreaterThan(1);
    const { key } = await world.service.byOwner.identity.createApiKey({
      body: { name: 'recorder', permissions: ['record'] },
    });
    expect(await statusOf(world.service.by({ 'X-Svc-Key': key }).identity.listUsers())).toBe(403);
  });
});

describe.each(databases)('users over time on %s', (kind) => {
  const world = setUpUsers(kind, 'byKey');
  const { signIn, createSignedInUser } = world;
  afterEach(() => world.service.setTime(undefined));

  test('the time at which a session was last seen is updated once a minute', async () => {
    const { client } = await createSignedInUser('viewer');
    const lastSeen = async (at: number) => {
      world.service.setTime(at);
      await client.identity.me();
      return Date.parse((await client.identity.listSessions()).results[0]?.last_seen_at ?? '');
    };
    const begin = await lastSeen(Date.now());
    expect(await lastSeen(begin + 60_000)).toBe(begin);
    expect(await lastSeen(begin + 60_001)).toBe(begin + 60_001);
  });

  test('a session ends after twelve hours, plus a minute of clock tolerance', async () => {
    const { client, email, params } = await createSignedInUser('viewer');
    const expiry = Date.parse((await client.identity.listSessions()).results[0]?.expires_at ?? '');
    world.service.setTime(expiry + 59_000);
    expect(await statusOf(client.identity.me())).toBe(200);
    world.service.setTime(expiry + 61_000);
    expect(await statusOf(client.identity.me())).toBe(401);
    await signIn(email, PASSWORD);
    expect((await world.service.byKey.identity.listUserSessions({ params })).count).toBe(1);
  });

  test('a session that is valid only within the clock tolerance can be ended', async () => {
    const { client, email, params } = await createSignedInUser('viewer');
    const expiry = Date.parse((await client.identity.listSessions()).results[0]?.expires_at ?? '');
    const other = await signIn(email, PASSWORD);
    world.service.setTime(expiry + 30_000);
    const { results } = await client.identity.listSessions();
    const own = results.find(({ current }) => current)?.id ?? '';
    await other.identity.endSession({ params: { id: own } });
    expect(await statusOf(client.identity.me())).toBe(401);
    expect(await world.service.byKey.identity.endUserSessions({ params })).toEqual({ ended: 1 });
    expect(await statusOf(other.identity.me())).toBe(401);
  });
});

test.each(databases)('on %s the users of another tenant cannot be reached', async (kind) => {
  const tenants = await startTwoTenants(kind);
  const { one, other } = tenants;
  const [theirs] = (await other.byOwner.identity.listUsers()).results;
  const [session] = (await other.byOwner.identity.listSessions()).results;
  const params = { id: theirs?.id ?? '' };
  const requestsBy = ({ identity }: TestClient) => [
    identity.getUser({ params }),
    identity.updateUser({ params, body: { disabled: true } }),
    identity.deleteUser({ params }),
    identity.resetPassword({ params }),
    identity.listUserSessions({ params }),
    identity.endUserSessions({ params }),
    identity.endUserSession({ params: { ...params, session_id: session?.id ?? '' } }),
  ];
  const statuses = await Promise.all(
    [...requestsBy(one.byOwner), ...requestsBy(one.byKey)].map(statusOf),
  );
  expect(new Set(statuses)).toEqual(new Set([404]));
  expect((await one.byOwner.identity.listUsers()).count).toBe(1);
  expect((await other.byOwner.identity.me()).id).toBe(params.id);
  await tenants.stop();
});
