import { X509Certificate } from 'node:crypto';
import { parse } from 'plist';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkAgainstSchema } from '#profile-builder/apple-schema/check.ts';
import type { Dictionary } from '#profile-builder/apple-schema/rule.ts';
import { checkForUpload } from '#profile-builder/upload-rules.ts';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
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
const path = '/api/svc/v1/endpoint/mdm-profile/';

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

  test('has the three payloads, and with `payloads=full` five more', async () => {
    const types = (xml: string) => payloadsOf(xml).map(({ PayloadType }) => PayloadType);
    expect(types(await get())).toEqual(standard);
    expect(types(await get({ payloads: 'full' }))).toEqual([...standard, ...silencing]);
  });

  test("passes Apple's schema and what device management wants", async () => {
    for (const query of [{}, { payloads: 'full', hosts: 'claude.ai' }]) {
      const xml = await get(query);
      const profile = parse(xml) as Dictionary;
      expect([...checkAgainstSchema(profile), ...checkForUpload(profile, xml)]).toEqual([]);
    }
  });

  test('has another key each time, under the same identities', async () => {
    const [one, other] = [await get(), await get({ hosts: 'claude.ai', payloads: 'full' })];
    const uuids = (xml: string) => payloadsOf(xml).map(({ PayloadUUID }) => PayloadUUID);
    expect(uuids(other).slice(0, 3)).toEqual(uuids(one));
    expect(configOf(other)?.['api_key']).not.toBe(configOf(one)?.['api_key']);
  });

  test('takes hosts in any case and order, each once', async () => {
    expect(configOf(await get({ hosts: 'Claude.AI, api.openai.com,claude.ai.' }))).toMatchObject({
      capture_enabled: true,
      intercept_hosts: ['api.openai.com', 'claude.ai'],
    });
  });

  test('is a file to keep: not cached, named, of its own type', async () => {
    const response = await fetch(`${service.urls.public}${path}`, {
      headers: { 'X-Svc-Key': API_KEY },
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/x-apple-aspen-config',
      'content-disposition': 'attachment; filename="Gatehouse.mobileconfig"',
      'cache-control': 'no-store',
    });
  });

  test.each<[string, Record<string, unknown>, string, string[] | undefined]>([
    [
      'hosts outside the catalog',
      { hosts: 'claude.ai,x.example,y.example' },
      'hosts: not a host of the AI-host catalog: "x.example", "y.example"',
      ['x.example', 'y.example'],
    ],
    [
      'hosts that are never captured',
      { hosts: 'mail.google.com,x.example' },
      'hosts: banking, health and mail hosts are never captured: "mail.google.com"; ' +
        'not a host of the AI-host catalog: "x.example"',
      ['mail.google.com', 'x.example'],
    ],
    [
      'no host',
      { hosts: '' },
      'hosts: expected host names with commas between them, found none',
      [],
    ],
    [
      'only commas',
      { hosts: ' ,,' },
      'hosts: expected host names with commas between them, found none',
      [],
    ],
    [
      'other payloads',
      { payloads: 'silent' },
      'payloads: expected "full", or nothing for the three payloads',
      undefined,
    ],
  ])('refuses %s, and makes no key', async (_, query, message, hosts) => {
    const keys = await countKeys();
    const search = new URLSearchParams(query as Record<string, string>).toString();
    const response = await fetch(`${service.urls.public}${path}?${search}`, {
      headers: { 'X-Svc-Key': API_KEY },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { code: 'validation_error', message, details: hosts ? { hosts } : {} },
    });
    expect(await countKeys()).toBe(keys);
  });

  test('carries both roots while they live, the old one where it was', async () => {
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

  test('tells the audit log which payloads and hosts, and not the key', async () => {
    const xml = await get({ hosts: 'claude.ai', payloads: 'full' });
    const { entries } = await service.byKey.audit.listAuditEntries({ query: { limit: 1 } });
    expect(entries[0]).toMatchObject({
      action: 'api_key.create',
      metadata: { profile_hosts: ['claude.ai'], payloads: 'full' },
    });
    expect(JSON.stringify(entries)).not.toContain(configOf(xml)?.['api_key']);
  });
});

test('a name that device management would replace is told, and stays in the log', async () => {
  const service = await startTestControlPlane('sqlite', {
    APP_NAME: 'a $NAME',
    LOG_LEVEL: 'silent',
  });
  const answer = service.byKey.deployment.getMdmProfile({ query: {} });
  await expect(answer).rejects.toMatchObject({
    status: 500,
    message: 'profile: app name: has "$" before a name, which device management would replace',
  });
  await service.stop();
});
