import { afterEach, describe, expect, test } from 'vitest';
import type { TestClient } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { statusOf, setUpUsers, PASSWORD } from '../support/users.ts';

const DAY_MS = 24 * 3_600_000;

describe.each(databases)('users on %s', (kind) => {
  const world = setUpUsers(kind);
  const { signIn, createSignedInUser, sharedUser } = world;

  test('changing a password requires the current one, and ends all other sessions', async () => {
    const { client, email } = await createSignedInUser('viewer');
    const elsewhere = await signIn(email, PASSWORD);
    const change = (current_password: string, new_password: string) =>
      client.identity.changePassword({ body: { current_password, new_password } });
    await expect(change('wrong', 'another good one')).rejects.toThrow(
      /^current_password: wrong password/,
    );
    await expect(change(PASSWORD, 'short')).rejects.toThrow(/^new_password: expected at least 12/);
    await expect(change(PASSWORD, PASSWORD)).rejects.toThrow(
      /^new_password: expected a password different/,
    );
    await change(PASSWORD, 'another good one');
    expect(await statusOf(client.identity.me())).toBe(200);
    expect(await statusOf(elsewhere.identity.me())).toBe(401);
    await expect(signIn(email, PASSWORD)).rejects.toMatchObject({ status: 401 });
    await signIn(email, 'another good one');
  });

  test("an administrator's reset is not undone by a change in progress", async () => {
    const { client, params, email } = await createSignedInUser('viewer');
    const body = { current_password: PASSWORD, new_password: 'another good one' };
    const [, { initial_password }] = await Promise.all([
      statusOf(client.identity.changePassword({ body })),
      world.service.byOwner.identity.resetPassword({ params }),
    ]);
    for (const password of [PASSWORD, 'another good one'])
      await expect(signIn(email, password)).rejects.toMatchObject({ status: 401 });
    const again = await signIn(email, initial_password);
    expect((await again.identity.me()).must_change_password).toBe(true);
  });

  test('of two concurrent changes one succeeds, from one session or from two', async () => {
    const { client, email } = await createSignedInUser('viewer');
    const change = (by: TestClient, current_password: string, new_password: string) =>
      statusOf(by.identity.changePassword({ body: { current_password, new_password } }));
    const own = [
      change(client, PASSWORD, 'another good one'),
      change(client, PASSWORD, 'one more of them'),
    ];
    const first = await Promise.all(own);
    // For the other request, the password has changed before or during its check.
    expect(first.toSorted((a, b) => a - b)).toEqual([200, expect.toBeOneOf([400, 409])]);
    const now = first[0] === 200 ? 'another good one' : 'one more of them';
    const other = await signIn(email, now);
    const both = [
      change(client, now, 'the third is mine'),
      change(other, now, 'or else the fourth'),
    ];
    const second = await Promise.all(both);
    expect(second.toSorted((a, b) => a - b)).toEqual([200, expect.toBeOneOf([400, 401])]);
  });

  test('a session allows no more password guesses than the sign-in', async () => {
    const { client } = await createSignedInUser('viewer');
    const body = { current_password: 'wrong', new_password: 'another good one' };
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1)
      statuses.push(await statusOf(client.identity.changePassword({ body })));
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
  });

  test('an administrator resets a password, and the user must change it', async () => {
    const { client, params, email } = await createSignedInUser('viewer');
    const { client: admin, params: own } = await sharedUser('admin');
    const { initial_password } = await admin.identity.resetPassword({ params });
    expect(await statusOf(client.identity.me())).toBe(401);
    await expect(signIn(email, PASSWORD)).rejects.toMatchObject({ status: 401 });
    const again = await signIn(email, initial_password);
    expect((await again.identity.me()).must_change_password).toBe(true);
    expect(await statusOf(admin.identity.resetPassword({ params: own }))).toBe(403);
  });
});

describe.each(databases)('users over time on %s', (kind) => {
  const world = setUpUsers(kind, 'byKey');
  const { signIn, createSignedInUser } = world;
  afterEach(() => world.service.setTime(undefined));

  test('passwords expire if the tenant configures it', async () => {
    const { client, email } = await createSignedInUser('admin');
    const { identity } = world.service.byKey;
    expect(await identity.getIdentitySettings()).toEqual({ password_max_age_days: null });
    await identity.putIdentitySettings({ body: { password_max_age_days: 30 } });
    expect(await statusOf(client.identity.listUsers())).toBe(200);
    world.service.setTime(Date.now() + 30 * DAY_MS + 1000);
    const later = await signIn(email, PASSWORD);
    expect((await later.identity.me()).must_change_password).toBe(true);
    expect(await statusOf(later.identity.listUsers())).toBe(403);
    await later.identity.changePassword({
      body: { current_password: PASSWORD, new_password: 'another good one' },
    });
    expect(await statusOf(later.identity.listUsers())).toBe(200);
    await identity.putIdentitySettings({ body: { password_max_age_days: null } });
    for (const days of [0, 1.5, 3651])
      await expect(
        identity.putIdentitySettings({ body: { password_max_age_days: days } }),
      ).rejects.toThrow(/password_max_age_days/);
  });
});
