import { execFileSync } from 'node:child_process';
import { build, parse } from 'plist';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { environmentAgent } from './environment.ts';
import { launchAgent, postinstall, preinstall } from './scripts.ts';
import { pretendMac, type PretendMac } from '../testing/pretend-mac.ts';
import { uninstall } from './uninstall-script.ts';

const ID = 'com.gatehouse.agent';
const item = `Library/LaunchAgents/${ID}.plist`;
const environmentItem = `Library/LaunchAgents/${ID}.environment.plist`;
const annas = `gui_501_${ID}`;
const bens = `gui_502_${ID}`;

let mac: PretendMac;
beforeEach(() => {
  mac = pretendMac();
});
afterEach(() => mac.remove());

/** Simulates the installation of the package's files. */
function install(app = 'Gatehouse.app'): void {
  mac.put(item, launchAgent(ID, `/Applications/${app}/Contents/MacOS/Gatehouse`));
  mac.put(environmentItem, environmentAgent(ID));
  mac.put(`Applications/${app}/Contents/Info.plist`, build({ CFBundleIdentifier: ID }));
  mac.addReceipt(ID);
}

const quiet = { code: 0, stderr: '' };

describe('the scripts of the package', () => {
  test('load the background item for the console user, however often they run', () => {
    install();
    for (let time = 0; time < 2; time += 1) {
      expect(mac.run(preinstall(ID))).toMatchObject(quiet);
      expect(mac.isLoaded(annas)).toBe(false);
      for (let again = 0; again < 2; again += 1) {
        const { calls, ...ended } = mac.run(postinstall(ID));
        expect(ended).toMatchObject(quiet);
        expect(calls.slice(-2)).toEqual([
          `launchctl enable gui/501/${ID}`,
          `launchctl bootstrap gui/501 ${join(mac.volume, item)}`,
        ]);
        expect(mac.isLoaded(annas)).toBe(true);
      }
    }
    expect(mac.isLoaded(bens)).toBe(false);
  });

  test('wait until a running agent has exited', () => {
    install();
    mac.load(annas);
    const { calls } = mac.run(preinstall(ID));
    const print = `launchctl print gui/501/${ID}`;
    expect(calls).toEqual([print, `launchctl bootout gui/501/${ID}`, print, 'sleep 1', print]);
  });

  test.each(['root', 'loginwindow', '_mbsetupuser', ''])(
    'do nothing if the console user is "%s"',
    (user) => {
      install();
      mac.console(user);
      expect(mac.run(preinstall(ID))).toMatchObject({ ...quiet, calls: [] });
      expect(mac.run(postinstall(ID))).toMatchObject({ ...quiet, calls: [] });
    },
  );

  test('do not fail if the item cannot be loaded, because it is loaded at the next login', () => {
    expect(mac.run(postinstall(ID)).code).toBe(0);
    expect(mac.isLoaded(annas)).toBe(false);
  });
});

