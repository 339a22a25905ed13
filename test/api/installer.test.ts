import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFile,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runInstaller } from '#control-plane/deployment/run-installer.ts';
import { infoPlist, makeApp, product } from '#installer/testing/make-app.ts';
import { inspectPackage } from '#installer/inspect/inspect-package.ts';
import { readTrust } from '#installer/inspect/signature/trust.ts';
import { createTestAuthority } from '#installer/testing/authority.ts';
import { createWorkshop, type Workshop } from '#installer/testing/workshop.ts';
import { API_KEY, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { databases } from '../support/databases.ts';

// Starts several real processes, one after the other.

let folder: string;
let app: string;
let workshop: Workshop;
let service: TestControlPlane | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'installer-'));
  app = join(folder, 'Gatehouse.app');
  makeApp(app);
  workshop = await createWorkshop();
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
  await workshop[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Record<string, string>, kind: (typeof databases)[number] = 'sqlite') {
  const quiet = { LOG_LEVEL: 'silent', DATA_DIR: join(folder, 'data') };
  service = await startTestControlPlane(kind, { ...quiet, ...env });
  const url = `${service.urls.public}/api/svc/v1/endpoint/installer/`;
  const get = (key = API_KEY): Promise<Response> => fetch(url, { headers: { 'X-Svc-Key': key } });
  return { service, get };
}

async function save(response: Response): Promise<{ file: string; bytes: Buffer }> {
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  const file = join(folder, 'downloaded.pkg');
  await writeFile(file, bytes);
  return { file, bytes };
}

/** Changes bytes in the middle of a file, but not its size or times. */
async function damage(path: string): Promise<void> {
  const { atime, mtime } = await stat(path);
  await using file = await open(path, 'r+');
  await file.write('zzzz', 1000);
  await utimes(path, atime, mtime);
}

const built = (): Promise<string[]> => readdir(join(folder, 'data', 'installer'));
const errorOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { error: unknown }).error,
];
const broken = [
  500,
  {
    code: 'internal_error',
    message: 'the configured installer package is unavailable: see the log',
    details: { reason: 'internal_error' },
  },
];

/** Creates an identity like those issued by Apple, with its root. */
async function makeIdentity() {
  const { root, authority, issueInstaller } = await createTestAuthority();
  const { key, certificate } = await issueInstaller();
  const certificates = [certificate, authority.certificate, root.certificate];
  const file = await workshop.writePkcs12('id.p12', { key, certificates, password: 'secret' });
  return { file, root: root.certificate.toString() };
}

/** Creates a package with the command that IT uses. */
async function makeFinished(...signing: string[]): Promise<string> {
  const out = join(folder, 'finished.pkg');
  const { appName: name, bundleId } = product;
  const args = ['build', '--app', app, '--version', '1.2.3', '--out', out, ...signing];
  const config = { app: { name, bundleId, teamId: 'GATEHOUSE1' } };
  await runInstaller(config, args, { PASSWORD: 'secret' });
  return out;
}

describe.each(databases)('the installer package on %s', (kind) => {
  test('is not found until its source is set, and the error explains how to set it', async () => {
    const { service: plane } = await start({}, kind);
    await expect(plane.byKey.deployment.getInstaller()).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/INSTALLER_PACKAGE.*INSTALLER_APP/) as string,
    });
    await expect(plane.byOwner.deployment.downloadInstaller()).rejects.toMatchObject({
      status: 404,
    });
    const { count } = await plane.byKey.audit.listAuditEntries({
      query: { action: 'installer.download' },
    });
    expect(count).toBe(0);
  });

  test('is built from an app once, for any number of requests', { tags: ['bsdtar'] }, async () => {
    const { service: plane, get } = await start({ INSTALLER_APP: app }, kind);
    const responses = await Promise.all([get(), get(), get()]);
    const files = await Promise.all(responses.map((response) => response.bytes()));
    expect(new Set(files.map((bytes) => Buffer.from(bytes).toString('base64'))).size).toBe(1);
    const [name, ...others] = await built();
    expect(others).toEqual([]);
    const { ino } = await stat(join(folder, 'data', 'installer', name ?? ''));

    const response = await get();
    const { file, bytes } = await save(response);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="Gatehouse-Setup-1.2.3.pkg"',
      'content-length': String(bytes.length),
      etag: `"${sha256}"`,
    });
    expect((await stat(join(folder, 'data', 'installer', name ?? ''))).ino).toBe(ino);
    expect(execFileSync('bsdtar', ['-tf', file], { encoding: 'utf8' })).toContain('/Payload');
    expect((await inspectPackage(file, { allowUnsigned: true })).problems).toEqual([]);

    const headers = { 'X-Svc-Key': API_KEY };
    const url = `${plane.urls.public}/api/svc/v1/endpoint/installer/`;
    const known = { ...headers, 'If-None-Match': `"other", W/"${sha256}"` };
    const same = await fetch(url, { headers: known });
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([
      304,
      `"${sha256}"`,
      '',
    ]);
    const head = await fetch(url, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);

    await damage(join(folder, 'data', 'installer', name ?? ''));
    const mended = await get();
    expect(mended.headers.get('etag')).toBe(`"${sha256}"`);
    expect((await save(mended)).bytes.equals(bytes)).toBe(true);

    // An administrator downloads the package in the console.
    expect(await plane.byOwner.deployment.downloadInstaller()).toMatch(/^xar!/);

    const { entries, count } = await plane.byKey.audit.listAuditEntries({
      query: { action: 'installer.download' },
    });
    expect(count).toBe(6);
    expect(entries[0]).toMatchObject({
      resource_type: 'installer',
      resource_id: '1.2.3',
      metadata: { name: 'Gatehouse-Setup-1.2.3.pkg', sha256, bytes: bytes.length },
    });
  });
});

