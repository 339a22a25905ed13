import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRoot, issueServerCertificate } from '#pki/authority.ts';
import { buildProfile, ProfileError, type ProfileInput } from './profile.ts';

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
    apiUrl: 'https://gatehouse.example',
    apiKey: 'svc_sk_verysecret',
    rootCertificates: [root.certificatePem],
    hosts: [],
    appName: 'Gatehouse',
    bundleId: 'com.gatehouse.agent',
    teamId: 'GATEHOUSE1',
  };
});

const toJson = `
import json, plistlib, sys
print(json.dumps(plistlib.loads(sys.stdin.buffer.read(), fmt=plistlib.FMT_XML),
                 default=lambda data: "data:" + data.hex()))`;

/** The profile as Python reads it; data as `data:<hex>`. */
const readWithPython = (xml: string): Record<string, unknown> =>
  JSON.parse(execFileSync('python3', ['-c', toJson], { input: xml, encoding: 'utf8' }));

const uuidOf = (payload: string): string =>
  execFileSync(
    'python3',
    [
      '-c',
      'import sys, uuid; print(str(uuid.uuid5(uuid.NAMESPACE_URL, sys.argv[1])).upper())',
    ].concat(`https://gatehouse.example com.gatehouse.agent ${payload}`),
    { encoding: 'utf8' },
  ).trim();

const printOf = (pem: string): string =>
  new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();

function rootPayload(pem: string): object {
  const print = printOf(pem);
  return {
    PayloadType: 'com.apple.security.root',
    PayloadVersion: 1,
    PayloadIdentifier: `com.gatehouse.agent.profile.root.${print}`,
    PayloadUUID: uuidOf(`root.${print}`),
    PayloadDisplayName: 'Gatehouse root certificate',
    PayloadDescription: 'Trusts certificates of the Gatehouse authority of your organization.',
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
});

const managedConfig = () => ({
  PayloadType: 'com.gatehouse.agent.proxymonitor',
  PayloadVersion: 1,
  PayloadIdentifier: 'com.gatehouse.agent.profile.managed-config',
  PayloadUUID: uuidOf('managed-config'),
  PayloadDisplayName: 'Gatehouse configuration',
  PayloadDescription: 'Tells Gatehouse where its service is.',
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
  PayloadDescription: 'Enrolls this computer in Gatehouse, the AI governance of your organization.',
  PayloadScope: 'System',
  PayloadContent: payloads,
});

function attempt(build: () => string): unknown {
  try {
    return build();
  } catch (error) {
    return error;
  }
}

describe('buildProfile', () => {
  it('has exactly the three payloads, with capture off', () => {
    expect(readWithPython(buildProfile(input))).toEqual(
      profile(rootPayload(roots[0] ?? ''), systemExtensions(), managedConfig()),
    );
  });

  it('is XML from its first byte, and the same bytes for the same input', () => {
    const xml = buildProfile(input);
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>/);
    expect(buildProfile(structuredClone(input))).toBe(xml);
  });

  it('switches capture on for hosts, and names processes', () => {
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

  it('trusts two roots with a payload each, and one given twice with one', () => {
    const rootCertificates = [...roots, ...roots];
    expect(readWithPython(buildProfile({ ...input, rootCertificates }))).toEqual(
      profile(...roots.map(rootPayload), systemExtensions(), managedConfig()),
    );
  });

  it('names the organization in the profile and in each payload', () => {
    const organization = 'Müller & Söhne <AG>';
    const read = readWithPython(buildProfile({ ...input, organization }));
    const payloads = read['PayloadContent'] as Record<string, unknown>[];
    expect([read, ...payloads].map((it) => it['PayloadOrganization'])).toEqual(
      Array(4).fill(organization),
    );
  });

  it('has other identities for another service, and for another product', () => {
    const uuids = (changed: Partial<ProfileInput>) => {
      const xml = buildProfile({ ...input, ...changed });
      return xml.match(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/g) ?? [];
    };
    const all = [
      ...uuids({}),
      ...uuids({ apiUrl: 'https://other.example' }),
      ...uuids({ bundleId: 'com.other.agent' }),
    ];
    expect(new Set(all).size).toBe(12);
    expect(uuids({ apiKey: 'svc_sk_other', hosts: ['claude.ai'] })).toEqual(uuids({}));
  });

  const replaced = 'which device management would replace';
  it.each<[string, Partial<ProfileInput> | (() => Partial<ProfileInput>), string]>([
    [
      'a host outside the catalog',
      { hosts: ['claude.ai', 'intranet.example', '*.openai.azure.com'] },
      'not a host of the AI-host catalog: "intranet.example", "*.openai.azure.com"',
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
      'root certificate 1: expected a CA certificate, found that of "CN=x.example"',
    ],
    [
      'no URL',
      { apiUrl: 'gatehouse.example' },
      'API URL: expected an http or https URL without user and password',
    ],
    [
      'a URL with a password',
      { apiUrl: 'https://a:b@gatehouse.example' },
      'API URL: expected an http or https URL without user and password',
    ],
    ['an empty key', { apiKey: '' }, 'API key: is empty'],
    [
      'a key with a line end',
      { apiKey: 'a\nb' },
      'API key: has a character that XML does not have',
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
  ])('refuses %s', (_, changed, message) => {
    const change = typeof changed === 'function' ? changed() : changed;
    expect(() => buildProfile({ ...input, ...change })).toThrow(new ProfileError(message));
  });

  it('delivers any text as it is, or refuses it without telling it', () => {
    const delivered = (apiKey: string): unknown => {
      const result = attempt(() => buildProfile({ ...input, apiKey }));
      if (typeof result === 'string') {
        return (readWithPython(result)['PayloadContent'] as Record<string, unknown>[])[2]?.[
          'api_key'
        ];
      }
      const silent = result instanceof ProfileError && !result.message.includes(apiKey);
      return silent ? apiKey : result;
    };
    const text = fc.string({ unit: 'binary', minLength: 12 });
    const texts = fc.oneof(text, fc.constantFrom('<&>"\' €', '$5 for ten', 'a } b', 'a$'));
    fc.assert(
      fc.property(texts, (apiKey) => {
        expect(delivered(apiKey)).toEqual(apiKey);
      }),
      { numRuns: 15 },
    );
  });
});
