import { X509Certificate } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRoot, issueServerCertificate } from '#pki/authority.ts';
import { buildProfile, ProfileError, type ProfileInput } from './profile.ts';
import { pythonsUuid, readAllWithPython, readWithPython } from './testing/python.ts';

const now = Date.UTC(2026, 10, 21);

let roots: string[];
let leaf: string;
let input: ProfileInput;
beforeAll(async () => {
  const root = await createRoot({ name: 'Example root', now });
  const next = await createRoot({ name: 'Example root, next', now });
  roots = [root.certificatePem, next.certificatePem];
  leaf = (await issueServerCertificate(root, { names: ['x.example'], now })).certificatePem;
  input = {
    now,
    apiUrl: 'https://gatehouse.example',
    apiKey: 'svc_sk_verysecret',
    rootCertificates: [root.certificatePem],
    hosts: [],
    appName: 'Gatehouse',
    bundleId: 'com.gatehouse.agent',
    teamId: 'GATEHOUSE1',
  };
});

const uuidOf = (payload: string): string =>
  pythonsUuid(`https://gatehouse.example com.gatehouse.agent ${payload}`);

const printOf = (pem: string): string =>
  new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();

function rootPayload(pem: string, position = 0): object {
  const print = printOf(pem);
  const name = position === 0 ? 'root' : `root-${position + 1}`;
  return {
    PayloadType: 'com.apple.security.root',
    PayloadVersion: 1,
    PayloadIdentifier: `com.gatehouse.agent.profile.${name}`,
    PayloadUUID: uuidOf(name),
    PayloadDisplayName: `Gatehouse root certificate${position === 0 ? '' : ` ${position + 1}`}`,
    PayloadDescription: "Trusts certificates of your organization's Gatehouse authority.",
    PayloadCertificateFileName: `${print.slice(0, 16)}.cer`,
    PayloadContent: `data:${new X509Certificate(pem).raw.toString('hex')}`,
  };
}

const systemExtensions = () => ({
  PayloadType: 'com.apple.system-extension-policy',
  PayloadVersion: 1,
  PayloadIdentifier: 'com.gatehouse.agent.profile.system-extensions',
  PayloadUUID: uuidOf('system-extensions'),
  PayloadDisplayName: 'Gatehouse system extensions',
  PayloadDescription: 'Lets the network extensions of Gatehouse load.',
  AllowUserOverrides: true,
  AllowedSystemExtensions: {
    GATEHOUSE1: ['com.gatehouse.agent.proxymonitor', 'com.gatehouse.agent.flowmonitor'],
  },
  AllowedSystemExtensionTypes: { GATEHOUSE1: ['NetworkExtension'] },
  NonRemovableFromUISystemExtensions: {
    GATEHOUSE1: ['com.gatehouse.agent.proxymonitor', 'com.gatehouse.agent.flowmonitor'],
  },
});

const managedConfig = () => ({
  PayloadType: 'com.gatehouse.agent.proxymonitor',
  PayloadVersion: 1,
  PayloadIdentifier: 'com.gatehouse.agent.profile.managed-config',
  PayloadUUID: uuidOf('managed-config'),
  PayloadDisplayName: 'Gatehouse configuration',
  PayloadDescription: 'Configures the service address of Gatehouse.',
  api_url: 'https://gatehouse.example',
  api_key: 'svc_sk_verysecret',
  capture_enabled: false,
  intercept_hosts: [],
  intercept_processes: [],
});

const profile = (...payloads: object[]) => ({
  PayloadType: 'Configuration',
  PayloadVersion: 1,
  PayloadIdentifier: 'com.gatehouse.agent.profile',
  PayloadUUID: uuidOf(''),
  PayloadDisplayName: 'Gatehouse',
  PayloadDescription: "Enrolls this computer in Gatehouse, your organization's AI governance.",
  PayloadScope: 'System',
  PayloadContent: payloads,
});

type Payload = Record<string, unknown>;

function attempt(build: () => string): unknown {
  try {
    return build();
  } catch (error) {
    return error;
  }
}

