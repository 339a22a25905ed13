import { X509Certificate } from 'node:crypto';
import { parse } from 'plist';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Permission } from '#contract/route.ts';
import { checkAgainstSchema } from '#profile-builder/testing/apple-schema/check.ts';
import type { Dictionary } from '#profile-builder/testing/apple-schema/rule.ts';
import { checkForUpload } from '#profile-builder/testing/upload-rules.ts';
import {
  API_KEY,
  OWNER,
  startTestControlPlane,
  type TestClient,
  type TestControlPlane,
} from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

interface Payload extends Dictionary {
  PayloadType: string;
  PayloadUUID: string;
}

const standard = [
  'com.apple.security.root',
  'com.apple.system-extension-policy',
  'com.gatehouse.agent.proxymonitor',
];
const silencing = [
  'com.apple.webcontent-filter',
  'com.apple.vpn.managed',
  'com.apple.servicemanagement',
  'com.apple.TCC.configuration-profile-policy',
  'com.apple.notificationsettings',
];
const codingAgents = ['com.anthropic.claudecode', 'com.openai.codex'];
const PATH = '/api/svc/v1/endpoint/mdm-profile/';

describe.each(databases)('the profile on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const get = (query: Record<string, unknown> = {}): Promise<string> =>
    service.byKey.deployment.getMdmProfile({ query });
  const payloadsOf = (xml: string): Payload[] =>
    (parse(xml) as unknown as { PayloadContent: Payload[] }).PayloadContent;
  const configOf = (xml: string) =>
    payloadsOf(xml).find(({ PayloadType }) => PayloadType === 'com.gatehouse.agent.proxymonitor');
  const countKeys = async (): Promise<number> =>
    (await service.byOwner.identity.listApiKeys()).results.length;

  test('has three payloads, and five more with `payloads=full`', async () => {
    const types = (xml: string) => payloadsOf(xml).map(({ PayloadType }) => PayloadType);
    expect(types(await get())).toEqual(standard);
    expect(types(await get({ payloads: 'full' }))).toEqual([...standard, ...silencing]);
  });

  test('has one payload more for each coding agent with managed preferences, at the level', async () => {
    const xml = await get({ payloads: 'full', coding_agents: 'prompts' });
    const payloads = payloadsOf(xml);
    const types = payloads.map(({ PayloadType }) => PayloadType);
    expect(types).toEqual([...standard, ...silencing, ...codingAgents]);
    expect(payloads.at(-2)).toMatchObject({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9878/gatehouse-agent',
        OTEL_LOG_USER_PROMPTS: '1',
        OTEL_LOG_TOOL_DETAILS: '0',
      },
    });
    const { byOwner } = service;
    const body = { coding_agents: 'prompts' as const, payloads: 'full' as const };
    const same = payloadsOf(await byOwner.deployment.createMdmProfile({ body }));
    expect(same.slice(-2)).toEqual(payloads.slice(-2));
    const none = await byOwner.deployment.createMdmProfile({ body: { coding_agents: null } });
    expect(payloadsOf(none).map(({ PayloadType }) => PayloadType)).toEqual(standard);
  });

  test('has hooks of coding agents, with and without telemetry', async () => {
    const hooks = { PreToolUse: [{ matcher: '*' }] };
    const [claudeCode, codex] = payloadsOf(await get({ tool_checks: 'closed' })).slice(-2);
    expect(claudeCode).toMatchObject({ PayloadType: codingAgents[0], hooks });
    expect(claudeCode).not.toHaveProperty('env');
    expect(codex).toHaveProperty('requirements_toml_base64');
    expect(codex).not.toHaveProperty('config_toml_base64');
    const body = { coding_agents: 'prompts' as const, tool_checks: 'open' as const };
    const both = payloadsOf(await service.byOwner.deployment.createMdmProfile({ body }));
    expect(both.at(-2)).toMatchObject({ env: { OTEL_LOG_USER_PROMPTS: '1' }, hooks });
    expect(both.at(-1)).toMatchObject({
      config_toml_base64: expect.any(String) as string,
      requirements_toml_base64: expect.any(String) as string,
    });
  });

  test("conforms to Apple's schema and to the requirements of device management", async () => {
    const agents = { coding_agents: 'tools', tool_checks: 'closed' };
    const full = { payloads: 'full', hosts: 'claude.ai', ...agents };
    for (const query of [{}, full]) {
      const xml = await get(query);
      const profile = parse(xml) as Dictionary;
      expect([...checkAgainstSchema(profile), ...checkForUpload(profile, xml)]).toEqual([]);
    }
  });

  test('has a new key each time and the same identifiers', async () => {
    const [one, other] = [await get(), await get({ hosts: 'claude.ai', payloads: 'full' })];
    const uuids = (xml: string) => payloadsOf(xml).map(({ PayloadUUID }) => PayloadUUID);
    expect(uuids(other).slice(0, 3)).toEqual(uuids(one));
    expect(configOf(other)?.['api_key']).not.toBe(configOf(one)?.['api_key']);
  });

  test('is created for a signed-in administrator, but only from the console', async () => {
    const xml = await service.byOwner.deployment.createMdmProfile({
      body: { hosts: ['Claude.AI'], payloads: 'full' },
    });
    expect(configOf(xml)).toMatchObject({ intercept_hosts: ['claude.ai'] });
    const login = await fetch(`${service.urls.public}/api/v1/auth/login/`, {
      method: 'POST',
      body: JSON.stringify(OWNER),
    });
    const Cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const elsewhere: Record<string, string>[] = [
      { Cookie },
      { Cookie, Origin: 'https://evil.example' },
    ];
    for (const headers of elsewhere)
      await expect(
        service.by(headers).deployment.createMdmProfile({ body: {} }),
      ).rejects.toMatchObject({ status: 403 });
  });

  test('accepts hosts in any case and order, each once', async () => {
    expect(configOf(await get({ hosts: 'Claude.AI, api.openai.com,claude.ai.' }))).toMatchObject({
      capture_enabled: true,
      intercept_hosts: ['api.openai.com', 'claude.ai'],
    });
  });

  test('treats empty hosts as none', async () => {
    expect(configOf(await get({ hosts: '' }))).toMatchObject({
      capture_enabled: false,
      intercept_hosts: [],
    });
    const response = await fetch(`${service.urls.public}${PATH}?hosts`, {
      headers: { 'X-Svc-Key': API_KEY },
    });
    expect(configOf(await response.text())).toMatchObject({ capture_enabled: false });
  });

  test('is a download: not cached, with a file name and its own type', async () => {
    const response = await fetch(`${service.urls.public}${PATH}`, {
      headers: { 'X-Svc-Key': API_KEY },
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/x-apple-aspen-config',
      'content-disposition': 'attachment; filename="Gatehouse.mobileconfig"',
      'cache-control': 'no-store',
    });
  });

  test('rejects HEAD and creates no key for it', async () => {
    const keys = await countKeys();
    const response = await fetch(`${service.urls.public}${PATH}`, {
      method: 'HEAD',
      headers: { 'X-Svc-Key': API_KEY },
    });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
    expect(await countKeys()).toBe(keys);
  });

  test('rejects a repeated parameter and names it', async () => {
    const twice = 'toString=a&toString=b&hosts=a&hosts=b';
    const response = await fetch(`${service.urls.public}${PATH}?${twice}`, {
      headers: { 'X-Svc-Key': API_KEY },
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        error: {
          code: 'validation_error',
          message: 'hosts: expected once, found 2 times',
          details: { reason: 'validation_error' },
        },
      },
    ]);
  });

  test.each<[string, Record<string, unknown>, string, string[] | undefined]>([
    [
      'hosts outside the catalog',
      { hosts: 'claude.ai,x.example,y.example' },
      'hosts: not in the catalog of AI hosts: "x.example", "y.example"',
      ['x.example', 'y.example'],
    ],
    [
      'hosts that are never captured',
      { hosts: 'mail.google.com,x.example' },
      'hosts: banking, health and mail hosts are never captured: "mail.google.com"; ' +
        'not in the catalog of AI hosts: "x.example"',
      ['mail.google.com', 'x.example'],
    ],
    ['only commas', { hosts: ' ,,' }, 'hosts: expected comma-separated host names, found none', []],
    [
      'other payloads',
      { payloads: 'silent' },
      'payloads: expected "full", or no value for the three default payloads',
      undefined,
    ],
    [
      'another level for coding agents',
      { coding_agents: 'off' },
      'coding_agents: expected metadata, prompts, tools, or no value for no payloads for coding agents',
      undefined,
    ],
    [
      'another answer of hooks',
      { tool_checks: 'off' },
      'tool_checks: expected open, closed, or no value for no hooks of coding agents',
      undefined,
    ],
  ])('rejects %s and creates no key', async (_, query, message, hosts) => {
    const keys = await countKeys();
    const search = new URLSearchParams(query as Record<string, string>).toString();
    const response = await fetch(`${service.urls.public}${PATH}?${search}`, {
      headers: { 'X-Svc-Key': API_KEY },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: {
        code: 'validation_error',
        message,
        details: { reason: 'validation_error', ...(hosts && { hosts }) },
      },
    });
    expect(await countKeys()).toBe(keys);
  });

  test('contains both roots while they are valid, and keeps the position of the old one', async () => {
    const [old, ...others] = payloadsOf(await get());
    const next = await service.byOwner.authorities.rotateAuthority({ body: {} });
    const [same, added, ...kept] = payloadsOf(await get());
    expect(same).toEqual(old);
    expect(kept.map(({ PayloadUUID }) => PayloadUUID)).toEqual(
      others.map(({ PayloadUUID }) => PayloadUUID),
    );
    const der = (added as unknown as { PayloadContent: Uint8Array }).PayloadContent;
    expect(new X509Certificate(der).fingerprint256).toBe(next.fingerprint);
  });

  test('adds its choices, but not the key, to the audit log', async () => {
    const chosen = { payloads: 'full', coding_agents: 'tools', tool_checks: 'closed' };
    const xml = await get({ hosts: 'claude.ai', ...chosen });
    const { entries } = await service.byKey.audit.listAuditEntries({ query: { limit: 1 } });
    expect(entries[0]).toMatchObject({
      action: 'api_key.create',
      metadata: { profile_hosts: ['claude.ai'], ...chosen },
    });
    expect(JSON.stringify(entries)).not.toContain(configOf(xml)?.['api_key']);
  });
});

