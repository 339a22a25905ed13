import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ipcRequests, STATUS_CHANNEL } from './bridge.ts';
import { buildApp } from './build.ts';
import { createTestInstallation, type TestInstallation } from './testing/test-installation.ts';
import type { Host } from './testing/start-host.ts';

const built = mkdtempSync(join(tmpdir(), 'electron-app-'));
beforeAll(() => buildApp('Lookout', built), 60_000);
afterAll(() => rmSync(built, { recursive: true }));

interface Snapshot {
  windows: { options: { webPreferences: object } }[];
}

describe('the window', () => {
  let place: TestInstallation;
  let host: Host;
  beforeAll(async () => {
    place = createTestInstallation(built);
    host = await place.startWithWindow();
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test('is shown on request, with a session that is stored only in memory', async () => {
    expect(await host.perform({ do: 'snapshot' })).toMatchObject({
      // A partition without `persist:` is stored only in memory.
      partitions: ['status-window'],
      windows: [
        { shown: true, title: 'Stand-in', options: { width: 720, height: 560, show: false } },
      ],
    });
  });

  test('is sandboxed, without Node and without experimental features', async () => {
    const { windows } = (await host.perform({ do: 'snapshot' })) as Snapshot;
    expect(windows[0]?.options.webPreferences).toEqual({
      preload: join(built, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: false,
    });
  });

  test.each([
    'will-navigate',
    'will-frame-navigate',
    'will-redirect',
    'will-attach-webview',
    'will-download',
  ])('%s is prevented', async (event) => {
    expect(await host.perform({ do: 'page event', event })).toBe(true);
  });

  test.each(['https://example.test/', 'app://status/index.html', 'about:blank'])(
    'opens no other window: %s',
    async (url) => {
      expect(await host.perform({ do: 'open new window', url })).toBe('deny');
    },
  );

  test.each(['media', 'geolocation', 'notifications', 'openExternal', 'clipboard-read', 'usb'])(
    'is not permitted: %s',
    async (permission) => {
      expect(await host.perform({ do: 'permission', permission })).toEqual([false, false, false]);
    },
  );

  test.each(['index.html', 'renderer.js', 'renderer.css'])(
    'gets %s, under a policy that allows nothing from elsewhere',
    async (name) => {
      expect(await host.perform({ do: 'fetch', url: `app://status/${name}` })).toEqual({
        status: 200,
        type: 'default',
        policy:
          "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        text: readFileSync(join(built, 'renderer', name), 'utf8'),
      });
    },
  );

  test.each([
    'app://status/',
    'app://status/main.js',
    'app://status/../main.js',
    'app://status/%2e%2e/main.js',
    'app://status/..%2fmain.js',
    'app://status//etc/passwd',
    'app://status/constructor',
    'app://status/__proto__',
  ])('gets nothing for %s', async (url) => {
    const response = await host.perform({ do: 'fetch', url });
    expect(response).toMatchObject({ status: 404, text: 'not found' });
  });

  test.each([
    'https://example.test/',
    'http://127.0.0.1/',
    'file:///etc/passwd',
    'data:text/html,hello',
    'wss://example.test/',
    'devtools://devtools/bundled/inspector.html',
  ])('does not reach %s', async (url) => {
    expect(await host.perform({ do: 'fetch', url })).toMatchObject({ type: 'error' });
  });
});

describe('requests to the app', () => {
  const status = { do: 'send request', channel: ipcRequests.status } as const;
  const about = { do: 'send request', channel: ipcRequests.about } as const;
  const exchange = { do: 'send request', channel: ipcRequests.exchange } as const;
  const pause = { do: 'send request', channel: ipcRequests.pause } as const;
  const resume = { do: 'send request', channel: ipcRequests.resume } as const;
  const all = [status, about, exchange, pause, resume];
  let place: TestInstallation;
  let host: Host;
  beforeAll(async () => {
    place = createTestInstallation(built);
    host = await place.startWithWindow();
    await host.logged(/no such file yet/);
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test('requests of its page are answered', async () => {
    expect(await host.perform({ ...about, from: 'page' })).toEqual({
      name: 'Stand-in',
      version: '1.2.3',
      locale: 'en-GB',
    });
    expect(await host.perform({ ...status, from: 'page' })).toEqual({
      phase: 'waiting for configuration',
      device_id: null,
      api_host: null,
      identity_expires_at: null,
      key_binding: 'none',
      connected: false,
      config_version: null,
      capture: {
        enabled: false,
        hosts: [],
        processes: [],
        enabled_by: null,
        enforced: false,
        blocked_hosts: [],
        blocked_processes: [],
      },
      pause: { allowed_minutes: 0, until: null },
      coding_agents: { level: 'off', tool_checks: 'off', files: [] },
      app: null,
      sent_today: {
        flow_reports: 0,
        captures: 0,
        inventories: 0,
        telemetry: 0,
        tool_calls: 0,
        bytes: 0,
        day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      },
      counts: { apps: 0, open_flows: 0, reported: 0, queued: 0, dropped: 0 },
      recent_flows: [],
      exchanges: [],
      apps: [],
      capture_levels: [],
      problems: [`managed preferences: ${place.preferences}: no such file yet`],
      unread_files: [],
    });
  });

  test.each([status, about, pause, resume])(
    '$channel with a parameter is refused',
    async (request) => {
      const response = host.perform({ ...request, from: 'page', parameters: [{}] });
      await expect(response).rejects.toThrow('refused: ');
    },
  );

  test.each<[unknown[]]>([[[]], [['']], [['x'.repeat(65)]], [[7]], [[{ id: 'x' }]], [['x', 'y']]])(
    'a request for an exchange with %j is refused',
    async (parameters) => {
      const response = host.perform({ ...exchange, from: 'page', parameters });
      await expect(response).rejects.toThrow('refused: exchange');
    },
  );

  test('an unknown exchange is null, and capture is not paused without permission', async () => {
    expect(await host.perform({ ...exchange, from: 'page', parameters: ['cap_1'] })).toBe(null);
    expect(await host.perform({ ...pause, from: 'page' })).toBe(false);
    expect(await host.perform({ ...resume, from: 'page' })).toBe(false);
  });

  test.each(['inner frame', 'no frame'] as const)('%s is refused', async (from) => {
    for (const request of all)
      await expect(host.perform({ ...request, from })).rejects.toThrow(
        'refused: the sender is not the window',
      );
  });

  test('the page receives changes', async () => {
    writeFileSync(place.preferences, 'not a plist');
    const received: unknown[] = [];
    const lastMessage = async () => {
      received.push(...((await host.perform({ do: 'take messages' })) as unknown[]));
      return received.at(-1);
    };
    const problems = [expect.not.stringContaining('no such file')];
    await expect.poll(lastMessage).toEqual([STATUS_CHANNEL, expect.objectContaining({ problems })]);
  });

  test('requests of another page are refused', async () => {
    await host.perform({ do: 'set page', url: 'https://example.test/' });
    for (const request of all)
      await expect(host.perform({ ...request, from: 'page' })).rejects.toThrow('refused');
  });
});
