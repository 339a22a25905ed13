import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractFile, getRawHeader, listPackage } from '@electron/asar';
import { parse, type PlistValue } from 'plist';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTree } from '#installer/bundle/read-tree.ts';
import { inspectPackage } from '#installer/inspect/inspect-package.ts';
import rootPackage from '../../../package.json' with { type: 'json' };
import { readFuses } from '../fuses.ts';
import { standInForMac } from './release.ts';

const { version } = rootPackage;
const output = mkdtempSync(join(tmpdir(), 'app-'));
const app = join(output, 'mac-arm64/Lookout.app');
const contents = join(app, 'Contents');
let installer = '';

beforeAll(async () => {
  installer = await standInForMac({
    config: {
      appName: 'Lookout',
      bundleId: 'com.example.lookout',
      teamId: 'EXAMPLE123',
      electronFolder: null,
    },
    output,
    report: { log() {}, advance() {} },
  });
}, 180_000);
afterAll(() => rmSync(output, { recursive: true }));

const readInfo = (path: string): Record<string, PlistValue> =>
  parse(readFileSync(join(contents, path), 'utf8')) as Record<string, PlistValue>;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

describe('the app', () => {
  test('has programs, extensions and the extension tool at the paths that macOS expects', () => {
    expect(filesBelow(join(contents, 'MacOS'))).toEqual(['Lookout', 'gatehouse-extensions']);
    const extension = (name: string): string[] => [
      `com.example.lookout.${name}.systemextension/Contents/Info.plist`,
      `com.example.lookout.${name}.systemextension/Contents/MacOS/com.example.lookout.${name}`,
    ];
    expect(filesBelow(join(contents, 'Library'))).toEqual(
      ['flowmonitor', 'proxymonitor'].flatMap(extension).map((path) => `SystemExtensions/${path}`),
    );
    expect(readdirSync(join(contents, 'Frameworks')).sort()).toEqual([
      'Electron Framework.framework',
      'Lookout Helper (GPU).app',
      'Lookout Helper (Plugin).app',
      'Lookout Helper (Renderer).app',
      'Lookout Helper.app',
    ]);
    for (const program of ['Lookout', 'gatehouse-extensions'])
      expect(statSync(join(contents, 'MacOS', program)).mode & 0o111).toBe(0o111);
  });

  test('has its name, no icon in the Dock, and no permission that it does not use', () => {
    const info = readInfo('Info.plist');
    expect(info).toMatchObject({
      CFBundleIdentifier: 'com.example.lookout',
      CFBundleExecutable: 'Lookout',
      CFBundleName: 'Lookout',
      CFBundleShortVersionString: version,
      LSUIElement: true,
      LSMinimumSystemVersion: '12.0',
    });
    const keys = Object.keys(info);
    expect(
      keys.filter((key) => /UsageDescription|AppTransportSecurity|URLTypes/.test(key)),
    ).toEqual([]);
    expect(info['CFBundleIconFile']).toBe('icon.icns');
    const icon = readFileSync(join(contents, 'Resources/icon.icns'));
    expect(icon.toString('latin1', 0, 4)).toBe('icns');
  });

  test('registers no background item besides that of the package', () => {
    for (const folder of ['LaunchAgents', 'LaunchDaemons', 'LoginItems'])
      expect(readdirSync(join(contents, 'Library'))).not.toContain(folder);
  });

  test('has the same files for both processors', async () => {
    const inspection = await inspectPackage(installer, { allowUnsigned: true });
    expect(inspection.product?.architectures).toEqual(['x86_64', 'arm64']);
  });

  test('has all fuses set', async () => {
    expect(await readFuses(app)).toEqual({
      RunAsNode: 'off',
      EnableCookieEncryption: 'on',
      EnableNodeOptionsEnvironmentVariable: 'off',
      EnableNodeCliInspectArguments: 'off',
      EnableEmbeddedAsarIntegrityValidation: 'on',
      OnlyLoadAppFromAsar: 'on',
      LoadBrowserProcessSpecificV8Snapshot: 'off',
      GrantFileProtocolExtraPrivileges: 'off',
      WasmTrapHandlers: 'on',
    });
  });
});

describe('the archive', () => {
  const archive = join(contents, 'Resources/app.asar');
  const names = (): string[] => listPackage(archive, { isPack: false });

  test('contains all code, and its hash is in Info.plist', () => {
    const resources = filesBelow(join(contents, 'Resources'));
    expect(resources.filter((path) => /\.(asar|c?js|node)$/.test(path))).toEqual(['app.asar']);
    const { headerString } = getRawHeader(archive);
    const hash = createHash('sha256').update(headerString).digest('hex');
    expect(readInfo('Info.plist')['ElectronAsarIntegrity']).toEqual({
      'Resources/app.asar': { algorithm: 'SHA256', hash },
    });
  });

  test('has no sources, packages, maps, tests or settings', () => {
    const kinds = /^\/(package\.json|preload\.cjs|[\w-]+\.js|renderer|icons|(renderer|icons)\/.+)$/;
    expect(names().filter((name) => !kinds.test(name))).toEqual([]);
    expect(names().filter((name) => /\.(ts|tsx|map|env|pem|key)$/.test(name))).toEqual([]);
    expect(names()).toEqual(
      expect.arrayContaining(['/main.js', '/preload.cjs', '/renderer/index.html']),
    );
  });

  test('has a package.json with a name and a version, and no path of the build computer', () => {
    expect(JSON.parse(extractFile(archive, 'package.json').toString())).toEqual({
      name: 'gatehouse',
      productName: 'Lookout',
      version,
      description: rootPackage.description,
      author: 'Lookout',
      private: true,
      type: 'module',
      main: 'main.js',
    });
    const whole = readFileSync(archive, 'latin1');
    for (const path of [process.cwd(), output, tmpdir()]) expect(whole).not.toContain(`${path}/`);
  });
});

describe('the package', () => {
  test('installs the app and its background items, and is valid', async () => {
    const inspection = await inspectPackage(installer, { allowUnsigned: true, strict: true });
    expect(inspection).toMatchObject({
      problems: [],
      product: { identifier: 'com.example.lookout', version, minimumOs: ['12.0'] },
    });
    const code = inspection.components[0]?.code;
    const below = './Applications/Lookout.app/Contents/Library/SystemExtensions/';
    expect(code?.bundles.filter(({ path }) => path.startsWith(below))).toEqual(
      ['com.example.lookout.flowmonitor', 'com.example.lookout.proxymonitor'].map((identifier) => ({
        path: `${below}${identifier}.systemextension`,
        identifier,
        version,
        inDock: false,
        integrity: [],
      })),
    );
    // The code for each processor has fuses.
    expect(code?.fuses.map(({ fuses }) => fuses['RunAsNode'])).toEqual(['off', 'off']);
    expect(code?.launchItems.map(({ label }) => label)).toEqual([
      'com.example.lookout.environment',
      'com.example.lookout',
    ]);
    const packed = inspection.components[0]?.payload.map(({ path }) => path) ?? [];
    const inApp = (await readTree(contents)).map(({ path }) =>
      `./Applications/Lookout.app/Contents/${path}`.replace(/\/$/, ''),
    );
    expect(inApp.filter((path) => !packed.includes(path))).toEqual([]);
    expect(packed.filter((path) => path.startsWith('./Library/LaunchAgents/'))).toEqual([
      './Library/LaunchAgents/com.example.lookout.environment.plist',
      './Library/LaunchAgents/com.example.lookout.plist',
    ]);
  });
});