describe('buildProfile', () => {
  test('has exactly the three payloads, with capture off', { tags: ['python3'] }, () => {
    expect(readWithPython(buildProfile(input))).toEqual(
      profile(rootPayload(roots[0] ?? ''), systemExtensions(), managedConfig()),
    );
  });

  test('is XML from its first byte, and deterministic', () => {
    const xml = buildProfile(input);
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>/);
    expect(buildProfile(structuredClone(input))).toBe(xml);
  });

  test('enables capture for hosts, and lists processes', { tags: ['python3'] }, () => {
    const hosts = ['claude.ai', 'API.OpenAI.com', 'claude.ai'];
    expect(readWithPython(buildProfile({ ...input, hosts, processes: ['codex'] }))).toEqual(
      profile(rootPayload(roots[0] ?? ''), systemExtensions(), {
        ...managedConfig(),
        capture_enabled: true,
        intercept_hosts: ['api.openai.com', 'claude.ai'],
        intercept_processes: ['codex'],
      }),
    );
  });

  test(
    'trusts two roots with a payload each, and a duplicate with one',
    { tags: ['python3'] },
    () => {
      const rootCertificates = [...roots, ...roots];
      expect(readWithPython(buildProfile({ ...input, rootCertificates }))).toEqual(
        profile(...roots.map((pem, i) => rootPayload(pem, i)), systemExtensions(), managedConfig()),
      );
    },
  );

  test('names the organization in the profile and in each payload', { tags: ['python3'] }, () => {
    const organization = 'Müller & Söhne <AG>';
    const read = readWithPython(buildProfile({ ...input, organization }));
    const payloads = read['PayloadContent'] as Payload[];
    expect([read, ...payloads].map((it) => it['PayloadOrganization'])).toEqual(
      Array(4).fill(organization),
    );
  });

  const identitiesOf = (changed: Partial<ProfileInput>): string[] => {
    const read = readWithPython(buildProfile({ ...input, ...changed }));
    const payloads = read['PayloadContent'] as Payload[];
    return [read, ...payloads].map(
      (it) => `${String(it['PayloadIdentifier'])} ${String(it['PayloadUUID'])}`,
    );
  };

  test(
    'has different identities for another service and for another product',
    { tags: ['python3'] },
    () => {
      const all = [
        ...identitiesOf({}),
        ...identitiesOf({ apiUrl: 'https://other.example' }),
        ...identitiesOf({ bundleId: 'com.other.agent' }),
      ];
      expect(new Set(all.map((both) => both.split(' ')[1])).size).toBe(12);
    },
  );

  test.each<[string, () => Partial<ProfileInput>]>([
    ['key', () => ({ apiKey: 'svc_sk_other' })],
    ['host list', () => ({ hosts: ['claude.ai'] })],
    ['root', () => ({ rootCertificates: roots.slice(1) })],
    ['spelling of the address', () => ({ apiUrl: 'https://Gatehouse.example:443/' })],
    ['organization', () => ({ organization: 'Example' })],
  ])('keeps its identities if the %s changes', { tags: ['python3'] }, (_, changed) => {
    expect(identitiesOf(changed())).toEqual(identitiesOf({}));
  });

  test(
    'adds identities for a second root and for more payloads, and keeps the others',
    { tags: ['python3'] },
    () => {
      const [profileOf, root, ...remaining] = identitiesOf({});
      const both = identitiesOf({ rootCertificates: roots, payloads: 'full' });
      expect(both.slice(0, 2)).toEqual([profileOf, root]);
      expect(both.slice(3, 5)).toEqual(remaining);
      expect(new Set(both).size).toBe(10);
    },
  );

  test('orders its roots by time, not by the input order', { tags: ['python3'] }, async () => {
    const old = await createRoot({ name: 'Old root', now: now - 1000 });
    const pems = [...roots, old.certificatePem];
    for (const rootCertificates of [pems, pems.toReversed()]) {
      const read = readWithPython(buildProfile({ ...input, rootCertificates }));
      const [first] = read['PayloadContent'] as object[];
      expect(first).toEqual(rootPayload(old.certificatePem));
    }
  });

  const replaced = 'which device management would substitute';
  const serviceUrl =
    'API URL: expected an https URL without user, password, query, fragment or blanks';
  test.each<[string, Partial<ProfileInput> | (() => Partial<ProfileInput>), string]>([
    [
      'a host outside the catalog',
      { hosts: ['claude.ai', 'intranet.example', '*.openai.azure.com'] },
      'not in the catalog of AI hosts: "intranet.example", "*.openai.azure.com"',
    ],
    [
      'a mail host',
      { hosts: ['mail.google.com'] },
      'banking, health and mail hosts are never captured: "mail.google.com"',
    ],
    ['no root', { rootCertificates: [] }, 'expected at least one root certificate, found none'],
    [
      'an unreadable root',
      () => ({ rootCertificates: [...roots, 'x'] }),
      'root certificate 3: expected a certificate as PEM, found something else',
    ],
    [
      'a root that is no authority',
      () => ({ rootCertificates: [leaf] }),
      'root certificate 1: expected a CA certificate, found "CN=x.example"',
    ],
    ['no URL', { apiUrl: 'gatehouse.example' }, serviceUrl],
    ['no TLS', { apiUrl: 'http://localhost:8443' }, serviceUrl],
    ['a URL with a user', { apiUrl: 'https://a@gatehouse.example' }, serviceUrl],
    ['a URL with a password', { apiUrl: 'https://:b@gatehouse.example' }, serviceUrl],
    ['a URL with a query', { apiUrl: 'https://gatehouse.example/?a=b' }, serviceUrl],
    ['a URL with a fragment', { apiUrl: 'https://gatehouse.example/#b' }, serviceUrl],
    ['a URL between blanks', { apiUrl: ' https://gatehouse.example' }, serviceUrl],
    [
      'hosts of both kinds that are wrong, each once',
      { hosts: ['mail.google.com', 'x.example', 'x.example'] },
      'banking, health and mail hosts are never captured: "mail.google.com"; ' +
        'not in the catalog of AI hosts: "x.example"',
    ],
    [
      'a root that has expired',
      { now: Date.UTC(2037, 0, 1) },
      'root certificate 1: "CN=Example root" expired on 2036-11-18T00:00:00.000Z',
    ],
    [
      'a root that is not valid yet',
      { now: Date.UTC(2026, 10, 20) },
      'root certificate 1: "CN=Example root" is not valid before 2026-11-20T23:00:00.000Z',
    ],
    [
      'a name of Mosyle',
      { organization: '%Name%' },
      `organization: has a name between "%", ${replaced}`,
    ],
    ['an empty key', { apiKey: '' }, 'API key: is empty'],
    [
      'a key with a line end',
      { apiKey: 'a\nb' },
      'API key: has a character that XML cannot represent',
    ],
    ['a variable', { apiKey: 'a$NAME' }, `API key: has "$" before a name, ${replaced}`],
    ['a variable in braces', { appName: 'x${y}' }, `app name: has "$" before a name, ${replaced}`],
    ['a token', { organization: '{{org}}' }, `organization: has "{{" or "}}", ${replaced}`],
    ['a token in a process', { processes: ['a', '{{b'] }, `process: has "{{" or "}}", ${replaced}`],
    [
      'a bundle id with a blank',
      { bundleId: 'com.gate house' },
      'bundle id: expected letters, digits, "-" and at least one ".", found "com.gate house"',
    ],
    ['a short team id', { teamId: 'ABC' }, 'team id: expected ten of A-Z and 0-9, found "ABC"'],
  ])('rejects %s', (_, changed, message) => {
    const change = typeof changed === 'function' ? changed() : changed;
    expect(() => buildProfile({ ...input, ...change })).toThrow(new ProfileError(message));
  });

  test(
    'delivers any text unchanged, or rejects it without revealing it',
    { tags: ['python3'] },
    () => {
      const text = fc.string({ unit: 'binary', minLength: 12 });
      const texts = fc.oneof(text, fc.constantFrom('<&>"\' €', '$5 for ten', 'a } b', 'a$'));
      const many = fc.array(texts, { minLength: 40, maxLength: 40 });
      fc.assert(
        fc.property(many, (apiKeys) => {
          const built = apiKeys.flatMap((apiKey) => {
            const result = attempt(() => buildProfile({ ...input, apiKey }));
            if (typeof result === 'string') return [{ apiKey, xml: result }];
            expect(result).toBeInstanceOf(ProfileError);
            expect((result as Error).message).not.toContain(apiKey);
            return [];
          });
          const read = readAllWithPython(built.map(({ xml }) => xml));
          const delivered = read.map((it) => (it['PayloadContent'] as Payload[])[2]?.['api_key']);
          expect(delivered).toEqual(built.map(({ apiKey }) => apiKey));
        }),
        { numRuns: 1 },
      );
    },
  );
});
