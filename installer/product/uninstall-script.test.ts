// @module-tag python3

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readBundle } from '../bundle/read-bundle.ts';
import { makeApp, product } from '../testing/make-app.ts';
import { listInstalledEntries } from './layout.ts';
import { postinstall, preinstall } from './scripts.ts';
import { pretendMac, type PretendMac } from '../testing/pretend-mac.ts';
import { uninstall } from './uninstall-script.ts';

const { bundleId: id, appName } = product;
const TOOL = 'Applications/Gatehouse.app/Contents/MacOS/gatehouse-extensions';

let mac: PretendMac;
let folder: string;
const processes: ChildProcess[] = [];
beforeEach(() => {
  mac = pretendMac();
  folder = mkdtempSync(join(tmpdir(), 'installer-uninstall-'));
  mac.put('etc/bashrc', 'PS1="\\h:\\W \\u\\$ "\n');
  mac.put('Applications/Other.app/Contents/Info.plist', '<plist/>');
  mac.put('Users/anna/Library/Preferences/com.other.plist', '');
  mac.put(`Users/anna/Library/Group Containers/TEAM000001.${id}.other/x`, '');
  mac.put('private/var/root/Library/Group Containers/OTHER00001.com.other/x', '');
  for (const user of ['anna', 'ben', 'Shared']) mac.put(`Users/${user}/Library/Logs/other.log`, '');
  for (const folder of [
    'Application Support',
    'Caches',
    'Saved Application State',
    'HTTPStorages',
    'Group Containers',
  ])
    for (const user of ['anna', 'ben'])
      mkdirSync(join(mac.volume, 'Users', user, 'Library', folder), { recursive: true });
  mkdirSync(join(mac.volume, 'Library/LaunchAgents'), { recursive: true });
  mkdirSync(join(mac.volume, 'Library/Logs/DiagnosticReports'), { recursive: true });
});
afterEach(() => {
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  mac.remove();
});

/** Every path on the volume with its kind, mode and content. */
function tree(): string[] {
  return readdirSync(mac.volume, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const whole = join(mac.volume, path);
      const stat = lstatSync(whole);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) return `${path} -> ${readlinkSync(whole)}`;
      return `${path} ${mode} ${stat.isFile() ? readFileSync(whole, 'base64') : ''}`;
    });
}

/** Installs the content of the package and runs its scripts, as Installer does. */
async function install(): Promise<void> {
  const app = join(folder, 'Gatehouse.app');
  makeApp(app);
  mac.run(preinstall(id));
  for (const entry of listInstalledEntries(await readBundle(app), id)) {
    const path = join(mac.volume, entry.path);
    if (entry.type === 'directory') mkdirSync(path, { recursive: true });
    else if (entry.type === 'link') symlinkSync(entry.target, path);
    else if (Buffer.isBuffer(entry.content)) writeFileSync(path, entry.content);
    else copyFileSync((entry.content as { path: string }).path, path);
    if (entry.type === 'file') chmodSync(path, entry.mode);
  }
  mac.addReceipt(id);
  mac.run(postinstall(id));
}

/** Creates the files that the agent, Electron and macOS write while the app is used. */
function use(): void {
  mac.load(`gui_502_${id}`);
  for (const user of ['anna', 'ben'])
    for (const file of [
      `Application Support/${id}/device.json`,
      `Application Support/${id}/electron/Cookies`,
      `Caches/${id}/x`,
      `HTTPStorages/${id}/x`,
      `Saved Application State/${id}.savedState/x`,
      `Preferences/${id}.plist`,
      `Logs/${appName}/main.log`,
      `Group Containers/TEAM000001.${id}/Library/Preferences/x`,
    ])
      mac.put(`Users/${user}/Library/${file}`, 'x');
  mac.put(`private/var/root/Library/Group Containers/TEAM000001.${id}/x`, 'x');
  mac.put(`Library/Logs/DiagnosticReports/${appName}-2026-11-22.ips`, '');
  mac.put(`../environment/NODE_USE_SYSTEM_CA`, '1');
}

const quiet = { code: 0, stdout: '', stderr: '' };

