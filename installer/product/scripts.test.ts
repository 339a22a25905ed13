import { build } from 'plist';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchAgent } from './launch-agent.ts';
import { postinstall, preinstall, uninstall } from './scripts.ts';
import { pretendMac, type PretendMac } from './testing/pretend-mac.ts';

const id = 'com.gatehouse.agent';
const item = `Library/LaunchAgents/${id}.plist`;
const annas = `gui_501_${id}`;
const bens = `gui_502_${id}`;

let mac: PretendMac;
beforeEach(() => {
  mac = pretendMac();
});
afterEach(() => mac.remove());

/** As the package leaves it. */
function install(app = 'Gatehouse.app'): void {
  mac.put(item, launchAgent(id, `/Applications/${app}/Contents/MacOS/Gatehouse`));
  mac.put(`Applications/${app}/Contents/Info.plist`, build({ CFBundleIdentifier: id }));
  mac.addReceipt(id);
}

const quiet = { code: 0, stderr: '' };

describe('the scripts of the package', () => {
  it('load the background item for the user at the console, however often they run', () => {
    install();
    for (let time = 0; time < 2; time += 1) {
      expect(mac.run(preinstall(id))).toMatchObject(quiet);
      expect(mac.isLoaded(annas)).toBe(false);
      for (let again = 0; again < 2; again += 1) {
        const { calls, ...ended } = mac.run(postinstall(id));
        expect(ended).toEqual(quiet);
        expect(calls.slice(-2)).toEqual([
          `launchctl enable gui/501/${id}`,
          `launchctl bootstrap gui/501 ${join(mac.volume, item)}`,
        ]);
        expect(mac.isLoaded(annas)).toBe(true);
      }
    }
    expect(mac.isLoaded(bens)).toBe(false);
  });

  it('wait until a running agent has gone', () => {
    install();
    mac.load(annas);
    const { calls } = mac.run(preinstall(id));
    const print = `launchctl print gui/501/${id}`;
    expect(calls).toEqual([print, `launchctl bootout gui/501/${id}`, print, 'sleep 1', print]);
  });

  it.each(['root', 'loginwindow', '_mbsetupuser', ''])(
    'do nothing at the screen of "%s"',
    (user) => {
      install();
      mac.console(user);
      expect(mac.run(preinstall(id))).toEqual({ ...quiet, calls: [] });
      expect(mac.run(postinstall(id))).toEqual({ ...quiet, calls: [] });
    },
  );

  it('do not fail when the item cannot be loaded: it will be at the next log-in', () => {
    expect(mac.run(postinstall(id)).code).toBe(0);
    expect(mac.isLoaded(annas)).toBe(false);
  });
});

describe('the script of the uninstaller', { tags: ['python3'] }, () => {
  const state = (user: string) => `Users/${user}/Library/Application Support/${id}/device.json`;

  function installUsed(app?: string): void {
    install(app);
    for (const user of ['anna', 'ben', 'Shared']) mac.put(state(user), '{}');
    mac.put('Users/anna/Library/Application Support/other/x', '');
    mac.put('Applications/Other.app/Contents/Info.plist', build({ CFBundleIdentifier: 'a.b' }));
    mac.load(annas);
    mac.load(bens);
  }

  it.each(['Gatehouse.app', "Renamed & O'Neill.app"])(
    'takes everything of ours away, and nothing else, of %s',
    (app) => {
      installUsed(app);
      for (let time = 0; time < 2; time += 1) {
        expect(mac.run(uninstall(id, 'Gatehouse'))).toMatchObject(quiet);
        for (const path of [item, `Applications/${app}`, state('anna'), state('ben')])
          expect([path, mac.has(path)]).toEqual([path, false]);
        expect([mac.isLoaded(annas), mac.isLoaded(bens)]).toEqual([false, false]);
        expect(mac.hasReceipt(id)).toBe(false);
        expect(mac.has('Users/anna/Library/Application Support/other/x')).toBe(true);
        expect(mac.has('Applications/Other.app/Contents/Info.plist')).toBe(true);
        // Nobody's home: root owns it.
        expect(mac.has(state('Shared'))).toBe(true);
      }
    },
  );

  it('stops the agent of a user whose home lies elsewhere', () => {
    install();
    mac.load(annas);
    expect(mac.run(uninstall(id, 'Gatehouse'))).toMatchObject(quiet);
    expect(mac.isLoaded(annas)).toBe(false);
  });

  it('does so with nobody logged in', () => {
    installUsed();
    mac.console('root');
    expect(mac.run(uninstall(id, 'Gatehouse'))).toMatchObject(quiet);
    expect(mac.has('Applications/Gatehouse.app')).toBe(false);
  });

  it('leaves an app of that name that is not ours', () => {
    mac.put('Applications/Gatehouse.app/Contents/Info.plist', build({ CFBundleIdentifier: 'a.b' }));
    expect(mac.run(uninstall(id, 'Gatehouse'))).toMatchObject(quiet);
    expect(mac.has('Applications/Gatehouse.app')).toBe(true);
  });

  it("removes a user's state with no more rights than that user has", () => {
    mac.put(`Elsewhere/${id}/theirs`, '');
    mkdirSync(join(mac.volume, 'Users/anna/Library'), { recursive: true });
    symlinkSync('../../../Elsewhere', join(mac.volume, 'Users/anna/Library/Application Support'));
    const { calls } = mac.run(uninstall(id, 'Gatehouse'));
    const folder = join(mac.volume, `Users/anna/Library/Application Support/${id}`);
    expect(calls).toContain(`sudo -u #501 rm -rf ${folder}`);
  });

  it('quotes the name of the app for the shell', () => {
    const name = `A'; touch "$volume/hacked" #`;
    mac.put(`Applications/${name}.app/Contents/Info.plist`, build({ CFBundleIdentifier: id }));
    expect(mac.run(uninstall(id, name))).toMatchObject(quiet);
    expect(mac.has('hacked')).toBe(false);
  });
});