describe.each(databases)('the requester of a profile on %s', (kind) => {
  let service: TestControlPlane;
  beforeAll(async () => {
    service = await startTestControlPlane(kind);
  });
  afterAll(() => service.stop());

  const keyOf = async (...permissions: Permission[]) => {
    const body = { name: permissions.join(), permissions };
    const { key } = await service.byOwner.identity.createApiKey({ body });
    return service.by({ 'X-Svc-Key': key });
  };
  const keys = async () => (await service.byOwner.identity.listApiKeys()).results;
  const expectNoKeyBy = async (by: TestClient, refusal: object) => {
    const ids = async () => (await keys()).map(({ id }) => id);
    const before = await ids();
    const response = by.deployment.getMdmProfile({ query: { hosts: 'claude.ai' } });
    await expect(response).rejects.toMatchObject(refusal);
    expect(await ids()).toEqual(before);
  };

  test('must have the permission to enroll, because the key in it allows that', async () => {
    await expectNoKeyBy(await keyOf('admin', 'record'), {
      status: 403,
      code: 'forbidden',
      message: 'you do not have these permissions yourself: enroll',
    });
    await (await keyOf('admin', 'enroll')).deployment.getMdmProfile({ query: {} });
  });

  test('cannot be a sub-user, whose token gives no access', async () => {
    const body = { sub_user_id: 'ada', permissions: ['admin' as const, 'enroll' as const] };
    const { token } = await service.byKey.subUsers.issueSubUserToken({ body });
    await expectNoKeyBy(service.by({ 'X-Svc-Key': token }), {
      status: 403,
      message: 'a sub-user token cannot grant access: use an API key or a user account',
    });
  });

  test('gets a key that expires with the key of the request', async () => {
    const ends = new Date(Date.now() + 3_600_000).toISOString();
    const body = { name: 'ends', permissions: ['admin' as const, 'enroll' as const] };
    const { key } = await service.byOwner.identity.createApiKey({
      body: { ...body, expires_at: ends },
    });
    await service.by({ 'X-Svc-Key': key }).deployment.getMdmProfile({ query: {} });
    await service.byKey.deployment.getMdmProfile({ query: {} });
    const [lasting, ending] = (await keys()).filter(({ name }) => name.startsWith('Profile of'));
    expect([lasting?.expires_at, ending?.expires_at]).toEqual([null, ends]);
    const { entries } = await service.byKey.audit.listAuditEntries({
      query: { action: 'api_key.create' },
    });
    const entry = entries.find(({ resource_id }) => resource_id === ending?.id);
    expect(entry?.metadata).toMatchObject({ after: { expires_at: ends } });
  });

  test('must belong to the tenant whose root the listener uses, if there is only one address', async () => {
    const body = { name: 'Below' };
    const { api_key } = await service.byKey.subTenants.createSubTenant({ body });
    const by = service.by({ 'X-Svc-Key': api_key });
    const response = by.deployment.getMdmProfile({ query: {} });
    await expect(response).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
      message:
        `devices of this tenant cannot connect to ${service.urls.device}, which presents a certificate of another ` +
        'tenant\'s root: the operator of Gatehouse has to set DEVICE_URL with "*" for the tenant, as in ' +
        'https://*.devices.example.com:8443',
    });
    const { results } = await by.identity.listApiKeys();
    expect(results.filter(({ name }) => name.startsWith('Profile of'))).toEqual([]);
  });
});

test('without an Apple team there is no profile, and no key is created', async () => {
  const service = await startTestControlPlane('sqlite', { APPLE_TEAM_ID: '' });
  const keys = await service.byKey.identity.listApiKeys();
  await expect(service.byKey.deployment.getMdmProfile({ query: {} })).rejects.toMatchObject({
    status: 409,
    message: expect.stringMatching(
      /^APPLE_TEAM_ID is not set, .* the Apple team that signs the app$/,
    ),
  });
  expect(await service.byKey.identity.listApiKeys()).toEqual(keys);
  await service.stop();
});

test('an app name that device management would substitute is rejected with an explanation', async () => {
  const service = await startTestControlPlane('sqlite', {
    APP_NAME: 'a $NAME',
    LOG_LEVEL: 'silent',
  });
  const answer = service.byKey.deployment.getMdmProfile({ query: {} });
  await expect(answer).rejects.toMatchObject({
    status: 500,
    message: 'profile: app name: has "$" before a name, which device management would substitute',
  });
  await service.stop();
});
