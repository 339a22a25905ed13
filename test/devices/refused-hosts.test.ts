import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeDroppedHosts, narrowConfig } from '#agent/core/narrow-config.ts';
import { checkIssued } from '#agent/node/identity/issued-certificates.ts';
import type { DeviceConfig, Enrollment } from '#contract/device-protocol.ts';
import {
  type CertificateAndKey,
  createRoot,
  issueIdentity,
  issueIntermediate,
} from '#pki/authority.ts';
import { createCsr, readCsr } from '#pki/csr.ts';
import { signCertificate } from '#pki/sign-certificate.ts';
import { generateKeyPair, type KeyPair } from '#pki/keys.ts';
import { constrainNames } from '#pki/name-constraints.ts';
import { root as projectRoot } from '../support/processes.ts';
import { startTwoTenants, type TwoTenants } from '../support/two-tenants.ts';

/**
 * Hosts that may never be captured, in any spelling: banks, health, mail, and attempts to disguise
 * them.
 */
const hosts = [
  'www.bankofamerica.com',
  'CHASE.com.',
  'online.chase.com',
  'kunde.sparkasse-musterstadt.de',
  'mychart.example.org',
  'patient-portal.nhs.uk',
  'mail.google.com',
  'Outlook.Office.com',
  'smtp.example.com',
  // In the label that a pattern of the catalog leaves open.
  'mail.openai.azure.com',
  'mybank.openai.azure.com',
  'xn--bnk-8cd.openai.azure.com',
  // Patterns, parents and subdomains of catalog hosts.
  '*.openai.azure.com',
  'openai.azure.com',
  'a.b.openai.azure.com',
  'mail.claude.ai',
  'claude.ai.chase.com',
  '*',
  '*.com',
  // Letters that only look like those of `api.openai.com`, raw and encoded, and full-width letters.
  '\u0430pi.openai.com',
  'xn--pi-6kc.openai.com',
  'ｍａｉｌ.google.com',
  'mail\u3002google\u3002com',
  // Texts that are not host names.
  'https://claude.ai',
  'claude.ai:443',
  'claude.ai/mail.google.com',
  'claude.ai@mail.google.com',
  '10.0.0.1',
] as const;

const config = (intercept_hosts: string[]): DeviceConfig => ({
  version: 1,
  capture_enabled: true,
  intercept_hosts,
  intercept_processes: [],
  blocked_hosts: [],
  blocked_processes: [],
  enforce_policies: false,
  pause_minutes: 0,
  coding_agents: 'off',
  tool_checks: 'off',
});

/** Returns the error message of the request, or `taken` if it was accepted. */
const refusal = (issued: Promise<unknown>): Promise<string> =>
  issued.then(
    () => 'taken',
    ({ message }: Error) => message,
  );

let tenants: TwoTenants;
let root: CertificateAndKey;
let keys: KeyPair;
let folder: string;
beforeAll(async () => {
  tenants = await startTwoTenants('sqlite');
  root = await createRoot({ name: 'Example root', now: Date.now() });
  keys = await generateKeyPair();
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-refused-'));
  writeFileSync(join(folder, 'root.pem'), root.certificatePem);
});
afterAll(async () => {
  await tenants.stop();
  rmSync(folder, { recursive: true, force: true });
});

const guard = () => tenants.one.byOwner.guard;
const csr = async () => readCsr(await createCsr({ ...keys, commonName: 'a mac' }));

describe.each(hosts)('%s', (host) => {
  test('is rejected when a layer is created', async () => {
    const config = { intercept_hosts: ['claude.ai', host] };
    const body = { layer: 'global' as const, config };
    expect(await refusal(guard().putLayer({ body }))).toContain(host);
  });

  test('is rejected when a layer is changed', async () => {
    const { id } = await guard().putLayer({ body: { layer: 'agent', scope: 'a', config: {} } });
    const body = { config: { intercept_hosts: [host] } };
    expect(await refusal(guard().updateLayer({ params: { id }, body }))).toContain(host);
  });

  test('is rejected when a change is reverted', async () => {
    const place = { layer: 'agent', scope: `past ${host}` } as const;
    await guard().putLayer({ body: { ...place, config: {} } });
    const { results } = await guard().listGuardHistory({ query: { ...place } });
    const id = results[0]?.id ?? '';
    const after = JSON.stringify({ intercept_hosts: [host] });
    const { db } = tenants.storage;
    await db.updateTable('guard_changes').set({ after }).where('id', '=', id).execute();
    const revert = guard().revertGuardChange({ params: { id }, body: { to: 'after' } });
    expect(await refusal(revert)).toContain(host);
  });

  test('is rejected in the hosts of a profile', async () => {
    const query = { hosts: `claude.ai,${host}` };
    const profile = tenants.one.byKey.deployment.getMdmProfile({ query });
    expect(await refusal(profile)).toContain(host);
  });

  test('is rejected by the certificate authority', async () => {
    const issued = issueIntermediate(root, {
      csr: await csr(),
      deviceId: 'dev_1',
      hosts: ['claude.ai', host],
      now: Date.now(),
    });
    expect(await refusal(issued)).toContain(host);
  });

  test('is dropped by the device, which reports it', () => {
    const managed = {
      api_url: 'https://gatehouse.example',
      api_key: 'svc_sk_1',
      capture_enabled: true,
      intercept_hosts: [],
      intercept_processes: [],
    };
    const configFromServer = config(['claude.ai', host]);
    expect(narrowConfig(configFromServer, managed).intercept_hosts).toEqual(['claude.ai']);
    expect(describeDroppedHosts(configFromServer).join()).toContain(JSON.stringify(host));
  });
});

// A single process for all of them, because each process starts Node again.
test('the profile command rejects all of them and writes no file', () => {
  const args = {
    '--api-url': 'https://gatehouse.example',
    '--api-key': 'svc_sk_1',
    '--ca': join(folder, 'root.pem'),
    '--out': join(folder, 'out.mobileconfig'),
    '--hosts': ['claude.ai', ...hosts].join(','),
  };
  const command = join(projectRoot, 'profile-builder/command.ts');
  const { status, stderr } = spawnSync(
    process.execPath,
    [command, ...Object.entries(args).flat()],
    {
      encoding: 'utf8',
    },
  );
  expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
  for (const host of hosts) expect(stderr).toContain(JSON.stringify(host));
  expect(readdirSync(folder)).toEqual(['root.pem']);
});

test('a device accepts no intermediate for a bank, not even from its own server', async () => {
  const now = Date.now();
  const device = { csr: await csr(), deviceId: 'dev_1', now };
  const permits = (hosts: string[]) =>
    signCertificate(root, {
      commonName: 'dev_1 capture',
      publicKeyPem: keys.publicKeyPem,
      now,
      days: 30,
      extensions: [constrainNames(hosts, [])],
    });
  const issued = async (hosts: string[]): Promise<Enrollment> => ({
    device_id: 'dev_1',
    identity_certificate: await issueIdentity(root, device),
    intermediate_certificate: await permits(hosts),
    root_certificate: root.certificatePem,
    root_certificates: [root.certificatePem],
    config: config(hosts),
  });
  const expected = {
    identityPublicKeyPem: keys.publicKeyPem,
    intermediatePublicKeyPem: keys.publicKeyPem,
    deviceId: 'dev_1',
    now,
  };
  const check = async (...hosts: string[]) => checkIssued(await issued(hosts), expected);
  expect(await check('claude.ai')).toBeNull();
  expect(await check('claude.ai', 'www.chase.com')).toBe(
    'intermediate: permits www.chase.com, which is never done',
  );
});
