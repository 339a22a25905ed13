import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';
import { freePort, type Program, startProgram } from '../support/processes.ts';

const LOGIN = '/api/v1/auth/oidc/login/';
const CALLBACK = '/api/v1/auth/oidc/callback/';

describe.each(databases)('signing in with OpenID Connect on %s', (kind) => {
  let service: TestControlPlane;
  let provider: Program;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    service = await startTestControlPlane(kind, {
      OIDC_ISSUER: `http://localhost:${port}`,
      OIDC_CLIENT_ID: 'gatehouse',
      OIDC_CLIENT_SECRET: 'shared secret',
      OIDC_ALLOWED_DOMAINS: 'example.test, other.test',
      OIDC_ROLE_CLAIM: 'groups',
      OIDC_ROLE_MAP: '{"boss": "owner", "ops": "admin"}',
      LOG_LEVEL: 'silent',
    });
    provider = startProgram('test/support/oidc-provider.ts', {
      PORT: String(port),
      REDIRECT_URI: `${service.urls.public}${CALLBACK}`,
    });
    await provider.waitForOutput('provider ready');
  });
  afterAll(async () => {
    await provider.stop();
    await service.stop();
  });
  afterEach(() => service.setTime(undefined));

  const here = (path: string) => `${service.urls.public}${path}`;

  /** Signs in at the provider, without following its redirect back. */
  const comeBack = async (login: string, path = LOGIN) => {
    const browser = openBrowser();
    const form = await browser.open(here(path));
    const fields = { login, password: 'any' };
    const back = await browser.submit(form, fields, new RegExp(`^${here(CALLBACK)}`));
    return { browser, back: new URL(back.url) };
  };

  const signIn = async (login: string, path?: string) => {
    const { browser, back } = await comeBack(login, path);
    const page = await browser.open(back.href);
    const session = browser.cookie('svc_session');
    const client = service.by({ Cookie: `svc_session=${session}`, Origin: service.urls.public });
    return { page, session, client, browser, back };
  };

  const listed = async (email: string) =>
    (await service.byOwner.identity.listUsers()).results.find((user) => user.email === email);

  test('the console learns whether there is a provider and its URL', async () => {
    expect(await service.by({}).identity.listSignInMethods()).toEqual({
      has_cookie: false,
      password: true,
      oidc: { name: `localhost:${port}`, login_url: LOGIN },
    });
  });

  test('the redirect to the provider has PKCE, a state and a nonce, all new each time', async () => {
    const { identity } = service.by({});
    const [one, two] = [
      await identity.startOidcSignIn({ query: {} }),
      await identity.startOidcSignIn({ query: {} }),
    ].map((url) => Object.fromEntries(new URL(url).searchParams));
    expect(one).toEqual({
      client_id: 'gatehouse',
      response_type: 'code',
      redirect_uri: here(CALLBACK),
      scope: 'openid email profile',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(one?.[name]).not.toBe(two?.[name]);
  });

  test('a new user is created at the first sign-in and recognised at the next', async () => {
    const first = await signIn('ada@example.test', `${LOGIN}?return_to=/runs%3Fagent=a`);
    expect(first.page.url).toBe(here('/runs?agent=a'));
    const me = await first.client.identity.me();
    expect(me).toMatchObject({
      email: 'ada@example.test',
      role: 'viewer',
      must_change_password: false,
    });
    const again = await signIn('ada@example.test');
    expect(await again.client.identity.me()).toEqual(me);
    expect(await listed('ada@example.test')).toMatchObject({ id: me.id, has_password: false });
    expect(first.browser.cookie('svc_oidc')).toBeUndefined();
    const { results } = await first.client.identity.listSessions();
    expect(results.map(({ method, current }) => [method, current])).toEqual([
      ['oidc', false],
      ['oidc', true],
    ]);
  });

  test('a password sign-in is refused for an account without a password', async () => {
    await signIn('nopass@example.test');
    for (const password of ['', 'scrypt', 'any'])
      await expect(
        service.by({}).identity.login({ body: { email: 'nopass@example.test', password } }),
      ).rejects.toMatchObject({ status: 401 });
    const { client } = await signIn('nopass@example.test');
    const body = { current_password: '', new_password: 'correct horse staple' };
    await expect(client.identity.changePassword({ body })).rejects.toMatchObject({ status: 409 });
  });

  test('the provider determines the role at every sign-in', async () => {
    const { client } = await signIn('ops@example.test');
    const { id, role } = await client.identity.me();
    expect(role).toBe('admin');
    await service.byOwner.identity.updateUser({ params: { id }, body: { role: 'viewer' } });
    expect((await listed('ops@example.test'))?.role).toBe('viewer');
    await signIn('ops@example.test');
    expect((await listed('ops@example.test'))?.role).toBe('admin');
  });

  test('an existing user keeps everything and can also sign in through the provider', async () => {
    const created = await service.byOwner.identity.createUser({
      body: { email: 'Grace@Example.test', role: 'viewer', password: 'a nanosecond of wire' },
    });
    const { client } = await signIn('grace@example.test');
    expect((await client.identity.me()).id).toBe(created.id);
    const login = { email: 'grace@example.test', password: 'a nanosecond of wire' };
    const { user } = await service.by({}).identity.login({ body: login });
    expect(user).toMatchObject({ id: created.id, must_change_password: true });
  });

  test('an email address that moves to another person does not transfer the account', async () => {
    await signIn('moved@example.test');
    const { page, session } = await signIn('moved@example.test#2');
    expect([page.status, session]).toEqual([403, undefined]);
    expect(page.text).toContain('your email is linked to another identity');
  });

  test('a sub-tenant that creates a user with the same address does not receive the sign-in', async () => {
    const body = { name: 'Fisher' };
    const { api_key } = await service.byKey.subTenants.createSubTenant({ body });
    const fisher = service.by({ 'X-Svc-Key': api_key });
    await fisher.enterprise.activateAddOn({ body: { add_on_code: 'sso' } });
    const email = 'caught@example.test';
    await fisher.identity.createUser({ body: { email, role: 'admin' } });
    const { page, session } = await signIn(email);
    expect([page.status, session]).toEqual([403, undefined]);
    expect(page.text).toContain('cannot sign in with the sign-in provider');
    expect(await listed(email)).toBeUndefined();
    const { entries } = await fisher.audit.listAuditEntries({
      query: { action: 'user.sign_in_failed' },
    });
    expect(entries).toMatchObject([{ metadata: { method: 'oidc', reason: 'another tenant' } }]);
  });

  test('without the add-on, single sign-on is refused with a message', async () => {
    const { browser, back } = await comeBack('late@example.test');
    await service.byKey.enterprise.cancelAddOn({ params: { add_on_code: 'sso' } });
    expect((await service.by({}).identity.listSignInMethods()).oidc).toBeNull();
    const begun = await fetch(here(LOGIN), { redirect: 'manual' });
    expect([begun.status, await begun.text()]).toEqual([403, expect.stringContaining('sso')]);
    const page = await browser.open(back.href);
    expect([page.status, browser.cookie('svc_session')]).toEqual([403, undefined]);
    await service.byKey.enterprise.activateAddOn({ body: { add_on_code: 'sso' } });
    expect((await signIn('late@example.test')).session).toBeDefined();
  });

  test('a disabled user is refused, and existing sessions end', async () => {
    const { client } = await signIn('gone@example.test');
    const { id } = await client.identity.me();
    await service.byOwner.identity.updateUser({ params: { id }, body: { disabled: true } });
    await expect(client.identity.me()).rejects.toMatchObject({ status: 401 });
    const { page, session } = await signIn('gone@example.test');
    expect([page.status, session]).toEqual([403, undefined]);
    expect(page.text).toContain('this account is disabled');
  });

  test.each([
    ['unverified@example.test', 403, 'has not verified your email'],
    ['ada@elsewhere.test', 403, 'this domain may not sign in'],
    ['ada@sub.example.test', 403, 'this domain may not sign in'],
    ['expired@example.test', 401, 'response is invalid'],
    ['audience@example.test', 401, 'response is invalid'],
    ['issuer@example.test', 401, 'response is invalid'],
    ['nonce@example.test', 401, 'response is invalid'],
    ['unsigned@example.test', 401, 'response is invalid'],
    ['forged@example.test', 401, 'response is invalid'],
  ])('%s is refused with %d', async (login, status, line) => {
    const { page, session } = await signIn(login);
    expect([page.status, session]).toEqual([status, undefined]);
    expect(page.text).toContain(line);
    expect(await listed(login)).toBeUndefined();
  });

  test('a clock that is 45 seconds slow is accepted', async () => {
    const { client } = await signIn('late@example.test');
    expect((await client.identity.me()).email).toBe('late@example.test');
  });

  test.each<[string, (back: URL) => void]>([
    ['another state', (back) => back.searchParams.set('state', 'x')],
    ['no state', (back) => back.searchParams.delete('state')],
    ['another code', (back) => back.searchParams.set('code', 'x')],
    ['no code', (back) => back.searchParams.delete('code')],
    ['another issuer', (back) => back.searchParams.set('iss', 'https://elsewhere.test')],
  ])('a response with %s is refused', async (_what, alter) => {
    const { browser, back } = await comeBack('ada@example.test');
    alter(back);
    const page = await browser.open(back.href);
    expect([page.status, browser.cookie('svc_session')]).toEqual([401, undefined]);
    expect(page.text).toContain('response is invalid');
  });

  test("an error from the provider is shown as the provider's", async () => {
    const { browser, back } = await comeBack('ada@example.test');
    back.searchParams.set('error', 'access_denied');
    const page = await browser.open(back.href);
    expect([page.status, browser.cookie('svc_session')]).toEqual([401, undefined]);
    expect(page.text).toContain('the sign-in provider denied the sign-in');
  });

  test('a code works only once', async () => {
    const { browser, back } = await comeBack('ada@example.test');
    const pending = browser.cookie('svc_oidc') ?? '';
    expect((await browser.open(back.href)).url).toBe(here('/'));
    const replay = await fetch(back, { headers: { Cookie: `svc_oidc=${pending}` } });
    expect([replay.status, replay.headers.getSetCookie().join()]).toEqual([
      401,
      expect.not.stringContaining('svc_session') as string,
    ]);
  });

  test.each(['', 'v1.AAAA', 'of our own'])(
    'only the browser that started can finish: the cookie %j is refused',
    async (cookie) => {
      const { browser, back } = await comeBack('ada@example.test');
      const own = browser.cookie('svc_oidc') ?? '';
      // The original cookie with one character changed.
      const altered = own.slice(0, 30) + (own[30] === 'A' ? 'B' : 'A') + own.slice(31);
      browser.keepCookie('svc_oidc', cookie === 'of our own' ? altered : cookie);
      const page = await browser.open(back.href);
      expect([page.status, browser.cookie('svc_session')]).toEqual([401, undefined]);
      expect(page.text).toContain('was started in another browser or has expired');
    },
  );

  test('a sign-in that takes more than ten minutes has to be started again', async () => {
    const { browser, back } = await comeBack('ada@example.test');
    service.setTime(Date.now() + 10 * 60_000 + 1);
    const page = await browser.open(back.href);
    expect(page.text).toContain('has expired');
  });

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'runs',
  ])('%j is not accepted as a return path', async (return_to) => {
    await expect(service.by({}).identity.startOidcSignIn({ query: { return_to } })).rejects.toThrow(
      /return_to: expected a path of this console/,
    );
  });

  test('a program gets an API error', async () => {
    await expect(service.by({}).identity.finishOidcSignIn()).rejects.toMatchObject({
      status: 401,
      message: expect.stringContaining('was started in another browser or has expired') as string,
    });
  });
});