describe('the uninstaller', () => {
  test('restores the file system, and leaves nothing loaded or set', async () => {
    mac.put('Users/anna/Library/Preferences/x', '');
    mac.put('Users/ben/Library/Preferences/x', '');
    const before = tree();
    await install();
    use();
    expect(tree()).not.toEqual(before);
    const { calls, ...ended } = mac.run(uninstall(id, appName));
    expect(ended).toEqual(quiet);
    expect(tree()).toEqual(before);
    for (const item of [`gui_501_${id}`, `gui_502_${id}`, `gui_501_${id}.environment`])
      expect([item, mac.isLoaded(item)]).toEqual([item, false]);
    expect(mac.hasReceipt(id)).toBe(false);
    expect(mac.has('../environment/NODE_USE_SYSTEM_CA')).toBe(false);
    expect(calls).toContain(`tccutil reset All ${id}`);
    expect(mac.run(uninstall(id, appName))).toMatchObject(quiet);
    expect(tree()).toEqual(before);
  });

  test('ends processes that still run from the app', async () => {
    await install();
    const program = join(mac.volume, 'Applications/Gatehouse.app/Contents/MacOS/Gatehouse');
    copyFileSync('/bin/sleep', program);
    chmodSync(program, 0o755);
    const child = spawn(program, ['600'], { stdio: 'ignore' });
    processes.push(child);
    await once(child, 'spawn');
    const ended = once(child, 'exit');
    expect(mac.run(uninstall(id, appName))).toMatchObject(quiet);
    expect(await ended).toEqual([null, 'SIGTERM']);
    expect(mac.has('Applications/Gatehouse.app')).toBe(false);
  });

  test('reports that the profile is still installed, and does not touch it', async () => {
    await install();
    const plist = `Library/Managed Preferences/${id}.proxymonitor.plist`;
    mac.put(plist, '');
    const { code, stdout } = mac.run(uninstall(id, appName));
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^com\.gatehouse\.agent: the configuration profile is still installed, .*root/,
      ),
    ]);
    expect(mac.has(plist)).toBe(true);
  });
});

describe('extensions', () => {
  const active = `\n*\t*\tTEAM000001\t${id}.proxymonitor (1/1)\tproxy\t[activated enabled]\n*\t*\tOTHER00001\tcom.other.vpn (1/1)\tvpn\t[activated enabled]\n`;
  const withTool = async (body: string): Promise<void> => {
    await install();
    writeFileSync(mac.extensions, active);
    mac.put(TOOL, `#!/bin/sh\n[ "$1" = deactivate ] || exit 2\n${body}\n`);
    chmodSync(join(mac.volume, TOOL), 0o755);
  };

  test('are deactivated by the app, in the active session, before it is removed', async () => {
    await withTool(`grep -v '${id}' '${mac.extensions}' >'${mac.extensions}.new'
mv '${mac.extensions}.new' '${mac.extensions}'`);
    const { calls, ...ended } = mac.run(uninstall(id, appName));
    expect(ended).toEqual(quiet);
    expect(calls).toContain(
      `launchctl asuser 501 sudo -u #501 ${join(mac.volume, TOOL)} deactivate`,
    );
    expect(mac.has('Applications/Gatehouse.app')).toBe(false);
  });

  test('count as removed while waiting for a restart', async () => {
    await withTool('exit 1');
    writeFileSync(
      mac.extensions,
      `\t\tTEAM000001\t${id}.proxymonitor (1/1)\tproxy\t[terminated waiting to uninstall on reboot]\n`,
    );
    expect(mac.run(uninstall(id, appName))).toMatchObject(quiet);
  });

  test.each([
    ['macOS refuses', 'echo \'{"event":"failed","problem":"not removable"}\'; exit 1', 'anna'],
    ['a prompt for an administrator times out', 'exec /bin/sleep 600', 'anna'],
    ['no user is logged in', 'exit 0', 'root'],
  ])(
    'keep the app and its receipt if %s, and the log names the next step',
    async (_, body, user) => {
      await withTool(body);
      mac.console(user);
      const { code, stdout } = mac.run(uninstall(id, appName));
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /could not remove the extensions, and left the app and its receipt for them: remove the profile, which deactivates them, and run this again\n$/,
      );
      expect([mac.has('Applications/Gatehouse.app'), mac.hasReceipt(id)]).toEqual([true, true]);
      expect(mac.has(`Library/LaunchAgents/${id}.plist`)).toBe(false);
      // Device management has removed the profile.
      writeFileSync(mac.extensions, '');
      expect(mac.run(uninstall(id, appName))).toMatchObject(quiet);
      expect(mac.has('Applications/Gatehouse.app')).toBe(false);
    },
  );
});
