import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeApp } from '#installer/testing/make-app.ts';
import { payloadSchemas } from '#profile-builder/testing/apple-schema/payloads.ts';
import { makeSigningIdentity } from '#profile-builder/testing/signing-identity.ts';
import { API_KEY, startTestControlPlane } from '../support/control-plane.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const guides = join(checkout, 'docs/deploy');
const read = (name: string): Promise<string> => readFile(join(guides, name), 'utf8');

/** Returns the shell commands of a page, one entry per block. */
const commandsOf = (page: string): string[] =>
  [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);

/**
 * Returns the pages in order: the overview first, because the others use the files that it fetches.
 * Signing and inspecting have separate tests.
 */
async function pages(): Promise<string[]> {
  const first = 'README.md';
  const others = [first, 'signing.md', 'inspect.md'];
  return [first, ...(await readdir(guides)).filter((name) => !others.includes(name))];
}

function run(script: string, cwd: string, env: Record<string, string>): Promise<string> {
  const options = { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...env } };
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', script],
      options,
      (error, stdout, stderr) => {
        resolve(error ? `${script}\n${stdout}${stderr}` : '');
      },
    );
  });
}

test(
  'the commands in the guides run as written',
  { tags: ['openssl', 'curl', 'plistutil'] },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deploy-guides-'));
    const app = join(folder, 'Gatehouse.app');
    makeApp(app);
    const signer = makeSigningIdentity(folder, {
      name: 'it',
      extensions: 'keyUsage=digitalSignature',
    });
    const service = await startTestControlPlane('sqlite', { INSTALLER_APP: app });
    const body = { name: 'profiles', permissions: ['enroll' as const] };
    const { key } = await service.byOwner.identity.createApiKey({ body });
    const env = {
      GATEHOUSE: service.urls.public,
      DEVICE_URL: service.urls.device,
      SVC_KEY: API_KEY,
      ENROLL_KEY: key,
      CHECKOUT: checkout,
      SIGNER_P12: signer.file,
      SIGNER_PASSWORD: signer.password,
    };
    for (const name of await pages())
      for (const command of commandsOf(await read(name)))
        expect(await run(command, folder, env)).toBe('');

    const made = [
      'Gatehouse.mobileconfig',
      'Gatehouse-signed.mobileconfig',
      'Gatehouse-Setup-1.2.3.pkg',
    ];
    expect(await readdir(folder)).toEqual(expect.arrayContaining(made));
    const modes = made.map(async (file) => (await stat(join(folder, file))).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o600, 0o600, 0o600]);
    await service.stop();
    await rm(folder, { recursive: true });
  },
);

test("the page on payloads matches Apple's schema", async () => {
  const rows = (await read('payloads.md')).matchAll(/^\| `([\w.-]+)` +\| ([\d.]+) +\| (yes|no) /gm);
  const documented = [...rows].map(([, type = '', since, approved]) => [
    type,
    [since, approved === 'yes'],
  ]);
  const published = Object.entries(payloadSchemas).map(
    ([type, { since, needsApprovedManagement }]) => [type, [since, needsApprovedManagement]],
  );
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(published));
});

test('the overview names every guide', async () => {
  const overview = await read('README.md');
  const guided = (await readdir(guides)).filter((name) => name !== 'README.md');
  expect(guided.filter((name) => !overview.includes(`](${name})`))).toEqual([]);
});
