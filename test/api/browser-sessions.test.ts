import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

const ACME = { email: 'ada@acme.test', password: 'a long enough pass phrase' };
const PATH = '/api/v1/auth/browser-sessions/';

interface Listed {
  id: string;
  email: string;
  current: boolean;
  tenant: { id: string; name: string; suspended: boolean };
}

describe.each(databases)('accounts of several tenants in one browser, on %s', (kind) => {
  let service: TestControlPlane;
  let acmeId: string;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
    const { id, api_key } = await service.byKey.subTenants.createSubTenant({
      body: { name: 'Acme' },
    });
    acmeId = id;
    await service
      .by({ 'X-Svc-Key': api_key })
      .identity.createUser({ body: { ...ACME, role: 'viewer', must_change_password: false } });
  });
  afterAll(() => service.stop());

  /** Handles cookies like a browser. */
  function makeBrowser() {
    const jar = new Map<string, string>();
    const request = async (path: string, body?: unknown, method = body ? 'POST' : 'GET') => {
      const response = await fetch(service.urls.public + path, {
        method,
        headers: {
          Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
          Origin: service.urls.public,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^(\w+)=([^;]*)/.exec(cookie) ?? [];
        expect(cookie).toContain('HttpOnly; SameSite=Lax');
        if (cookie.includes('Max-Age=0')) jar.delete(name);
        else jar.set(name, value);
      }
      const text = await response.text();
      return { status: response.status, body: (text && JSON.parse(text)) as never };
    };
    const me = async () => (await request('/api/v1/auth/me/')).body as Listed;
    const list = async () => ((await request(PATH)).body as { results: Listed[] }).results;
    const change = (session_id: string) => request(`${PATH}switch/`, { session_id });
    return { jar, request, me, list, change };
  }

  async function signedInTwice() {
    const browser = makeBrowser();
    await browser.request('/api/v1/auth/login/', OWNER);
    const added = await browser.request(PATH, ACME);
    expect(added.status).toBe(200);
    return browser;
  }

  test('the second account is used at once, and the browser can switch to the first', async () => {
    const browser = await signedInTwice();
    expect(await browser.me()).toMatchObject({ email: ACME.email, tenant: { name: 'Acme' } });
    const both = await browser.list();
    expect(both.map(({ email, current }) => [email, current])).toEqual([
      [ACME.email, true],
      [OWNER.email, false],
    ]);
    expect((await browser.change(both[1]?.id ?? '')).status).toBe(200);
    expect(await browser.me()).toMatchObject({ email: OWNER.email, role: 'owner' });
  });

  test('responses match the contract', async () => {
    const browser = await signedInTwice();
    const client = service.by({
      Cookie: [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; '),
      Origin: service.urls.public,
    });
    const { results } = await client.identity.listBrowserSessions();
    const session_id = results[1]?.id ?? '';
    const owner = { email: OWNER.email, role: 'owner', current: true };
    expect(await client.identity.switchBrowserSession({ body: { session_id } })).toMatchObject(
      owner,
    );
    const acme = {
      email: ACME.email,
      role: 'viewer',
      tenant: { id: acmeId, name: 'Acme', suspended: false },
    };
    expect(await client.identity.addBrowserSession({ body: ACME })).toMatchObject(acme);
  });

  test('an account gains no access from the other', async () => {
    const browser = await signedInTwice();
    expect((await browser.request('/api/v1/auth/users/')).status).toBe(403);
    const both = await browser.list();
    await browser.change(both[1]?.id ?? '');
    const { results } = (await browser.request('/api/v1/auth/users/')).body as {
      results: { email: string }[];
    };
    expect(results.map(({ email }) => email)).not.toContain(ACME.email);
  });

  test('the browser cannot switch to a session that it does not hold', async () => {
    const [browser, other] = [await signedInTwice(), makeBrowser()];
    await other.request('/api/v1/auth/login/', ACME);
    const [theirs] = await browser.list();
    expect((await other.change(theirs?.id ?? '')).status).toBe(404);
    expect(await other.me()).toMatchObject({ email: ACME.email });
  });

  test('a wrong password leaves the browser unchanged', async () => {
    const browser = makeBrowser();
    await browser.request('/api/v1/auth/login/', OWNER);
    const refused = await browser.request(PATH, { ...ACME, password: 'not the password' });
    expect(refused.status).toBe(400);
    expect(await browser.list()).toHaveLength(1);
    expect(await browser.me()).toMatchObject({ email: OWNER.email });
  });

  test('signing out ends every session, with an entry in the log of each tenant', async () => {
    const browser = await signedInTwice();
    const both = await browser.list();
    const kept = new Map(browser.jar);
    expect((await browser.request('/api/v1/auth/logout/', undefined, 'POST')).status).toBe(204);
    expect([...browser.jar.keys()]).toEqual([]);
    for (const [name, value] of kept) browser.jar.set(name, value);
    expect((await browser.request('/api/v1/auth/me/')).status).toBe(401);
    expect((await browser.change(both[1]?.id ?? '')).status).toBe(401);
    const { entries } = await service.byKey.audit.listAuditEntries({
      query: { action: 'user.sign_out', limit: 1 },
    });
    expect(entries[0]?.metadata).toMatchObject({ session_id: both[1]?.id });
  });

  test("the next user who signs in does not find the previous user's sessions", async () => {
    const browser = await signedInTwice();
    await browser.request('/api/v1/auth/login/', ACME);
    expect((await browser.list()).map(({ email }) => email)).toEqual([ACME.email]);
  });

  test('a page of another site cannot switch accounts', async () => {
    const browser = await signedInTwice();
    const [, owner] = await browser.list();
    const response = await fetch(`${service.urls.public}${PATH}switch/`, {
      method: 'POST',
      headers: {
        Cookie: [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; '),
        Origin: 'https://elsewhere.example',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ session_id: owner?.id }),
    });
    expect(response.status).toBe(403);
  });

  test('switching to a suspended tenant is refused', async () => {
    const browser = await signedInTwice();
    const [acme, owner] = await browser.list();
    await browser.change(owner?.id ?? '');
    const params = { sub_tenant_id: acmeId };
    await service.byKey.subTenants.suspendSubTenant({ params, body: {} });
    expect((await browser.change(acme?.id ?? '')).status).toBe(403);
    expect(await browser.me()).toMatchObject({ email: OWNER.email });
    await service.byKey.subTenants.resumeSubTenant({ params });
    expect((await browser.change(acme?.id ?? '')).status).toBe(200);
  });

  test('a session in a suspended tenant can be left, and allows nothing else', async () => {
    const browser = await signedInTwice();
    const [, owner] = await browser.list();
    const params = { sub_tenant_id: acmeId };
    await service.byKey.subTenants.suspendSubTenant({ params, body: {} });
    try {
      expect((await browser.request('/api/v1/auth/me/')).status).toBe(403);
      expect(
        (await browser.list()).map(({ tenant, current }) => [tenant.suspended, current]),
      ).toEqual([
        [true, true],
        [false, false],
      ]);
      expect((await browser.change(owner?.id ?? '')).status).toBe(200);
      expect(await browser.me()).toMatchObject({ email: OWNER.email });
      expect((await browser.request(PATH, ACME)).body).toEqual({
        error: 'the tenant "Acme" is suspended',
      });
    } finally {
      await service.byKey.subTenants.resumeSubTenant({ params });
    }
  });

  test('a session in a suspended tenant allows signing in to another account, and signing out', async () => {
    const [adding, leaving] = [makeBrowser(), makeBrowser()];
    for (const browser of [adding, leaving]) await browser.request('/api/v1/auth/login/', ACME);
    const params = { sub_tenant_id: acmeId };
    await service.byKey.subTenants.suspendSubTenant({ params, body: {} });
    try {
      expect((await adding.request(PATH, OWNER)).status).toBe(200);
      expect((await adding.list()).map(({ tenant }) => tenant.suspended)).toEqual([false, true]);
      const { status } = await leaving.request('/api/v1/auth/logout/', undefined, 'POST');
      expect([status, leaving.jar.size]).toEqual([204, 0]);
    } finally {
      await service.byKey.subTenants.resumeSubTenant({ params });
    }
  });

  test('a new key shows its first and last characters and its creator; the audit log shows no more of it', async () => {
    const body = { name: 'marked', permissions: ['record' as const] };
    const { key, id } = await service.byOwner.identity.createApiKey({ body });
    const rotated = await service.byKey.identity.rotateApiKey({ params: { id }, body: {} });
    const { results } = await service.byKey.identity.listApiKeys();
    const first = results.find((one) => one.id === id);
    expect(first).toMatchObject({
      prefix: key.slice(0, 11),
      last_four: key.slice(-4),
      created_by: OWNER.email,
    });
    const bootstrap = results.find(({ name }) => name === 'First key');
    expect(results.find((one) => one.id === rotated.id)).toMatchObject({
      prefix: rotated.key.slice(0, 11),
      created_by: bootstrap?.id,
    });
    expect(bootstrap).toMatchObject({ created_by: null });
    const { entries } = await service.byKey.audit.listAuditEntries({ query: { limit: 5 } });
    expect(JSON.stringify(entries)).not.toContain(key.slice(7, 20));
  });

  test('administrators of the first tenant see how members sign in; viewers do not', async () => {
    expect(await service.byOwner.identity.getSignInSettings()).toEqual({
      password: { min_length: 12, max_length: 1024 },
      failures: { of_account: 10, of_network: 100, window_seconds: 900 },
      session_seconds: 43_200,
      oidc: { status: 'not_configured', provider: null },
    });
    const { token } = await service.by({}).identity.login({ body: ACME });
    const viewer = service.by({ Authorization: `Bearer ${token}` });
    await expect(viewer.identity.getSignInSettings()).rejects.toMatchObject({ status: 403 });
  });

  test('users read prices, and administrators set them', async () => {
    const { token } = await service.by({}).identity.login({ body: ACME });
    const viewer = service.by({ Authorization: `Bearer ${token}` });
    expect((await viewer.costs.listModelCosts()).count).toBeGreaterThan(1000);
    const price = {
      params: { model_id: 'house' },
      body: { input_cost_per_million: 1, output_cost_per_million: 2 },
    };
    await expect(viewer.costs.putModelCost(price)).rejects.toMatchObject({ status: 403 });
    expect(await service.byOwner.costs.putModelCost(price)).toMatchObject({ is_override: true });
    expect((await viewer.costs.listModelCosts()).results).not.toContainEqual(
      expect.objectContaining({ model_id: 'house' }),
    );
  });
});