describe('if the provider is misconfigured or fails', () => {
  test('without a provider, the routes are not found', async () => {
    const service = await startTestControlPlane('sqlite');
    const { identity } = service.by({});
    expect((await identity.listSignInMethods()).oidc).toBeNull();
    await expect(identity.startOidcSignIn({ query: {} })).rejects.toMatchObject({ status: 404 });
    await expect(identity.finishOidcSignIn()).rejects.toMatchObject({ status: 404 });
    await service.stop();
  });

  test('an unreachable provider returns 502 until it is back; one with a different issuer is refused', async () => {
    const port = await freePort();
    const start = (host: string) =>
      startTestControlPlane('sqlite', {
        OIDC_ISSUER: `http://${host}:${port}`,
        OIDC_CLIENT_ID: 'gatehouse',
        OIDC_CLIENT_SECRET: 'shared secret',
        LOG_LEVEL: 'silent',
      });
    const [named, misnamed] = [await start('localhost'), await start('127.0.0.1')];
    const begin = (service: TestControlPlane) =>
      service.by({}).identity.startOidcSignIn({ query: {} });
    await expect(begin(named)).rejects.toMatchObject({ status: 502 });
    const REDIRECT_URI = `${named.urls.public}${CALLBACK}`;
    const provider = startProgram('test/support/oidc-provider.ts', {
      PORT: String(port),
      REDIRECT_URI,
    });
    await provider.waitForOutput('provider ready');
    expect(await begin(named)).toContain(`http://localhost:${port}/auth?`);
    await expect(begin(misnamed)).rejects.toMatchObject({ status: 502 });
    await provider.stop();
    await named.stop();
    await misnamed.stop();
  });
});
