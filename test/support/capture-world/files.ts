import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRoot, issueServerCertificate } from '#pki/authority.ts';
import { materializeManagedConfig, trustedRoots } from '#profile-builder/materialize.ts';
import gatehouse from '../../../package.json' with { type: 'json' };
import { BROWSER_POLICIES, hosts } from './clients.ts';
import { internet } from './network.ts';

export const OTHER_VERSION = '99.0.0';
export const CONTROL_PLANE = 'gatehouse.example.test';

/**
 * The authorities that a client trusts: public ones only, or also those added by device management.
 */
export type Trust = 'public' | 'managed';

export type Files = Awaited<ReturnType<typeof writeFiles>>;

/**
 * Writes a public authority, a certificate that it issued, and the names of the simulated internet.
 */
export async function writeFiles(folder: string) {
  const now = Date.now();
  const root = await createRoot({ name: 'Public', now });
  const { uncapturedHost, ...models } = hosts;
  const own = await issueServerCertificate(root, { names: Object.values(models), now });
  const others = await issueServerCertificate(root, { names: [uncapturedHost], now });
  const file = (name: string): string => join(folder, name);
  const write = (name: string, text: string): string => {
    writeFileSync(file(name), text);
    return file(name);
  };
  return {
    public: write('public.pem', root.certificatePem),
    key: write('server-key.pem', own.privateKeyPem),
    certificate: write('server.pem', own.certificatePem),
    otherKey: write('other-key.pem', others.privateKeyPem),
    otherCertificate: write('other.pem', others.certificatePem),
    hosts: write(
      'hosts',
      `127.0.0.1 localhost
${internet.first} ${hosts.openai} ${hosts.uncapturedHost} ${CONTROL_PLANE}
${internet.second} ${hosts.anthropic}
${internet.ipv6} ${hosts.gemini}
`,
    ),
    /** Policies of browsers, by the authorities that they trust. */
    policies: { public: file('browser-public'), managed: file('browser-managed') },
    managed: file('managed.pem'),
    roots: file('roots.pem'),
    preferences: file('managed.plist'),
    state: file('state'),
    data: file('data'),
    /** The package.json of another version of the agent. */
    otherVersion: write('package.json', JSON.stringify({ ...gatehouse, version: OTHER_VERSION })),
  };
}

/**
 * The command that runs a program with the names, browser policies and other files of the device
 * mounted over those of this machine.
 */
export function withFiles(
  { hosts, policies }: Files,
  trust: Trust,
  others: Readonly<Record<string, string>> = {},
): string[] {
  const placed = { '/etc/hosts': hosts, [BROWSER_POLICIES]: policies[trust], ...others };
  const mounts = Object.entries(placed)
    .filter(([at]) => existsSync(at))
    .map(([at, file]) => `mount --bind '${file}' '${at}' && `);
  const script = `${mounts.join('')}exec "$@"`;
  return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh'];
}

/** Installs the profile of the tenant, as device management does. */
export function installProfile(profile: string, files: Files): void {
  writeFileSync(files.roots, trustedRoots(profile));
  const publicRoot = readFileSync(files.public, 'utf8');
  const tenant = trustedRoots(profile);
  writeFileSync(files.managed, [publicRoot, tenant].join('\n'));
  writePolicies(files.policies.public, [publicRoot]);
  writePolicies(files.policies.managed, [publicRoot, tenant]);
  writeFileSync(files.preferences, materializeManagedConfig(profile).plist);
}

/**
 * Writes the policies of Chromium, which has its own list of roots and no environment variable for
 * others.
 */
function writePolicies(folder: string, authorities: readonly string[]): void {
  mkdirSync(join(folder, 'policies/managed'), { recursive: true });
  const policy = {
    CACertificates: authorities.map((pem) => new X509Certificate(pem).raw.toString('base64')),
  };
  writeFileSync(join(folder, 'policies/managed/authorities.json'), JSON.stringify(policy));
}