describe('the environment of Node programs', () => {
  const shells = ['etc/zshenv', 'etc/bashrc'];
  const bashrc = 'PS1="\\h:\\W \\u\\$ "\n';
  beforeEach(() => {
    install();
    mac.put('etc/bashrc', bashrc);
  });
  /** The variable's value in a shell that has read the file, with the given environment. */
  const setBy = (file: string, env: Record<string, string> = {}): string =>
    execFileSync(
      'sh',
      ['-uc', '. "$1"; printenv NODE_USE_SYSTEM_CA || :', 'sh', join(mac.volume, file)],
      {
        env: { PATH: '/usr/bin:/bin', ...env },
        encoding: 'utf8',
      },
    ).trim();

  test('is set by shells, unless already set, however often the package is installed', () => {
    for (let time = 0; time < 3; time += 1) expect(mac.run(postinstall(ID))).toMatchObject(quiet);
    for (const file of shells) {
      expect([file, setBy(file), setBy(file, { NODE_USE_SYSTEM_CA: '0' })]).toEqual([
        file,
        '1',
        '0',
      ]);
      expect(mac.read(file).match(/>>> com\.gatehouse\.agent >>>/g)).toHaveLength(1);
    }
    expect(mac.read('etc/bashrc').startsWith(bashrc)).toBe(true);
  });

  test('is set by shells also if no user is logged in', () => {
    mac.console('root');
    expect(mac.run(postinstall(ID))).toMatchObject({ ...quiet, calls: [] });
    expect(setBy('etc/zshenv')).toBe('1');
  });

  test('is removed by the uninstaller, which keeps the rest of the files', () => {
    mac.run(postinstall(ID));
    mac.put('etc/bashrc', `${mac.read('etc/bashrc')}alias l=ls\n`);
    expect(mac.run(uninstall(ID, 'Gatehouse')).code).toBe(0);
    expect(mac.read('etc/bashrc')).toBe(`${bashrc}alias l=ls\n`);
    expect(mac.has('etc/zshenv')).toBe(false);
  });

  test('is left unchanged in a block that was truncated by a user', () => {
    const cut = `${bashrc}# >>> ${ID} >>>\nexport MINE=1\n`;
    mac.put('etc/bashrc', cut);
    expect(mac.run(postinstall(ID))).toMatchObject(quiet);
    expect(mac.run(uninstall(ID, 'Gatehouse')).code).toBe(0);
    expect(mac.read('etc/bashrc')).toBe(cut);
  });

  test('starts on a new line', () => {
    mac.put('etc/bashrc', 'export A=1');
    mac.run(postinstall(ID));
    expect(mac.read('etc/bashrc')).toMatch(/^export A=1\n# >>>/);
  });

  test('is set for apps at login, unless already set', () => {
    const { ProgramArguments } = parse(environmentAgent(ID)) as { ProgramArguments: string[] };
    const [, , command = ''] = ProgramArguments;
    const set = 'launchctl setenv NODE_USE_SYSTEM_CA 1';
    const get = 'launchctl getenv NODE_USE_SYSTEM_CA';
    expect(mac.run(command).calls).toEqual([get, set]);
    expect(mac.run(command).calls).toEqual([get]);
  });

  test('is set for the active session when the package is installed', () => {
    for (let time = 0; time < 2; time += 1) {
      mac.run(postinstall(ID));
      expect(mac.isLoaded(`${annas}.environment`)).toBe(true);
    }
  });
});

describe('the script of the uninstaller', { tags: ['python3'] }, () => {
  const state = (user: string) => `Users/${user}/Library/Application Support/${ID}/device.json`;

  function installUsed(app?: string): void {
    install(app);
    for (const user of ['anna', 'ben', 'Shared']) mac.put(state(user), '{}');
    mac.put('Users/anna/Library/Application Support/other/x', '');
    mac.put('Applications/Other.app/Contents/Info.plist', build({ CFBundleIdentifier: 'a.b' }));
    mac.load(annas);
    mac.load(bens);
    mac.load(`${annas}.environment`);
  }

  test.each(['Gatehouse.app', "Renamed & O'Neill.app"])(
    'removes everything that the package installed, and nothing else, of %s',
    (app) => {
      installUsed(app);
      for (let time = 0; time < 2; time += 1) {
        expect(mac.run(uninstall(ID, 'Gatehouse'))).toMatchObject(quiet);
        for (const path of [
          item,
          environmentItem,
          `Applications/${app}`,
          state('anna'),
          state('ben'),
        ])
          expect([path, mac.has(path)]).toEqual([path, false]);
        for (const loaded of [annas, bens, `${annas}.environment`])
          expect([loaded, mac.isLoaded(loaded)]).toEqual([loaded, false]);
        expect(mac.hasReceipt(ID)).toBe(false);
        expect(mac.has('Users/anna/Library/Application Support/other/x')).toBe(true);
        expect(mac.has('Applications/Other.app/Contents/Info.plist')).toBe(true);
        // Not a user's home, because root owns it.
        expect(mac.has(state('Shared'))).toBe(true);
      }
    },
  );

  test('stops the agent of a user whose home is elsewhere', () => {
    install();
    mac.load(annas);
    expect(mac.run(uninstall(ID, 'Gatehouse'))).toMatchObject(quiet);
    expect(mac.isLoaded(annas)).toBe(false);
  });

  test('works if no user is logged in', () => {
    installUsed();
    mac.console('root');
    expect(mac.run(uninstall(ID, 'Gatehouse'))).toMatchObject(quiet);
    expect(mac.has('Applications/Gatehouse.app')).toBe(false);
  });

  test('keeps an unrelated app of the same name', () => {
    mac.put('Applications/Gatehouse.app/Contents/Info.plist', build({ CFBundleIdentifier: 'a.b' }));
    expect(mac.run(uninstall(ID, 'Gatehouse'))).toMatchObject(quiet);
    expect(mac.has('Applications/Gatehouse.app')).toBe(true);
  });

  test("removes a user's state with that user's permissions only", () => {
    mac.put(`Elsewhere/${ID}/theirs`, '');
    mkdirSync(join(mac.volume, 'Users/anna/Library'), { recursive: true });
    symlinkSync('../../../Elsewhere', join(mac.volume, 'Users/anna/Library/Application Support'));
    const { calls } = mac.run(uninstall(ID, 'Gatehouse'));
    const folder = join(mac.volume, `Users/anna/Library/Application Support/${ID}`);
    expect(calls).toContain(`sudo -u #501 rm -rf ${folder}`);
  });

  test('quotes the name of the app for the shell', () => {
    const name = `A'; touch "$volume/hacked" #`;
    mac.put(`Applications/${name}.app/Contents/Info.plist`, build({ CFBundleIdentifier: ID }));
    expect(mac.run(uninstall(ID, name))).toMatchObject(quiet);
    expect(mac.has('hacked')).toBe(false);
  });
});
