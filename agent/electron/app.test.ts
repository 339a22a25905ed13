import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeExtensionsTool } from '#agent/node/extensions/testing/fake-extensions-tool.ts';
import { buildApp } from './build.ts';
import { createTestInstallation, type TestInstallation } from './testing/test-installation.ts';

const built = mkdtempSync(join(tmpdir(), 'electron-app-'));
beforeAll(() => buildApp('Lookout', built), 60_000);
afterAll(() => rmSync(built, { recursive: true }));

const lockOf = ({ stateDir }: TestInstallation): string => join(stateDir, 'agent.lock');

describe('the built app', () => {
  const read = (name: string): string => readFileSync(join(built, name), 'utf8');

  test('has the files that Electron starts, and the name that it was built with', () => {
    expect(JSON.parse(read('package.json'))).toMatchObject({
      productName: 'Lookout',
      type: 'module',
      main: 'main.js',
    });
    const files = ['index.html', 'renderer.css', 'renderer.js'];
    expect(readdirSync(join(built, 'renderer')).sort()).toEqual(files);
  });

  test('needs no node_modules except the native module for Linux', () => {
    const importsOf = (name: string): string[] =>
      [...read(name).matchAll(/^import[^;]*?["']([^"']+)["'];/gm)].map(([, from = '']) => from);
    const isOwn = (from: string): boolean => from.startsWith('./');
    const loadedWith = (name: string): string[] => [
      name,
      ...importsOf(name).flatMap((from) => (isOwn(from) ? loadedWith(from.slice(2)) : [])),
    ];
    const packagesOf = (names: readonly string[]): string[] => [
      ...new Set(names.flatMap(importsOf).filter((from) => !/^(node:|\.)/.test(from))),
    ];
    expect(packagesOf(loadedWith('main.js'))).toEqual(['electron']);
    for (const thread of ['report-worker.js', 'check-worker.js', 'inventory-worker.js'])
      expect(packagesOf(loadedWith(thread))).toEqual([]);
    const scripts = readdirSync(built).filter((name) => name.endsWith('.js'));
    expect(packagesOf(scripts).sort()).toEqual(['electron', 'koffi']);
  });

  test('uses no part of Electron that opens dialogs, notifications or other programs', () => {
    const [, names = ''] = /import \{([^}]*)\} from ?["']electron["']/.exec(read('main.js')) ?? [];
    const used = names.split(',').map((name) => name.trim().split(' as ')[0]);
    expect(used.toSorted((a = '', b = '') => (a < b ? -1 : 1))).toEqual([
      'BrowserWindow',
      'Menu',
      'Tray',
      'app',
      'ipcMain',
      'nativeTheme',
      'protocol',
      'session',
    ]);
  });

  test('contains only the version of package.json', () => {
    expect(read('main.js')).not.toContain('devDependencies');
  });

  test('has a preload script that requires only electron and exposes only the bridge', () => {
    const preload = read('preload.cjs');
    expect([...preload.matchAll(/require\([^)]*\)/g)].map(String)).toEqual(['require("electron")']);
    expect(preload.match(/exposeInMainWorld/g)).toHaveLength(1);
  });
});

