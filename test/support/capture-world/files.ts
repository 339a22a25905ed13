import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRoot, issueServerCertificate } from '#pki/authority.ts';
import { materializeManagedConfig, trustedRoots } from '#profile-builder/materialize.ts';
import { BROWSER_POLICIES, hosts } from './clients.ts';
import { internet } from './network.ts';

export const CONTROL_PLANE = 'gatehouse.example.test';

export type Files = Awaited<ReturnType<typeof writeFiles>>;

/** An authority that everybody trusts, a certificate of it, and the names of the internet. */
export async function writeFiles(folder: string) {
  const now = Date.now();
  const root = await createRoot({ name: 'World', now });
  const own = await issueServerCertificate(root, { names: Object.values(hosts), now });
  const file = (name: string): string => join(folder, name);
  const write = (name: string, text: string): string => {
    writeFileSync(file(name), text);
    return file(name);
  };
  return {
    world: write('world.pem', root.certificatePem),
    key: write('server-key.pem', own.privateKeyPem),
    certificate: write('server.pem', own.certificatePem),
    hosts: write(
      'hosts',
      `127.0.0.1 localhost
${internet.first} ${hosts.openai} ${hosts.neighbour} ${CONTROL_PLANE}
${internet.second} ${hosts.anthropic}
${internet.ipv6} ${hosts.gemini}
`,
    ),
    policies: file('browser'),
    managed: file('managed.pem'),
    roots: file('roots.pem'),
    preferences: file('managed.plist'),
    state: file('state'),
  };
}

/** The device has names and policies of its own: its programs see other files in `/etc`. */
export const withFiles = ({ hosts, policies }: Files): string[] => {
  const bind = (file: string, at: string): string =>
    existsSync(at) ? `mount --bind '${file}' ${at} && ` : '';
  const script = `${bind(hosts, '/etc/hosts')}${bind(policies, BROWSER_POLICIES)}exec "$@"`;
  return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh'];
};

/** Does what device management does with the tenant's profile. */
export function deliver(profile: string, files: Files): void {
  writeFileSync(files.roots, trustedRoots(profile));
  const authorities = [readFileSync(files.world, 'utf8'), trustedRoots(profile)];
  writeFileSync(files.managed, authorities.join('\n'));
  mkdirSync(join(files.policies, 'policies/managed'), { recursive: true });
  const policy = {
    CACertificates: authorities.map((pem) => new X509Certificate(pem).raw.toString('base64')),
  };
  writeFileSync(join(files.policies, 'policies/managed/authorities.json'), JSON.stringify(policy));
  writeFileSync(files.preferences, materializeManagedConfig(profile).plist);
}
