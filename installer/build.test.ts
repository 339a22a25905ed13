// @module-tag bsdtar

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dissect, records } from './testing/dissect-bom.ts';
import { buildUninstaller } from './build-uninstaller.ts';
import { buildPackage } from './build.ts';
import { copyApp, infoPlist, makeApp, product } from './testing/make-app.ts';
import { inspectPackage } from './inspect/inspect-package.ts';

let folder: string;
let app: string;
let out: string;
let extracted: string;
let messages: string[];

const report = { log: (message: string) => void messages.push(message), advance() {} };
const build = (more: Partial<Parameters<typeof buildPackage>[0]> = {}) =>
  buildPackage({ app, out, product, report, ...more });
const inComponent = (name: string) => join(extracted, 'com.gatehouse.agent.pkg', name);
const shell = (script: string, ...args: string[]): string =>
  execFileSync('sh', ['-ec', script, 'sh', ...args], { cwd: folder, encoding: 'utf8' });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'installer-'));
  app = join(folder, 'Gatehouse.app');
  out = join(folder, 'out.pkg');
  extracted = join(folder, 'extracted');
  messages = [];
  makeApp(app, infoPlist, 600);
  await build();
  mkdirSync(extracted);
  execFileSync('bsdtar', ['-xf', out, '-C', extracted]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  messages = [];
});

