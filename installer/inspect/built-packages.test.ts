// @module-tag openssl

import { execFile } from 'node:child_process';
import { chmod, mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPackage } from '../build.ts';
import { buildUninstaller } from '../build-uninstaller.ts';
import { staple } from '../notary/notarize.ts';
import { createSigner } from '../signing/create-signer.ts';
import { createTestAuthority } from '../testing/authority.ts';
import {
  createTimestampAuthority,
  type TimestampAuthority,
} from '../testing/timestamp-authority.ts';
import { createWorkshop, toPem, type Workshop } from '../testing/workshop.ts';
import type { PackageSigner } from '../signing/package-signer.ts';
import { inspectPackage } from './inspect-package.ts';
import { readTrust, type Trust } from './signature/trust.ts';

const product = { appName: 'Example', bundleId: 'com.example.agent', version: '1.2.3' };
const quiet = { log() {}, advance() {} };
const PLIST =
  '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>' +
  '<key>CFBundleIdentifier</key><string>com.example.agent</string>' +
  '<key>CFBundleExecutable</key><string>Example</string>' +
  '<key>CFBundleName</key><string>Example</string>' +
  '<key>CFBundlePackageType</key><string>APPL</string>' +
  '<key>CFBundleVersion</key><string>1.2.3</string>' +
  '<key>CFBundleShortVersionString</key><string>1.2.3</string></dict></plist>';

let workshop: Workshop;
let timestamps: TimestampAuthority;
let signer: PackageSigner;
let trust: Trust;
beforeAll(async () => {
  workshop = await createWorkshop();
  const authority = await createTestAuthority();
  const own = await authority.issueInstaller();
  const issuers = [authority.authority.certificate, authority.root.certificate];
  const stamper = await authority.issueTimestamp();
  timestamps = await createTimestampAuthority({ workshop, signer: stamper, chain: issuers });
  signer = createSigner(
    { key: own.key, chain: [own.certificate, ...issuers] },
    { timestampUrl: timestamps.url },
  );
  trust = readTrust(toPem(authority.root.certificate));
});
afterAll(async () => {
  await timestamps[Symbol.asyncDispose]();
  await workshop[Symbol.asyncDispose]();
});

/** Creates an app with a link, and with more files than one block of a Bom's tree can hold. */
async function writeApp(folder: string): Promise<string> {
  const app = join(workshop.path(folder), 'Example.app');
  const resources = join(app, 'Contents/Resources');
  await mkdir(join(app, 'Contents/MacOS'), { recursive: true });
  await mkdir(resources);
  await writeFile(join(app, 'Contents/Info.plist'), PLIST);
  await writeFile(join(app, 'Contents/MacOS/Example'), '#!/bin/sh\n');
  await chmod(join(app, 'Contents/MacOS/Example'), 0o755);
  for (let index = 0; index < 300; index += 1)
    await writeFile(join(resources, `${index}.txt`), 'text '.repeat(index));
  await symlink('7.txt', join(resources, 'link'));
  return app;
}

describe('a package built and signed here', () => {
  test('is valid', async () => {
    const [app, out] = [await writeApp('one'), workshop.path('signed.pkg')];
    await buildPackage({ app, out, product, report: quiet, signer });
    const inspection = await inspectPackage(out, { trust, strict: true });
    expect(inspection.problems).toEqual([]);
    expect(inspection.product).toMatchObject({ version: '1.2.3', minimumOs: ['12.0'] });
    const [component] = inspection.components;
    expect(component).toMatchObject({ identifier: product.bundleId, installLocation: '/' });
    const link = './Applications/Example.app/Contents/Resources/link';
    expect(component?.payload.find(({ path }) => path === link)).toMatchObject({ target: '7.txt' });
    expect(component?.payload.map(({ path }) => path)).toContain(
      './Library/LaunchAgents/com.example.agent.plist',
    );
    expect(inspection.signature).toMatchObject({
      styles: ['RSA', 'CMS'],
      teamId: 'GATEHOUSE1',
      timestamp: { authority: 'Timestamp Signer' },
    });
  });

  test('is valid with a ticket stapled to it', async () => {
    const out = workshop.path('stapled.pkg');
    await buildUninstaller({ out, product, report: quiet, signer });
    const { archive } = await inspectPackage(out, { trust });
    const checksum = Buffer.from(archive?.checksum.value as string, 'hex');
    await staple(out, Buffer.concat([Buffer.from('s8ch'), Buffer.alloc(900, 1), checksum]));
    expect(await inspectPackage(out, { trust, strict: true })).toMatchObject({
      problems: [],
      notes: [],
      ticket: { length: 924, namesThisPackage: true },
    });
  });

  test('is valid if it installs nothing', async () => {
    const out = workshop.path('uninstaller.pkg');
    await buildUninstaller({ out, product, report: quiet, signer });
    const inspection = await inspectPackage(out, { trust, strict: true });
    expect(inspection).toMatchObject({
      problems: [],
      components: [{ files: 0, scripts: ['./postinstall'] }],
    });
  });

  test('uses bounded memory for large content', async () => {
    const [app, out] = [await writeApp('large'), workshop.path('large.pkg')];
    await using file = await open(join(app, 'Contents/Resources/large'), 'w');
    await file.truncate(256 * 1024 * 1024);
    await buildPackage({ app, out, product, report: quiet });
    const module = new URL('./inspect-package.ts', import.meta.url).href;
    const script =
      `const { inspectPackage } = await import(${JSON.stringify(module)});` +
      `const { problems } = await inspectPackage(${JSON.stringify(out)}, { allowUnsigned: true });` +
      `console.log(JSON.stringify({ problems, peak: process.resourceUsage().maxRSS }));`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { problems, peak } = JSON.parse(stdout) as { problems: string[]; peak: number };
    expect(problems).toEqual([]);
    // The peak in kilobytes, including Node and the libraries, is below the size of the large file.
    expect(peak).toBeLessThan(256 * 1024);
  });
});
