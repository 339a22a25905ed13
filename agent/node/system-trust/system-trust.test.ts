import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRoot } from '#pki/authority.ts';
import { createSystemTrust, SHELL_PROFILE } from './system-trust.ts';
import { createIsolatedSystem, type IsolatedSystem } from './testing/isolated-system.ts';

let one: string;
let other: string;
beforeAll(async () => {
  one = (await createRoot({ name: 'One', now: Date.now() })).certificatePem;
  other = (await createRoot({ name: 'Other', now: Date.now() })).certificatePem;
});

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-trust-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const systems = {
  debian: ['usr/local/share/ca-certificates', 'usr/sbin/update-ca-certificates', []],
  fedora: ['etc/pki/ca-trust/source/anchors', 'usr/bin/update-ca-trust', ['extract']],
} as const;

function put(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

describe.each(Object.keys(systems) as (keyof typeof systems)[])('on %s', (name) => {
  const [folder, program, args] = systems[name];
  let ran: string[][];
  const start = () =>
    createSystemTrust({
      root,
      run: async (path, given) => void ran.push([path, ...given]),
    });
  const there = () => readdirSync(join(root, folder)).toSorted();
  const texts = () => there().map((file) => readFileSync(join(root, folder, file), 'utf8'));
  const profile = 'etc/profile.d/gatehouse.sh';
  beforeEach(() => {
    ran = [];
    put(program, '');
    put(`${folder}/of-the-company.crt`, 'theirs');
    mkdirSync(join(root, 'etc/profile.d'), { recursive: true });
  });

  test('roots are readable by everybody while they are required, and files of others are kept', async () => {
    const trust = start();
    await trust.set([one, other]);
    expect(texts().toSorted()).toEqual([one, other, 'theirs'].toSorted());
    const [first = ''] = there();
    expect(statSync(join(root, folder, first)).mode & 0o777).toBe(0o644);
    expect(readFileSync(join(root, profile), 'utf8')).toBe(SHELL_PROFILE);
    await trust.set([other]);
    expect(texts().toSorted()).toEqual([other, 'theirs'].toSorted());
    await trust.set([]);
    expect(there()).toEqual(['of-the-company.crt']);
    expect(readdirSync(join(root, 'etc/profile.d'))).toEqual([]);
    expect(ran).toEqual([1, 2, 3].map(() => [join(root, program), ...args]));
  });

  test('the system is updated only after a change, and once by a new process', async () => {
    const trust = start();
    for (const roots of [[one], [one], [one]]) await trust.set(roots);
    expect(ran).toHaveLength(1);
    await start().set([one]);
    expect(ran).toHaveLength(2);
    await start().set([]);
    await start().set([]);
    expect(ran).toHaveLength(3);
  });

  test('roots that others have removed are installed again', async () => {
    const trust = start();
    await trust.set([one]);
    for (const file of there().filter((entry) => entry.startsWith('gatehouse-')))
      rmSync(join(root, folder, file));
    await trust.set([one]);
    expect(texts()).toContain(one);
    expect(ran).toHaveLength(2);
  });

  test('a failed update is repeated, also after another root', async () => {
    let fails = false;
    const trust = createSystemTrust({
      root,
      run: async () => {
        if (fails) throw new Error('it failed');
        ran.push([]);
      },
    });
    await trust.set([one]);
    fails = true;
    await expect(trust.set([one, other])).rejects.toThrow('it failed');
    fails = false;
    await trust.set([one, other]);
    expect(ran).toHaveLength(2);
  });

  test('a failed update is repeated', async () => {
    let fails = true;
    const trust = createSystemTrust({
      root,
      run: async () => {
        if (fails) throw new Error('it failed');
        ran.push([]);
      },
    });
    await expect(trust.set([one])).rejects.toThrow('it failed');
    fails = false;
    await trust.set([one]);
    expect(ran).toHaveLength(1);
  });

  test('an update after a removal is repeated by the next process if it was interrupted', async () => {
    await start().set([one]);
    const interrupted = createSystemTrust({ root, run: () => Promise.reject(new Error('killed')) });
    await expect(interrupted.set([])).rejects.toThrow('killed');
    ran = [];
    await start().set([]);
    await start().set([]);
    expect(ran).toEqual([[join(root, program), ...args]]);
    expect(there()).toEqual(['of-the-company.crt']);
  });

  test("removed roots are removed from Java's store, which the system does not do", async () => {
    const hook = 'etc/ca-certificates/update.d/jks-keystore';
    put(hook, '');
    const inputs: string[] = [];
    const trust = createSystemTrust({
      root,
      run: async (path, _, input) => void (path === join(root, hook) && inputs.push(input ?? '')),
    });
    await trust.set([one]);
    const name = there()
      .find((file) => file.startsWith('gatehouse-'))
      ?.replace('.crt', '.pem');
    await trust.set([]);
    expect(inputs).toEqual([`-/etc/ssl/certs/${name}\n`]);
  });

  test('a shell profile written by a user is kept', async () => {
    put(profile, 'export NODE_USE_SYSTEM_CA=0\n');
    const trust = start();
    await trust.set([one]);
    await trust.set([]);
    expect(readFileSync(join(root, profile), 'utf8')).toBe('export NODE_USE_SYSTEM_CA=0\n');
  });
});

test('the program that updates the store knows that dpkg runs, and nothing else of the environment', async () => {
  const [folder, program] = systems.debian;
  const result = join(root, 'result');
  put(program, `#!/bin/sh\necho "$DPKG_MAINTSCRIPT_PACKAGE:$HOME" > '${result}'\n`);
  chmodSync(join(root, program), 0o755);
  mkdirSync(join(root, folder), { recursive: true });
  vi.stubEnv('DPKG_MAINTSCRIPT_PACKAGE', 'agent');
  await createSystemTrust({ root }).set([one]);
  vi.unstubAllEnvs();
  expect(readFileSync(result, 'utf8')).toBe('agent:\n');
});

test('a system of an unknown kind is not changed, which is reported', async () => {
  mkdirSync(join(root, 'etc/profile.d'), { recursive: true });
  const trust = createSystemTrust({ root });
  await expect(trust.set([one])).rejects.toThrow('is of an unknown type');
  expect(readdirSync(join(root, 'etc/profile.d'))).toEqual([]);
  await trust.set([]);
});

describe('with the programs of the system', { tags: ['mounts', 'update-ca-certificates'] }, () => {
  let system: IsolatedSystem;
  beforeEach(() => {
    system = createIsolatedSystem();
  });
  afterEach(() => system.remove());

  test('a root is trusted by OpenSSL and by Node in a new shell until it is removed', async () => {
    put('root.pem', one);
    chmodSync(root, 0o755);
    const setRoots = `'${process.execPath}' '${join(import.meta.dirname, 'testing/set-roots.ts')}'`;
    const agent = join(import.meta.dirname, '../../headless.ts');
    const uninstall = `AGENT_STATE_DIR='${join(root, 'state')}' AGENT_SYSTEM_TRUST=on '${process.execPath}' '${agent}' uninstall`;
    const pem = `'${join(root, 'root.pem')}'`;
    const listTrusted = `
      openssl verify -CAfile /etc/ssl/certs/ca-certificates.crt ${pem} >/dev/null 2>&1 && echo openssl
      ls -A /etc/ssl/certs | grep -c gatehouse || :
      sh -lc 'echo "node: $NODE_USE_SYSTEM_CA"'
      NODE_USE_SYSTEM_CA=0 sh -lc 'echo "set: $NODE_USE_SYSTEM_CA"'
      sh -lc "'${process.execPath}' -p \\"require('tls').getCACertificates('default').map((c) => c.trim()).includes(require('fs').readFileSync('$FILE', 'utf8').trim())\\""`;
    const out = await system.sh(
      `${setRoots} ${pem}; ${listTrusted.replace('&& echo openssl', '&& echo openssl || echo no')}
      ${uninstall}; ${listTrusted.replace('&& echo openssl', '&& echo openssl || echo no')}`,
      { FILE: join(root, 'root.pem') },
    );
    expect(
      out
        .trim()
        .split('\n')
        .filter((line) => !/certificates|symlinks|hooks|done|info the system/i.test(line)),
    ).toEqual([
      'openssl',
      '1',
      'node: 1',
      'set: 0',
      'true',
      'no',
      '0',
      'node: ',
      'set: 0',
      'false',
    ]);
  });

  test('the links to all other authorities stay while a root is removed', async () => {
    put('root.pem', one);
    chmodSync(root, 0o755);
    const setRoots = `'${process.execPath}' '${join(import.meta.dirname, 'testing/set-roots.ts')}'`;
    const links = `find /etc/ssl/certs -type l ! -lname '*gatehouse*' -printf '%f %C@\\n' | sort`;
    const out = await system.sh(
      `${setRoots} '${join(root, 'root.pem')}'; ${links} > '${root}/before'
      ${setRoots}; ${links} | diff '${root}/before' - && echo same
      ls -A /usr/local/share/ca-certificates | wc -l`,
    );
    expect(out.trim().split('\n').slice(-2)).toEqual(['same', '0']);
  });
});