test('another app version results in another package that replaces the old one', async () => {
  const { get } = await start({ INSTALLER_APP: app });
  await save(await get());
  const before = await built();
  await rm(app, { recursive: true });
  makeApp(app, { ...infoPlist, CFBundleShortVersionString: '1.2.4' });
  const response = await get();
  expect(response.headers.get('content-disposition')).toContain('Setup-1.2.4.pkg');
  await save(response);
  const after = await built();
  expect([after.length, after[0] === before[0]]).toEqual([1, false]);
});

test('a package that was deleted is built again', async () => {
  const { get } = await start({ INSTALLER_APP: app });
  const { bytes } = await save(await get());
  await rm(join(folder, 'data', 'installer'), { recursive: true });
  expect((await save(await get())).bytes.equals(bytes)).toBe(true);
});

test('an identity signs the package', { tags: ['openssl'] }, async () => {
  const { file: identity, root } = await makeIdentity();
  const { get } = await start({
    INSTALLER_APP: app,
    INSTALLER_IDENTITY: identity,
    INSTALLER_IDENTITY_PASSWORD: 'secret',
    INSTALLER_TIMESTAMP_URL: 'none',
  });
  const { file } = await save(await get());
  expect((await inspectPackage(file, { trust: readTrust(root) })).problems).toEqual([]);
});

test('a finished package is served unchanged as long as it is complete', async () => {
  const finished = await makeFinished();
  const bytes = await readFile(finished);
  const { get } = await start({ INSTALLER_PACKAGE: finished });
  const response = await get();
  expect(response.headers.get('content-disposition')).toContain('Gatehouse-Setup-1.2.3.pkg');
  expect((await save(response)).bytes.equals(bytes)).toBe(true);
  await truncate(finished, bytes.length - 1);
  expect(await errorOf(await get())).toEqual(broken);
  await rm(finished);
  expect(await errorOf(await get())).toEqual(broken);
  await writeFile(finished, bytes);
  expect((await get()).status).toBe(200);
});

test.each<[string, (path: string) => Promise<void>]>([
  ['edited in place', damage],
  [
    'replaced by another',
    async (path) => {
      await copyFile(path, `${path}.new`);
      await damage(`${path}.new`);
      await rename(`${path}.new`, path);
    },
  ],
])('a finished package that is %s behind a link is verified again', async (_, change) => {
  const finished = await makeFinished();
  const link = join(folder, 'link.pkg');
  await symlink(finished, link);
  const { get } = await start({ INSTALLER_PACKAGE: link });
  await save(await get());
  await change(finished);
  expect(await errorOf(await get())).toEqual(broken);
});

test(
  "a signed package must chain to a trusted root: Apple's or a configured one",
  { tags: ['openssl'] },
  async () => {
    const { file: identity, root } = await makeIdentity();
    const signing = ['--identity', identity, '--identity-password-env', 'PASSWORD'];
    const finished = await makeFinished(...signing, '--timestamp-url', 'none');
    const untrusting = await start({ INSTALLER_PACKAGE: finished });
    expect(await errorOf(await untrusting.get())).toEqual(broken);
    await service?.stop();
    const trust = await workshop.write('root.pem', root);
    const trusting = await start({ INSTALLER_PACKAGE: finished, INSTALLER_TRUSTED_ROOTS: trust });
    expect((await save(await trusting.get())).bytes.equals(await readFile(finished))).toBe(true);
  },
);

test.each<[string, () => Promise<Record<string, string>>]>([
  ['an app that is not there', () => Promise.resolve({ INSTALLER_APP: join(folder, 'none.app') })],
  [
    'an app of another product',
    () => Promise.resolve({ INSTALLER_APP: app, APP_BUNDLE_ID: 'com.other.agent' }),
  ],
  [
    'a wrong password',
    async () => ({
      INSTALLER_APP: app,
      INSTALLER_IDENTITY: (await makeIdentity()).file,
      INSTALLER_IDENTITY_PASSWORD: 'wrong',
    }),
  ],
  [
    'a finished package of another product',
    async () => ({ INSTALLER_PACKAGE: await makeFinished(), APP_BUNDLE_ID: 'com.other.agent' }),
  ],
])('%s is reported without its path and leaves no files', async (_, settings) => {
  const { service: plane, get } = await start(await settings());
  expect(await errorOf(await get())).toEqual(broken);
  expect(await built().catch(() => [])).toEqual([]);
  const query = { action: 'installer.download' };
  expect((await plane.byKey.audit.listAuditEntries({ query })).count).toBe(0);
});

test('requires the admin permission, and explains if no package is configured', async () => {
  const { service: plane, get } = await start({});
  expect(await errorOf(await get())).toEqual([
    404,
    {
      code: 'not_found',
      message:
        'no installer package is configured: set INSTALLER_PACKAGE to a finished package, ' +
        'or INSTALLER_APP to an app bundle to build it from',
      details: { reason: 'not_configured' },
    },
  ]);
  const body = { name: 'agent', permissions: ['record' as const] };
  const { key } = await plane.byOwner.identity.createApiKey({ body });
  expect((await get(key)).status).toBe(403);
  expect((await get('svc_sk_unknown')).status).toBe(401);
});