describe('in the background', () => {
  test.each([
    { platform: 'linux', activationPolicy: 'regular', icon: 'tray.png' },
    { platform: 'darwin', activationPolicy: 'accessory', icon: 'trayTemplate.png' },
  ] as const)('on $platform: a tray, no window, no quit', async (expected) => {
    await using place = createTestInstallation(built);
    const { platform, activationPolicy, icon } = expected;
    const host = await place.start({ platform });
    const takeSnapshot = () => host.perform({ do: 'snapshot' });
    // The menu is complete once the agent has found no managed preferences.
    await expect.poll(takeSnapshot).toMatchObject({ tray: { menu: { length: 7 } } });
    expect(await takeSnapshot()).toEqual({
      schemes: [
        {
          scheme: 'app',
          privileges: { standard: true, secure: true, supportFetchAPI: true, corsEnabled: true },
        },
      ],
      paths: {
        userData: join(place.stateDir, 'electron'),
        sessionData: join(place.stateDir, 'electron'),
      },
      activationPolicy,
      hardwareAcceleration: false,
      partitions: [],
      applicationMenu: [
        { label: 'Window', submenu: [{ role: 'copy' }, { role: 'selectAll' }, { role: 'close' }] },
        {
          label: 'View',
          submenu: [{ role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'resetZoom' }],
        },
      ],
      windows: [],
      tray: {
        icon: join(built, 'icons', icon),
        toolTip: 'Stand-in: Nothing is decrypted',
        menu: [
          { label: 'Waiting for configuration', enabled: false },
          { label: 'Nothing is decrypted', enabled: false },
          { label: '1 problem', enabled: false },
          {},
          { label: 'Show what is observed' },
          {},
          { label: 'Stand-in 1.2.3', enabled: false },
        ],
      },
    });
  });

  test('the app for Macs has its program activate the network extensions', async () => {
    await using place = createTestInstallation(built);
    const tool = createFakeExtensionsTool();
    try {
      tool.answer('activate', { event: 'failed', of: 'a.b', problem: 'no', code: 3 });
      const host = await place.start({ platform: 'darwin' }, { AGENT_EXTENSIONS: tool.program });
      await host.logged(/network extensions: a\.b: no \(3\)/);
      expect(tool.calls().slice(0, 2)).toEqual(['status', 'activate']);
    } finally {
      tool.remove();
    }
  });

  test('an app that is not packaged can be quit, and the agent releases its folder', async () => {
    await using place = createTestInstallation(built);
    const host = await place.start({ packaged: false });
    void host.perform({ do: 'choose', label: 'Quit' }).catch(() => {});
    expect(await host.ended).toBe(0);
    expect(host.log()).toContain('agent stopped');
    expect(existsSync(lockOf(place))).toBe(false);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s stops the agent first',
    async (signal) => {
      await using place = createTestInstallation(built);
      const host = await place.startWithWindow();
      host.signal(signal);
      expect(await host.ended).toBe(0);
      expect(host.log()).toContain('agent stopped');
      expect(existsSync(lockOf(place))).toBe(false);
    },
  );

  test('a second request to quit has no effect', async () => {
    await using place = createTestInstallation(built);
    const host = await place.start();
    void host.perform({ do: 'quit twice' }).catch(() => {});
    expect(await host.ended).toBe(0);
    expect(host.log().match(/agent stopped/g)).toHaveLength(1);
  });

  test('it keeps running after its window was closed or has crashed', async () => {
    await using place = createTestInstallation(built);
    const host = await place.startWithWindow();
    await host.perform({ do: 'close window' });
    expect(await host.perform({ do: 'snapshot' })).toMatchObject({ windows: [] });
    await host.perform({ do: 'app event', event: 'activate' });
    expect(await host.perform({ do: 'snapshot' })).toMatchObject({ windows: [{ shown: true }] });
    await host.perform({ do: 'crash window' });
    expect(await host.perform({ do: 'snapshot' })).toMatchObject({ windows: [] });
    await host.logged(/error window: its process has ended: crashed/);
  });
});

describe('an app that is started twice', () => {
  test('the second process ends at once without starting an agent', async () => {
    await using place = createTestInstallation(built);
    const second = place.launch({ isFirst: false });
    expect(await second.ended).toBe(0);
    expect([second.log(), existsSync(lockOf(place))]).toEqual(['', false]);
  });

  test('the first process shows one window', async () => {
    await using place = createTestInstallation(built);
    const host = await place.start();
    await host.perform({ do: 'app event', event: 'second-instance' });
    await host.perform({ do: 'app event', event: 'second-instance' });
    expect(await host.perform({ do: 'snapshot' })).toMatchObject({ windows: [{ shown: true }] });
  });
});

describe('a failed start prints one line', () => {
  test.each([
    ['a bad variable', { LOG_LEVEL: 'loud' }, /^\S+ error .*LOG_LEVEL.*\n$/],
    ['an unusable folder', { AGENT_STATE_DIR: '/dev/null/x' }, /^\S+ error state folder .*\n$/],
  ])('%s', async (_what, env, line) => {
    await using place = createTestInstallation(built);
    const host = place.launch({}, env);
    expect(await host.ended).toBe(1);
    expect(host.log()).toMatch(line);
  });

  test('an agent without Electron uses the folder', async () => {
    await using place = createTestInstallation(built);
    await place.start();
    const other = place.launch();
    expect(await other.ended).toBe(1);
    expect(other.log()).toMatch(/^\S+ error another agent \(pid \d+\) uses .*\n$/);
  });
});

test('developer tools are available only before the app is packaged', async () => {
  await using place = createTestInstallation(built);
  const host = await place.startWithWindow({ packaged: false });
  expect(await host.perform({ do: 'snapshot' })).toMatchObject({
    windows: [{ options: { webPreferences: { devTools: true, sandbox: true } } }],
  });
  const url = 'devtools://devtools/bundled/inspector.html';
  expect(await host.perform({ do: 'fetch', url })).toMatchObject({ text: 'from the network' });
});