describe('the package', () => {
  test('is listed by bsdtar, and extracted identically by bsdtar and 7z', { tags: ['7z'] }, () => {
    expect(shell('bsdtar -tf out.pkg').trim().split('\n')).toEqual([
      'Distribution',
      'com.gatehouse.agent.pkg',
      ...['Bom', 'PackageInfo', 'Payload', 'Scripts'].map(
        (name) => `com.gatehouse.agent.pkg/${name}`,
      ),
    ]);
    shell("7z x -bd -oseven out.pkg && diff -r -x '?TOC?.xml' extracted seven");
  });

  test(
    'contains the app unchanged: content, links, executable bits and times',
    { tags: ['cpio'] },
    () => {
      shell(
        'mkdir root; cd root; gzip -dc "$1" | cpio -idm --quiet; diff -r --no-dereference "$2" Applications/Gatehouse.app',
        inComponent('Payload'),
        app,
      );
      // bsdtar sets the times of folders last.
      shell('mkdir times; gzip -dc "$1" | bsdtar -xpf - -C times', inComponent('Payload'));
      const list = 'cd "$1"; find . -printf "%p %y %m %l %Ts\\n" | sort';
      const facts = (root: string) => shell(list, join(folder, root)).replaceAll('777', '755');
      expect(facts('times/Applications/Gatehouse.app')).toBe(facts('Gatehouse.app'));
      expect(readdirSync(join(folder, 'root/Library/LaunchAgents'))).toEqual([
        'com.gatehouse.agent.environment.plist',
        'com.gatehouse.agent.plist',
      ]);
    },
  );

  test("has a Bom of the Payload's content, with the checksums of cksum", () => {
    const recordsByPath = records(dissect(readFileSync(inComponent('Bom'))));
    const list = shell('gzip -dc "$1" | cpio -it --quiet', inComponent('Payload'));
    // cpio prints non-ASCII bytes as three octal digits.
    expect(list.trim().split('\n').length).toBe(recordsByPath.size);
    const sums = shell('cd root; find . -type f -exec cksum {} +').trim().split('\n');
    const inBom = [...recordsByPath].filter(([, record]) => record.readUInt8(0) === 1);
    expect(
      inBom.map(([path, one]) => `${one.readUInt32BE(23)} ${one.readUInt32BE(18)} ${path}`).sort(),
    ).toEqual(sums.sort());
    const info = readFileSync(inComponent('PackageInfo'), 'utf8');
    expect(info).toContain(`numberOfFiles="${recordsByPath.size}"`);
  });

  test('has scripts that a shell can read, for root to run', () => {
    shell('mkdir scripts; cd scripts; gzip -dc "$1" | cpio -id --quiet', inComponent('Scripts'));
    expect(shell('cd scripts; stat -c "%a %n" *; sh -n preinstall; sh -n postinstall')).toBe(
      '755 postinstall\n755 preinstall\n',
    );
  });

  test('has gzip headers without a time, of one system', () => {
    for (const name of ['Payload', 'Scripts']) {
      const bytes = readFileSync(inComponent(name));
      expect(bytes.subarray(0, 10).toString('hex')).toBe('1f8b0800000000000003');
      expect(gunzipSync(bytes).subarray(-11).toString()).toBe('TRAILER!!!\0');
    }
  });

  test('is valid for the independent inspection', async () => {
    const inspection = await inspectPackage(out, { allowUnsigned: true, strict: true });
    expect(inspection).toMatchObject({ problems: [], unreferenced: [] });
  });

  test('does not depend on the folder, and differs if anything in the app differs', async () => {
    const copy = join(folder, 'elsewhere', 'Gatehouse.app');
    const again = join(folder, 'again.pkg');
    mkdirSync(join(folder, 'elsewhere'));
    copyApp(app, copy);
    await build({ app: copy, out: again });
    expect(readFileSync(again).equals(readFileSync(out))).toBe(true);
    appendFileSync(join(copy, 'Contents/PkgInfo'), 'x');
    await build({ app: copy, out: again });
    expect(readFileSync(again).equals(readFileSync(out))).toBe(false);
  });

  test('reports its progress, and that the versions differ', async () => {
    await build();
    expect(messages).toEqual([
      `reading ${app}`,
      expect.stringMatching(/^packing 6\d\d files and folders, \d+ bytes$/),
      'writing the package',
    ]);
    messages = [];
    await build({ out: join(folder, 'newer.pkg'), product: { ...product, version: '2.0' } });
    expect(messages).toContain(
      'note: the version of Gatehouse.app is 1.2.3, that of the package 2.0',
    );
  });

  test.each([
    ['of another bundle id', { product: { ...product, bundleId: 'a.b' } }, 'expected a.b'],
    [
      'whose notarization fails',
      { notarize: () => Promise.reject(new Error('Invalid')) },
      'Invalid',
    ],
  ])('is not written if it is one %s', async (_, more, message) => {
    const nowhere = join(folder, 'nowhere.pkg');
    const before = readdirSync(folder);
    await expect(build({ out: nowhere, ...more })).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual(before);
  });

  test('is notarized before it gets its name', async () => {
    const named = join(folder, 'named.pkg');
    await build({
      out: named,
      notarize: async (file, log) => {
        expect(readdirSync(folder)).not.toContain('named.pkg');
        expect(readFileSync(file).equals(readFileSync(out))).toBe(true);
        appendFileSync(file, 'ticket');
        log('stapled');
      },
    });
    expect(readFileSync(named, 'utf8').slice(-6)).toBe('ticket');
    expect(messages.at(-1)).toBe('stapled');
  });
});

describe('the uninstaller', () => {
  test('is a package with only a script, and deterministic', async () => {
    const packages = ['one.pkg', 'two.pkg'].map((name) => join(folder, name)) as [string, string];
    for (const file of packages) await buildUninstaller({ out: file, product, report });
    expect(readFileSync(packages[0]).equals(readFileSync(packages[1]))).toBe(true);
    expect(shell('bsdtar -tf one.pkg').trim().split('\n')).toEqual([
      'Distribution',
      'com.gatehouse.agent.uninstaller.pkg',
      'com.gatehouse.agent.uninstaller.pkg/PackageInfo',
      'com.gatehouse.agent.uninstaller.pkg/Scripts',
    ]);
    const inspection = await inspectPackage(packages[0], { allowUnsigned: true, strict: true });
    expect(inspection).toMatchObject({ problems: [], unreferenced: [] });
    const script = 'bsdtar -xOf one.pkg "*/Scripts" | gzip -dc | cpio -i --quiet --to-stdout';
    expect(shell(`${script} ./postinstall | sh -n; ${script} -t`).trim()).toBe('.\n./postinstall');
  });
});
