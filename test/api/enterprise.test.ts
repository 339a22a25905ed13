import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteRequest } from '#contract/route.ts';
import type { subUserRoutes } from '#contract/sub-users.ts';
import { deriveSecrets } from '#control-plane/lib/secrets.ts';
import { openStorage, type Storage } from '#control-plane/storage/open.ts';
import {
  startTestControlPlane,
  type TestClient,
  type TestControlPlane,
} from '../support/control-plane.ts';
import { databases, newDatabase, type TestDatabase } from '../support/databases.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `n${i}`);

type Wanted = RouteRequest<(typeof subUserRoutes)['issueSubUserToken']>['body'];

const SECRET_KEY = 'a secret key that the test knows, to forge tokens with';
const MINUTE = 60_000;

const refused = (status: number, message: RegExp | string = /./) => ({
  status,
  message: expect.stringMatching(message) as string,
});
const invalid = { status: 401, message: 'the token is invalid' };

describe.each(databases)('enterprise on %s', (kind) => {
  let database: TestDatabase;
  let service: TestControlPlane;
  /** Beside the control plane: for what has no route, such as the past. */
  let storage: Storage;

  beforeAll(async () => {
    database = await newDatabase(kind);
    const { dataDir, databaseUrl } = database;
    service = await startTestControlPlane(kind, {
      SECRET_KEY,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? '',
    });
    storage = await openStorage({ ...database, onProblem: () => undefined });
  });
  afterAll(async () => {
    await storage.close();
    await service.stop();
    await database.remove();
  });

  const withKey = (key: string) => service.by({ 'X-Svc-Key': key });
  const subTenant = async (name: string, by: TestClient = service.byKey) => {
    const { id, api_key } = await by.subTenants.createSubTenant({ body: { name } });
    return { id, byKey: withKey(api_key), apiKey: api_key };
  };

  describe('regions', () => {
    test('the catalogue names code, price and compliance', async () => {
      const { regions } = await service.byKey.enterprise.listRegions();
      expect(new Set(regions.map(({ code }) => code)).size).toBe(regions.length);
      expect(regions).toContainEqual({
        code: 'eu-central',
        name: 'EU Central (Frankfurt)',
        price_cents: 4900,
        compliance: ['SOC 2', 'GDPR', 'C5'],
      });
    });

    test('a tenant has that of its parent until it chooses its own', async () => {
      const parent = await subTenant('Region parent');
      const child = await subTenant('Region child', parent.byKey);
      const regionOf = async ({ byKey }: { byKey: TestClient }) =>
        (await byKey.enterprise.getTenantRegion()).region.code;
      const choose = ({ byKey }: { byKey: TestClient }, region_code: string) =>
        byKey.enterprise.setTenantRegion({ body: { region_code } });
      expect(await regionOf(child)).toBe('us-east');
      expect((await choose(parent, 'eu-west')).region).toMatchObject({ code: 'eu-west' });
      expect(await regionOf(child)).toBe('eu-west');
      await choose(child, 'uk-south');
      expect([await regionOf(parent), await regionOf(child)]).toEqual(['eu-west', 'uk-south']);
      expect(await regionOf(await subTenant('Elsewhere'))).toBe('us-east');
    });

    test('one that is not there is refused by name', async () => {
      await expect(
        service.byKey.enterprise.setTenantRegion({ body: { region_code: 'mars-1' } }),
      ).rejects.toMatchObject({
        ...refused(400, /^region_code: unknown region "mars-1": expected one of us-east, /),
        code: 'validation_error',
      });
    });
  });

  describe('add-ons', () => {
    const codes = ({ add_ons }: { add_ons: { code: string }[] }) => add_ons.map(({ code }) => code);
    const activate = ({ byKey }: { byKey: TestClient }, add_on_code: string) =>
      byKey.enterprise.activateAddOn({ body: { add_on_code } });
    const cancel = ({ byKey }: { byKey: TestClient }, add_on_code: string) =>
      byKey.enterprise.cancelAddOn({ params: { add_on_code } });

    test('are activated and cancelled, by one tenant for itself', async () => {
      const one = await subTenant('Add-ons');
      const other = await subTenant('No add-ons');
      const { add_ons } = await one.byKey.enterprise.listAddOns();
      expect(add_ons.map(({ code, status }) => [code, status])).toEqual([
        ['sso', 'available'],
        ['audit_export', 'available'],
        ['insights', 'available'],
      ]);
      expect(codes(await activate(one, 'sso'))).toEqual(['sso']);
      expect(codes(await activate(one, 'insights'))).toEqual(['sso', 'insights']);
      expect(codes(await activate(one, 'sso'))).toEqual(['sso', 'insights']);
      expect((await one.byKey.enterprise.listAddOns()).add_ons.map(({ status }) => status)).toEqual(
        ['active', 'available', 'active'],
      );
      expect(codes(await other.byKey.enterprise.listTenantAddOns())).toEqual([]);
      expect(codes(await cancel(one, 'sso'))).toEqual(['insights']);
      await expect(cancel(one, 'sso')).rejects.toMatchObject(refused(404, /"sso" is not active/));
      expect(codes(await one.byKey.enterprise.listTenantAddOns())).toEqual(['insights']);
    });

    test('one that does not exist is refused by name', async () => {
      const one = await subTenant('Unknown add-on');
      await expect(activate(one, 'teleport')).rejects.toMatchObject(
        refused(404, /^add_on_code: unknown add-on "teleport": expected one of sso, /),
      );
      await expect(cancel(one, 'teleport')).rejects.toMatchObject(
        refused(404, /^add_on_code: unknown add-on "teleport": expected one of sso, /),
      );
      await expect(activate(one, '')).rejects.toMatchObject(refused(404));
      await expect(activate(one, undefined as never)).rejects.toMatchObject(refused(400));
    });

    test('the first tenant starts with all, and cancels and takes them like any other', async () => {
      const all = ['sso', 'audit_export', 'insights'];
      expect(codes(await service.byKey.enterprise.listTenantAddOns())).toEqual(all);
      expect(codes(await activate(service, 'sso'))).toEqual(all);
      for (const code of all) {
        const others = all.filter((one) => one !== code);
        expect(codes(await cancel(service, code))).toEqual(others);
        await expect(cancel(service, code)).rejects.toMatchObject(refused(404));
        expect(codes(await service.byKey.enterprise.listTenantAddOns())).toEqual(others);
        expect(codes(await activate(service, code))).toEqual(all);
      }
    });

    test('without one its routes are closed to the first tenant too', async () => {
      const { enterprise, audit } = service.byKey;
      await cancel(service, 'insights');
      await expect(enterprise.listComplianceIncidents({ query: {} })).rejects.toMatchObject(
        refused(403, /"insights"/),
      );
      await activate(service, 'insights');
      expect((await enterprise.listComplianceIncidents({ query: {} })).count).toBeTypeOf('number');
      await cancel(service, 'audit_export');
      await expect(audit.startAuditExport({ body: {} })).rejects.toMatchObject(
        refused(403, /"audit_export"/),
      );
      // Before the body is read.
      const format = 'none' as 'json';
      await expect(audit.startAuditExport({ body: { format } })).rejects.toMatchObject(
        refused(403, /"audit_export"/),
      );
      await activate(service, 'audit_export');
      expect((await audit.startAuditExport({ body: {} })).status).toBe('processing');
    });

    test('taking one that is active leaves no trace in the audit log', async () => {
      const one = await subTenant('Twice');
      await Promise.all([activate(one, 'sso'), activate(one, 'sso')]);
      const { entries } = await one.byKey.audit.listAuditEntries({
        query: { action: 'add_on.activate' },
      });
      expect(entries).toHaveLength(1);
    });
  });

  describe('the compliance console', () => {
    const incident = (tenant_id: string, at: number, more: object = {}) => ({
      tenant_id,
      id: `inc_${tenant_id}_${at}`,
      source: 'policy' as const,
      holds: 0,
      run_id: null,
      policy_id: 'pol_1',
      policy_name: 'Slow runs',
      category: 'operations',
      action: 'warn' as const,
      reason: 'Run exceeded timeout (301.0s/300s)',
      metadata: '{"timeout":300}',
      agent_name: 'a',
      workflow_name: 'default',
      status: 'open' as const,
      note: '',
      occurrences: 1,
      created_at: at,
      updated_at: at,
      last_seen_at: at,
      group_id: 'group',
      severity: 'medium' as const,
      ...more,
    });

    test('lists incidents of the tenant and all below it, where insights is active', async () => {
      const parent = await subTenant('Watching');
      const child = await subTenant('Watched', parent.byKey);
      const stranger = await subTenant('Not watched');
      const rows = [
        incident(parent.id, 1000),
        incident(child.id, 3000, { status: 'resolved' }),
        incident(child.id, 2000, { category: 'budget' }),
        incident(stranger.id, 4000),
      ];
      for (const row of rows) await storage.db.insertInto('incidents').values(row).execute();
      const list = (query: object, { byKey }: { byKey: TestClient } = parent) =>
        byKey.enterprise.listComplianceIncidents({ query });
      await expect(list({})).rejects.toMatchObject(
        refused(403, /^the add-on "insights" is not active$/),
      );
      const body = { add_on_code: 'insights' };
      await parent.byKey.enterprise.activateAddOn({ body });
      const { count, results } = await list({});
      expect([
        count,
        results.map(({ tenant_name, created_at }) => [tenant_name, created_at]),
      ]).toEqual([
        3,
        [
          ['Watched', new Date(3000).toISOString()],
          ['Watched', new Date(2000).toISOString()],
          ['Watching', new Date(1000).toISOString()],
        ],
      ]);
      expect(results[2]).toMatchObject({ tenant_id: parent.id, metadata: { timeout: 300 } });
      const found = async (query: object) => (await list(query)).results.map(({ id }) => id);
      const [own, resolved, budget] = rows.map(({ id }) => id);
      expect(await found({ status: 'resolved' })).toEqual([resolved]);
      expect(await found({ category: 'budget' })).toEqual([budget]);
      expect(await found({ sub_tenant_id: child.id })).toEqual([resolved, budget]);
      expect(await found({ limit: 1, offset: 2 })).toEqual([own]);
      const { next } = await list({ limit: 1 });
      expect(next).toMatch(/\/svc\/v1\/compliance\/incidents\/\?limit=1&offset=1$/);
      await expect(list({ sub_tenant_id: stranger.id })).rejects.toMatchObject(refused(404));
      await expect(list({}, child)).rejects.toMatchObject(refused(403));
      await parent.byKey.enterprise.cancelAddOn({ params: body });
      await expect(list({})).rejects.toMatchObject(refused(403));
    });
  });

  describe('tokens of sub-users', () => {
    const issueSubUserToken = (body: Wanted, by: TestClient = service.byKey) =>
      by.subUsers.issueSubUserToken({ body });
    const issue = async (body: Partial<Wanted>, by?: TestClient) =>
      (await issueSubUserToken({ sub_user_id: 'ada', ...body }, by)).token;
    const validate = (token: string, by: TestClient = service.byKey) =>
      by.subUsers.validateSubUserToken({ body: { token } });
    const bearer = (token: string) => service.by({ Authorization: `Bearer ${token}` });
    const statusOf = (call: Promise<unknown>) =>
      call.then(
        () => 200,
        ({ status }: { status: number }) => status,
      );

    test('says whose it is, until it has expired', async () => {
      const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
      service.setTime(now);
      const body = {
        sub_user_id: 'user 7/é',
        email: 'ada@example.test',
        display_name: 'Ada',
        roles: ['viewer' as const, 'analyst' as const],
        permissions: ['record' as const],
      };
      const { token, session_id, expires_at } = await issueSubUserToken(body);
      expect([token, session_id, expires_at]).toEqual([
        expect.stringMatching(/^svc_su_[\w-]+\.[\w-]+\.[\w-]+$/),
        expect.stringMatching(/^sus_/),
        new Date(now + 3_600_000).toISOString(),
      ]);
      const claims = {
        valid: true,
        tenant_id: expect.stringMatching(/^tnt_/) as string,
        session_id,
        ...body,
        issued_at: new Date(now).toISOString(),
        expires_at,
      };
      expect(await validate(token)).toEqual(claims);
      // Clocks differ by up to a minute.
      service.setTime(now + 3_600_000 + MINUTE - 1000);
      expect(await validate(token)).toEqual(claims);
      service.setTime(now + 3_600_000 + MINUTE + 1000);
      expect(await validate(token)).toEqual({ valid: false });
      expect(await statusOf(bearer(token).events.recordEvents({ body: { events: [] } }))).toBe(401);
      service.setTime(undefined);
    });

    test('on routes for keys, its permissions decide', async () => {
      const recorder = await issue({ permissions: ['record'] });
      const start = (client: TestClient) =>
        statusOf(client.recording.startRun({ body: { agent_name: 'a' } }));
      expect([
        await start(bearer(recorder)),
        await start(withKey(recorder)),
        await start(bearer(await issue({ roles: ['admin'] }))),
        await start(bearer(await issue({ permissions: ['enroll'] }))),
        await statusOf(withKey(recorder).runs.listRuns({ query: {} })),
        await statusOf(withKey(recorder).subTenants.listSubTenants({ query: {} })),
      ]).toEqual([200, 200, 403, 403, 403, 403]);
    });

    test('on routes for users, its strongest role decides', async () => {
      const by = async (...roles: string[]) => bearer(await issue({ roles }));
      const read = async (client: TestClient) => statusOf(client.runs.listRuns({ query: {} }));
      const change = async (client: TestClient) =>
        statusOf(
          client.settings
            .getRecordingSettings()
            .then((body) => client.settings.putRecordingSettings({ body })),
        );
      const nobody = await by();
      const viewer = await by('viewer');
      const admin = await by('viewer', 'admin');
      expect([await read(nobody), await read(viewer), await read(admin)]).toEqual([403, 200, 200]);
      expect([await change(viewer), await change(admin)]).toEqual([403, 200]);
    });

    test('on routes for both, either is enough', async () => {
      const list = async (body: Partial<Wanted>) =>
        statusOf(bearer(await issue(body)).subTenants.listSubTenants({ query: {} }));
      expect([
        await list({ roles: ['admin'] }),
        await list({ permissions: ['admin'] }),
        await list({ roles: ['analyst'], permissions: ['record'] }),
      ]).toEqual([200, 200, 403]);
    });

    test('one of a sub-tenant is worth something there alone', async () => {
      const one = await subTenant('Tokens');
      const token = await issue({ roles: ['admin'], permissions: ['record', 'admin'] }, one.byKey);
      expect(await validate(token, one.byKey)).toMatchObject({ valid: true, tenant_id: one.id });
      expect(await validate(token)).toEqual({ valid: false });
      const { sub_tenants } = await bearer(token).subTenants.listSubTenants({ query: {} });
      expect(sub_tenants).toEqual([]);
      const params = { sub_tenant_id: one.id };
      await service.byKey.subTenants.suspendSubTenant({ params, body: {} });
      await expect(bearer(token).runs.listRuns({ query: {} })).rejects.toMatchObject(
        refused(403, /suspended/),
      );
    });

    test('forged, altered, unsigned or of another kind: all refused alike', async () => {
      const token = await issue({ roles: ['admin'], permissions: ['record'] });
      const [header, payload = '', signature] = token.slice('svc_su_'.length).split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
        string,
        string
      >;
      const sign = (key: Uint8Array, alg = 'HS256', content: object = claims) =>
        new SignJWT({ ...content }).setProtectedHeader({ alg, typ: 'JWT' }).sign(key);
      const { subUserKey, sessionKey } = deriveSecrets(SECRET_KEY);
      const altered = Buffer.from(JSON.stringify({ ...claims, sid: 'sus_other' })).toString(
        'base64url',
      );
      const forged = [
        new UnsecuredJWT(claims).encode(),
        await sign(sessionKey),
        await sign(new TextEncoder().encode('some other key of enough length')),
        await sign(subUserKey, 'HS512'),
        await sign(subUserKey, 'HS256', { ...claims, sid: 'sus_other' }),
        await sign(subUserKey, 'HS256', { ...claims, sub: 'somebody else' }),
        await sign(subUserKey, 'HS256', { ...claims, tid: 'tnt_other' }),
        await sign(subUserKey, 'HS256', { ...claims, exp: 1 }),
        `${header}.${altered}.${signature}`,
        `${header}.${payload}.`,
        'nonsense',
        '',
      ].map((text) => `svc_su_${text}`);
      // The test's own key is the right one: what differs is refused, not the way it is made.
      expect(await validate(`svc_su_${await sign(subUserKey)}`)).toMatchObject({ valid: true });
      for (const one of forged) {
        expect(await validate(one)).toEqual({ valid: false });
        const { recording, runs, subTenants } = bearer(one);
        await expect(recording.startRun({ body: { agent_name: 'a' } })).rejects.toMatchObject(
          invalid,
        );
        await expect(runs.listRuns({ query: {} })).rejects.toMatchObject(invalid);
        await expect(subTenants.listSubTenants({ query: {} })).rejects.toMatchObject(invalid);
      }
    });

    test('revoking ends every session of the sub-user at once, and no other', async () => {
      const [one, two, other] = await Promise.all([
        issue({ sub_user_id: 'leaver', permissions: ['record'] }),
        issue({ sub_user_id: 'leaver', roles: ['viewer'] }),
        issue({ sub_user_id: 'stayer', permissions: ['record'] }),
      ]);
      const revokeSubUser = (sub_user_id: string, by: TestClient = service.byKey) =>
        by.subUsers.revokeSubUser({ params: { sub_user_id } });
      const elsewhere = await subTenant('Revoking');
      expect(await revokeSubUser('leaver', elsewhere.byKey)).toEqual({ revoked: 0 });
      expect(await validate(one)).toMatchObject({ valid: true });
      expect(await revokeSubUser('leaver')).toEqual({ revoked: 2 });
      expect(await validate(one)).toEqual({ valid: false });
      await expect(
        bearer(one).recording.startRun({ body: { agent_name: 'a' } }),
      ).rejects.toMatchObject(invalid);
      await expect(bearer(two).runs.listRuns({ query: {} })).rejects.toMatchObject(invalid);
      expect(await validate(other)).toMatchObject({ valid: true });
      expect(await revokeSubUser('leaver')).toEqual({ revoked: 0 });
      expect(await validate(await issue({ sub_user_id: 'leaver' }))).toMatchObject({ valid: true });
    });

    test('revoking ends one too that only the tolerance for clocks still lets through', async () => {
      const now = Date.now();
      service.setTime(now);
      const params = { sub_user_id: 'late' };
      const token = await issue({ ...params, expires_in: 1 });
      service.setTime(now + 2500);
      expect(await validate(token)).toMatchObject({ valid: true });
      expect(await service.byKey.subUsers.revokeSubUser({ params })).toEqual({ revoked: 1 });
      expect(await validate(token)).toEqual({ valid: false });
      await issue({ ...params, expires_in: 1 });
      service.setTime(now + 3 * MINUTE);
      expect(await service.byKey.subUsers.revokeSubUser({ params })).toEqual({ revoked: 0 });
      service.setTime(undefined);
    });

    test('gives no access, neither by its roles nor by its permissions', async () => {
      const { identity } = service.byOwner;
      const email = `managed-${kind}@example.test`;
      const { id } = await identity.createUser({ body: { email, role: 'viewer' } });
      const key = await identity.createApiKey({ body: { name: 'k', permissions: ['admin'] } });
      const [ofUser, ofKey] = [{ params: { id } }, { params: { id: key.id } }];
      for (const given of [{ roles: ['admin' as const] }, { permissions: ['admin' as const] }]) {
        const by = bearer(await issue(given));
        const asked = [
          () => by.identity.createApiKey({ body: { name: 'k', permissions: ['admin'] } }),
          () => by.identity.rotateApiKey({ ...ofKey, body: {} }),
          () => by.identity.revokeApiKey(ofKey),
          () => by.identity.createUser({ body: { email: 'x@example.test', role: 'viewer' } }),
          () => by.identity.updateUser({ ...ofUser, body: { role: 'admin' } }),
          () => by.identity.deleteUser(ofUser),
          () => by.identity.resetPassword(ofUser),
          () => issueSubUserToken({ sub_user_id: 'y' }, by),
          () => by.subTenants.createSubTenant({ body: { name: 'mine' } }),
        ];
        for (const one of asked)
          await expect(one()).rejects.toMatchObject(
            refused(
              403,
              /^a sub-user token cannot grant access: use an API key or a user account$/,
            ),
          );
        await by.identity.listUsers();
      }
    });

    test('ends with the key that issued it, revoked or expired', async () => {
      const now = Date.now();
      service.setTime(now);
      const make = (expires_at?: string) =>
        service.byOwner.identity.createApiKey({
          body: { name: 'issuer', permissions: ['admin'], expires_at },
        });
      const lasting = await make();
      const [one, other] = [await issue({}, withKey(lasting.key)), await issue({})];
      expect(await validate(one)).toMatchObject({ valid: true });
      await service.byOwner.identity.revokeApiKey({ params: { id: lasting.id } });
      expect([await validate(one), await validate(other)]).toMatchObject([
        { valid: false },
        { valid: true },
      ]);
      const ending = await make(new Date(now + MINUTE).toISOString());
      const long = { sub_user_id: 'ada', expires_in: 2_592_000 };
      const { token, expires_at } = await issueSubUserToken(long, withKey(ending.key));
      expect(expires_at).toBe(ending.expires_at);
      service.setTime(now + MINUTE - 1);
      expect(await validate(token)).toMatchObject({ valid: true });
      service.setTime(now + MINUTE);
      expect(await validate(token)).toEqual({ valid: false });
      service.setTime(undefined);
    });

    test('ends with the user who issued it, disabled or deleted', async () => {
      const { identity } = service.byOwner;
      const made = async (name: string) => {
        const account = { email: `${name}-${kind}@example.test`, password: 'seven lakes, a boat' };
        const body = { ...account, role: 'admin' as const, must_change_password: false };
        const { id } = await identity.createUser({ body });
        const session = await service.by({}).identity.login({ body: account });
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

    test('never allows more than its issuer may', async () => {
      const { key } = await service.byOwner.identity.createApiKey({
        body: { name: 'administers', permissions: ['admin'] },
      });
      const issuer = withKey(key);
      await expect(issue({ permissions: ['admin', 'enroll'] }, issuer)).rejects.toMatchObject(
        refused(403, /^you do not hold these permissions yourself: enroll$/),
      );
      await expect(issue({ roles: ['acme', 'admin'] }, issuer)).rejects.toMatchObject(
        refused(
          403,
          /^you cannot grant the role "admin": it exceeds the permissions of your API key, /,
        ),
      );
      await expect(issue({ roles: ['owner'] })).rejects.toMatchObject(
        refused(
          403,
          /^you cannot grant the role "owner": it exceeds the permissions of your API key$/,
        ),
      );
      const token = await issue({ permissions: ['admin'] }, issuer);
      expect(await validate(token)).toMatchObject({ valid: true, permissions: ['admin'] });
      const all = ['record', 'enroll', 'policies:write', 'admin'] as const;
      await issue({ permissions: [...all], roles: ['owner'] }, service.byOwner);
    });

    test('carries names of the customer, which allow nothing here', async () => {
      const { key } = await service.byOwner.identity.createApiKey({
        body: { name: 'front end', permissions: ['admin'] },
      });
      const given = {
        roles: ['agent_user', 'Admin', 'ADMIN', ' admin', 'admin ', 'admіn', 'Vertrieb Süd'],
        permissions: ['agents:trigger', 'Record', 'record:all', 'admin:read', 'policies:Write'],
      };
      for (const issuer of [withKey(key), service.byKey, service.byOwner]) {
        const token = await issue(given, issuer);
        expect(await validate(token)).toMatchObject({ valid: true, ...given });
        const { recording, runs, subTenants, policies } = bearer(token);
        const asked = [
          () => recording.startRun({ body: { agent_name: 'a' } }),
          () => runs.listRuns({ query: {} }),
          () => subTenants.listSubTenants({ query: {} }),
          () => policies.listPolicies({ query: {} }),
        ];
        for (const ask of asked) expect(await statusOf(ask())).toBe(403);
      }
      const mixed = { roles: ['agent_user', 'viewer'], permissions: ['agents:trigger', 'record'] };
      const token = await issue(mixed);
      expect(await validate(token)).toMatchObject(mixed);
      expect(await statusOf(bearer(token).runs.listRuns({ query: {} }))).toBe(200);
      const claims = JSON.parse(
        Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
      ) as object;
      expect(claims).toMatchObject(mixed);
    });

    test('a name that becomes one of ours later gives nothing to a token that has it', async () => {
      const { token, session_id } = await issueSubUserToken({
        sub_user_id: 'early',
        roles: ['admin', 'viewer'],
        permissions: ['admin', 'agents:trigger'],
      });
      // As if "admin" had been any name when the token was issued.
      await storage.db
        .updateTable('sub_user_sessions')
        .set({ known_roles: '["viewer"]', known_permissions: '["retired"]' })
        .where('id', '=', session_id)
        .execute();
      expect(await validate(token)).toMatchObject({
        roles: ['admin', 'viewer'],
        permissions: ['admin', 'agents:trigger'],
      });
      expect(await statusOf(bearer(token).runs.listRuns({ query: {} }))).toBe(200);
      expect(await statusOf(bearer(token).subTenants.listSubTenants({ query: {} }))).toBe(403);
    });

    test('with as many and as long names as can be, it can be used and validated', async () => {
      const names = numbered(32).map((name) => name.padEnd(64, '"'));
      const body = { sub_user_id: '\u0001'.repeat(200), roles: names, permissions: names };
      const token = await issue(body);
      expect(await validate(token)).toMatchObject({ valid: true, roles: names });
      expect(await statusOf(bearer(token).runs.listRuns({ query: {} }))).toBe(403);
    });

    test('an administrator who is demoted takes what they gave along, and brings it back', async () => {
      const { identity } = service.byOwner;
      const account = { email: `demoted-${kind}@example.test`, password: 'seven lakes, a boat' };
      const body = { ...account, role: 'admin' as const, must_change_password: false };
      const { id } = await identity.createUser({ body });
      const session = await service.by({}).identity.login({ body: account });
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

    test('ones that ended a day ago are forgotten when the next is issued', async () => {
      const past = Date.now() - 26 * 60 * MINUTE;
      service.setTime(past);
      const { session_id } = await issueSubUserToken({ sub_user_id: 'old' });
      service.setTime(undefined);
      const kept = async () =>
        (
          await storage.db
            .selectFrom('sub_user_sessions')
            .select('id')
            .where('id', '=', session_id)
            .execute()
        ).length;
      expect(await kept()).toBe(1);
      await issue({});
      expect(await kept()).toBe(0);
    });

    test.each<[string, object, RegExp]>([
      ['nobody', {}, /^sub_user_id: /],
      ['an empty id', { sub_user_id: '' }, /^sub_user_id: /],
      [
        'a role twice',
        { sub_user_id: 'x', roles: ['viewer', 'viewer'] },
        /^roles: expected no duplicates$/,
      ],
      ['an empty role', { sub_user_id: 'x', roles: ['a', ''] }, /^roles\[1\]: /],
      ['33 roles', { sub_user_id: 'x', roles: numbered(33) }, /^roles: /],
      ['33 permissions', { sub_user_id: 'x', permissions: numbered(33) }, /^permissions: /],
      ['65 letters', { sub_user_id: 'x', roles: ['x'.repeat(65)] }, /^roles\[0\]: .*64/],
      ['66 bytes', { sub_user_id: 'x', roles: ['é'.repeat(33)] }, /^roles\[0\]: .*64 bytes/],
      [
        'a line break',
        { sub_user_id: 'x', permissions: ['a\nb'] },
        /^permissions\[0\]: expected no control characters$/,
      ],
      ['a role that is no text', { sub_user_id: 'x', roles: [1] }, /^roles\[0\]: /],
      ['no time at all', { sub_user_id: 'x', expires_in: 0 }, /^expires_in: /],
      ['a month and a second', { sub_user_id: 'x', expires_in: 2_592_001 }, /^expires_in: /],
      ['half a second', { sub_user_id: 'x', expires_in: 1.5 }, /^expires_in: /],
      ['an address that is none', { sub_user_id: 'x', email: 'nobody' }, /^email: /],
      ['an unknown field', { sub_user_id: 'x', colour: 'red' }, /colour/],
    ])('%s is refused by name', async (_, body, message) => {
      await expect(issueSubUserToken(body as never)).rejects.toMatchObject({
        ...refused(400, message),
        code: 'validation_error',
      });
    });

    test('a second and thirty days are taken', async () => {
      const now = Date.now();
      service.setTime(now);
      for (const expires_in of [1, 2_592_000]) {
        const { expires_at } = await issueSubUserToken({ sub_user_id: 'x', expires_in });
        expect(expires_at).toBe(new Date(now + expires_in * 1000).toISOString());
      }
      service.setTime(undefined);
    });

    test('a hundred that are not valid within a minute, then 429 for this tenant', async () => {
      const one = await subTenant('Guessing');
      const now = Date.now();
      service.setTime(now);
      const token = await issue({}, one.byKey);
      for (let i = 0; i < 100; i += 1) await validate(`svc_su_${i}`, one.byKey);
      const answer = await fetch(`${service.urls.public}/svc/v1/identity/sub-users/validate/`, {
        method: 'POST',
        headers: { 'X-Svc-Key': one.apiKey },
        body: JSON.stringify({ token }),
      });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
      expect(await validate('svc_su_x')).toEqual({ valid: false });
      service.setTime(now + MINUTE);
      expect(await validate(token, one.byKey)).toMatchObject({ valid: true });
      service.setTime(undefined);
    });
  });

  test('what was changed stands in the audit log, without secrets', async () => {
    const { id, byKey, apiKey } = await subTenant('Audited');
    await byKey.enterprise.setTenantRegion({ body: { region_code: 'eu-west' } });
    const { token } = await byKey.subUsers.issueSubUserToken({ body: { sub_user_id: 'ada' } });
    await byKey.subUsers.revokeSubUser({ params: { sub_user_id: 'ada' } });
    await byKey.enterprise.activateAddOn({ body: { add_on_code: 'sso' } });
    await byKey.enterprise.cancelAddOn({ params: { add_on_code: 'sso' } });
    const entriesOf = (column: 'tenant_id' | 'resource_id') =>
      storage.db
        .selectFrom('audit_entries')
        .selectAll()
        .where(column, '=', id)
        .orderBy('sequence')
        .execute();
    const own = await entriesOf('tenant_id');
    expect(own.map(({ action, resource_id }) => [action, resource_id])).toEqual([
      ['tenant.create', id],
      ['tenant.set_region', id],
      ['sub_user.issue_token', 'ada'],
      ['sub_user.revoke', 'ada'],
      ['add_on.activate', 'sso'],
      ['add_on.cancel', 'sso'],
    ]);
    const params = { sub_tenant_id: id };
    await service.byKey.subTenants.updateSubTenant({ params, body: { name: 'Renamed' } });
    await service.byKey.subTenants.suspendSubTenant({ params, body: { reason: 'why' } });
    await service.byKey.subTenants.resumeSubTenant({ params });
    const ofParent = (await entriesOf('resource_id')).filter(({ tenant_id }) => tenant_id !== id);
    expect(ofParent.map(({ action }) => action)).toEqual([
      'sub_tenant.create',
      'sub_tenant.update',
      'sub_tenant.suspend',
      'sub_tenant.resume',
    ]);
    expect(JSON.parse(ofParent[1]?.metadata ?? '')).toMatchObject({
      before: { name: 'Audited', status: 'active' },
      after: { name: 'Renamed', slug: 'audited' },
    });
    const written = JSON.stringify([own, ofParent]);
    for (const secret of [apiKey, token, token.split('.')[2] ?? token])
      expect(written).not.toContain(secret);
  });
});
