import { describe, expect, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { errorMatching } from '../support/enterprise.ts';
import { setUpSubUserTokens } from '../support/sub-user-tokens.ts';

const MINUTE = 60_000;

describe.each(databases)('the issuer of a sub-user token on %s', (kind) => {
  const { world, issueSubUserToken, issue, validate, bearer, statusOf } = setUpSubUserTokens(kind);
  const { withKey } = world;

  test('is a key: the token ends when the key is revoked or expires', async () => {
    const now = Date.now();
    world.service.setTime(now);
    const make = (expires_at?: string) =>
      world.service.byOwner.identity.createApiKey({
        body: { name: 'issuer', permissions: ['admin'], expires_at },
      });
    const lasting = await make();
    const [one, other] = [await issue({}, withKey(lasting.key)), await issue({})];
    expect(await validate(one)).toMatchObject({ valid: true });
    await world.service.byOwner.identity.revokeApiKey({ params: { id: lasting.id } });
    expect([await validate(one), await validate(other)]).toMatchObject([
      { valid: false },
      { valid: true },
    ]);
    const ending = await make(new Date(now + MINUTE).toISOString());
    const long = { sub_user_id: 'ada', expires_in: 2_592_000 };
    const { token, expires_at } = await issueSubUserToken(long, withKey(ending.key));
    expect(expires_at).toBe(ending.expires_at);
    world.service.setTime(now + MINUTE - 1);
    expect(await validate(token)).toMatchObject({ valid: true });
    world.service.setTime(now + MINUTE);
    expect(await validate(token)).toEqual({ valid: false });
    world.service.setTime(undefined);
  });

  test('is a user: the token ends when the user is disabled or deleted', async () => {
    const { identity } = world.service.byOwner;
    const made = async (name: string) => {
      const account = { email: `${name}-${kind}@example.test`, password: 'seven lakes, a boat' };
      const body = { ...account, role: 'admin' as const, must_change_password: false };
      const { id } = await identity.createUser({ body });
      const session = await world.service.by({}).identity.login({ body: account });
      return { params: { id }, token: await issue({}, bearer(session.token)) };
    };
    const [disabled, deleted] = [await made('disabled'), await made('deleted')];
    for (const { token } of [disabled, deleted])
      expect(await validate(token)).toMatchObject({ valid: true });
    await identity.updateUser({ params: disabled.params, body: { disabled: true } });
    await identity.deleteUser({ params: deleted.params });
    for (const { token } of [disabled, deleted])
      expect(await validate(token)).toEqual({ valid: false });
  });

  test('limits the permissions of the token', async () => {
    const { key } = await world.service.byOwner.identity.createApiKey({
      body: { name: 'administers', permissions: ['admin'] },
    });
    const issuer = withKey(key);
    await expect(issue({ permissions: ['admin', 'enroll'] }, issuer)).rejects.toMatchObject(
      errorMatching(403, /^you do not have these permissions yourself: enroll$/),
    );
    await expect(issue({ roles: ['acme', 'admin'] }, issuer)).rejects.toMatchObject(
      errorMatching(
        403,
        /^you cannot grant the role "admin": it exceeds the permissions of your API key, /,
      ),
    );
    await expect(issue({ roles: ['owner'] })).rejects.toMatchObject(
      errorMatching(
        403,
        /^you cannot grant the role "owner": it exceeds the permissions of your API key$/,
      ),
    );
    const token = await issue({ permissions: ['admin'] }, issuer);
    expect(await validate(token)).toMatchObject({ valid: true, permissions: ['admin'] });
    const all = ['record', 'enroll', 'policies:write', 'admin'] as const;
    await issue({ permissions: [...all], roles: ['owner'] }, world.service.byOwner);
  });

  test('is demoted: the token loses its access, and regains it with the role', async () => {
    const { identity } = world.service.byOwner;
    const account = { email: `demoted-${kind}@example.test`, password: 'seven lakes, a boat' };
    const body = { ...account, role: 'admin' as const, must_change_password: false };
    const { id } = await identity.createUser({ body });
    const session = await world.service.by({}).identity.login({ body: account });
    const given = { roles: ['agent_user', 'viewer', 'admin'], permissions: ['record', 'fly'] };
    const token = await issue(given, bearer(session.token));
    const update = (role: 'admin' | 'analyst' | 'viewer') =>
      identity.updateUser({ params: { id }, body: { role } });
    await update('viewer');
    expect(await validate(token)).toMatchObject({
      valid: true,
      roles: ['agent_user', 'viewer'],
      permissions: ['fly'],
    });
    const by = bearer(token);
    expect(await statusOf(by.identity.listUsers())).toBe(403);
    expect(await statusOf(by.recording.startRun({ body: { agent_name: 'a' } }))).toBe(403);
    expect(await statusOf(by.runs.listRuns({ query: {} }))).toBe(200);
    await update('admin');
    expect(await validate(token)).toMatchObject(given);
    expect(await statusOf(by.identity.listUsers())).toBe(200);
  });
});
