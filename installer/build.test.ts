// @module-tag bsdtar

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dissect, records } from './bom/testing/dissect.ts';
import { buildUninstaller } from './build-uninstaller.ts';
import { buildPackage } from './build.ts';
import { copyApp, infoPlist, makeApp, product } from './bundle/testing/make-app.ts';
import { inspectPackage } from './inspect/inspect-package.ts';

let place: string;
let app: string;
let out: string;
let extracted: string;
let said: string[];

const report = { say: (line: string) => void said.push(line), advance() {} };
const build = (more: Partial<Parameters<typeof buildPackage>[0]> = {}) =>
  buildPackage({ app, out, product, report, ...more });
const inComponent = (name: string) => join(extracted, 'com.gatehouse.agent.pkg', name);
const shell = (script: string, ...args: string[]): string =>
  execFileSync('sh', ['-ec', script, 'sh', ...args], { cwd: place, encoding: 'utf8' });

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'installer-'));
  app = join(place, 'Gatehouse.app');
  out = join(place, 'out.pkg');
  extracted = join(place, 'extracted');
  said = [];
  makeApp(app, infoPlist, 600);
  await build();
  mkdirSync(extracted);
  execFileSync('bsdtar', ['-xf', out, '-C', extracted]);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));
beforeEach(() => {
  said = [];
});

describe('the package', () => {
  it('is listed by bsdtar, and extracted alike by bsdtar and 7z', { tags: ['7z'] }, () => {
    expect(shell('bsdtar -tf out.pkg').trim().split('\n')).toEqual([
      'Distribution',
      'com.gatehouse.agent.pkg',
      ...['Bom', 'PackageInfo', 'Payload', 'Scripts'].map(
        (name) => `com.gatehouse.agent.pkg/${name}`,
      ),
    ]);
    shell("7z x -bd -oseven out.pkg && diff -r -x '?TOC?.xml' extracted seven");
  });

  it(
    'holds the app as it is: content, links, executable bits and times',
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
      const facts = (folder: string) => shell(list, join(place, folder)).replaceAll('777', '755');
      expect(facts('times/Applications/Gatehouse.app')).toBe(facts('Gatehouse.app'));
      expect(readdirSync(join(place, 'root/Library/LaunchAgents'))).toEqual([
        'com.gatehouse.agent.environment.plist',
        'com.gatehouse.agent.plist',
      ]);
    },
  );

  it('has a Bom of what is in the Payload, with the checksums of cksum', () => {
    const found = records(dissect(readFileSync(inComponent('Bom'))));
    const list = shell('gzip -dc "$1" | cpio -it --quiet', inComponent('Payload'));
    // cpio shows what is not ASCII as the three digits of each byte.
    expect(list.trim().split('\n').length).toBe(found.size);
    const sums = shell('cd root; find . -type f -exec cksum {} +').trim().split('\n');
    const inBom = [...found].filter(([, record]) => record.readUInt8(0) === 1);
    expect(
      inBom.map(([path, one]) => `${one.readUInt32BE(23)} ${one.readUInt32BE(18)} ${path}`).sort(),
    ).toEqual(sums.sort());
    const info = readFileSync(inComponent('PackageInfo'), 'utf8');
    expect(info).toContain(`numberOfFiles="${found.size}"`);
  });

  it('has scripts that a shell can read, for root to run', () => {
    shell('mkdir scripts; cd scripts; gzip -dc "$1" | cpio -id --quiet', inComponent('Scripts'));
    expect(shell('cd scripts; stat -c "%a %n" *; sh -n preinstall; sh -n postinstall')).toBe(
      '755 postinstall\n755 preinstall\n',
    );
  });

  it('has gzip headers without a time, of one system', () => {
    for (const name of ['Payload', 'Scripts']) {
      const bytes = readFileSync(inComponent(name));
      expect(bytes.subarray(0, 10).toString('hex')).toBe('1f8b0800000000000003');
      expect(gunzipSync(bytes).subarray(-11).toString()).toBe('TRAILER!!!\0');
    }
  });

  it('is whole to the inspection, which reads the formats by itself', async () => {
    const inspection = await inspectPackage(out, { allowUnsigned: true, strict: true });
    expect(inspection).toMatchObject({ problems: [], unreferenced: [] });
  });

  it('is the same from another place, and another one if anything in the app is', async () => {
    const copy = join(place, 'elsewhere', 'Gatehouse.app');
    const again = join(place, 'again.pkg');
    mkdirSync(join(place, 'elsewhere'));
    copyApp(app, copy);
    await build({ app: copy, out: again });
    expect(readFileSync(again).equals(readFileSync(out))).toBe(true);
    appendFileSync(join(copy, 'Contents/PkgInfo'), 'x');
    await build({ app: copy, out: again });
    expect(readFileSync(again).equals(readFileSync(out))).toBe(false);
  });

  it('says what it does, and that the versions differ', async () => {
    await build();
    expect(said).toEqual([
      `reading ${app}`,
      expect.stringMatching(/^packing 6\d\d files and folders, \d+ bytes$/),
      'writing the package',
    ]);
    said = [];
    await build({ out: join(place, 'newer.pkg'), product: { ...product, version: '2.0' } });
    expect(said).toContain('note: Gatehouse.app says that it is 1.2.3, the package is 2.0');
  });

  it.each([
    ['of another bundle id', { product: { ...product, bundleId: 'a.b' } }, 'expected a.b'],
    ['that nobody notarizes', { notarize: () => Promise.reject(new Error('Invalid')) }, 'Invalid'],
  ])('is not there if it is one %s', async (_, more, line) => {
    const nowhere = join(place, 'nowhere.pkg');
    const before = readdirSync(place);
    await expect(build({ out: nowhere, ...more })).rejects.toThrow(line);
    expect(readdirSync(place)).toEqual(before);
  });

  it('is notarized before it gets its name', async () => {
    const named = join(place, 'named.pkg');
    await build({
      out: named,
      notarize: async (file, say) => {
        expect(readdirSync(place)).not.toContain('named.pkg');
        expect(readFileSync(file).equals(readFileSync(out))).toBe(true);
        appendFileSync(file, 'ticket');
        say('stapled');
      },
    });
    expect(readFileSync(named, 'utf8').slice(-6)).toBe('ticket');
    expect(said.at(-1)).toBe('stapled');
  });
});

describe('the uninstaller', () => {
  it('is a package with a script and nothing else, the same every time', async () => {
    const made = ['one.pkg', 'two.pkg'].map((name) => join(place, name)) as [string, string];
    for (const file of made) await buildUninstaller({ out: file, product, report });
    expect(readFileSync(made[0]).equals(readFileSync(made[1]))).toBe(true);
    expect(shell('bsdtar -tf one.pkg').trim().split('\n')).toEqual([
      'Distribution',
      'com.gatehouse.agent.uninstaller.pkg',
      'com.gatehouse.agent.uninstaller.pkg/PackageInfo',
      'com.gatehouse.agent.uninstaller.pkg/Scripts',
    ]);
    const inspection = await inspectPackage(made[0], { allowUnsigned: true, strict: true });
    expect(inspection).toMatchObject({ problems: [], unreferenced: [] });
    const script = 'bsdtar -xOf one.pkg "*/Scripts" | gzip -dc | cpio -i --quiet --to-stdout';
    expect(shell(`${script} ./postinstall | sh -n; ${script} -t`).trim()).toBe('.\n./postinstall');
  });
});
