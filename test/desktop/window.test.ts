// @module-tag chromium

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readAgentConfig } from '#agent/config.ts';
import { ipcRequests, STATUS_CHANNEL, type StatusMessage } from '#agent/electron/bridge.ts';
import { buildApp, buildWindow } from '#agent/electron/build.ts';
import { encodeStatus } from '#agent/electron/status-message.ts';
import { createTestInstallation } from '#agent/electron/testing/test-installation.ts';
import type { ObserveFlows } from '#agent/node/reports/flow-supervisor.ts';
import { createLog } from '#agent/node/log.ts';
import { type AgentRuntime, startAgent } from '#agent/node/start-agent.ts';
import type { FlowReport } from '#contract/flows.ts';
import type { AppReport } from '#contract/inventory.ts';
import { materializeManagedConfig, trustedRoots } from '#profile-builder/materialize.ts';
import { launchChromium } from '../support/chromium.ts';
import { openStatusPage, serveWindow } from '../support/status-page.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { readProfile } from '../support/device.ts';

let folder: string;
let browser: Browser;
let plane: TestControlPlane;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'electron-window-'));
  await buildWindow(join(folder, 'window'));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes the managed preferences and the root of a device like its profile does. */
async function installProfile(into: string): Promise<{ preferences: string; roots: string }> {
  const { profile } = await readProfile(plane);
  const preferences = join(into, 'managed.plist');
  const roots = join(into, 'roots.pem');
  writeFileSync(preferences, materializeManagedConfig(profile).plist);
  writeFileSync(roots, trustedRoots(profile));
  return { preferences, roots };
}

describe('what a user sees', () => {
  let agent: AgentRuntime;
  let page: Page;
  let report: (flow: FlowReport) => void;
  const complaints: string[] = [];

  const observe: ObserveFlows = async ({ onReport }) => {
    report = onReport;
    return { openFlows: () => [], stop: async () => {} };
  };
  const unreadFile = '/home/ada/x/.mcp.json: not JSON';
  const scan = async () => ({
    apps: [appNamed('Claude Code'), appNamed('Cursor')],
    problems: [unreadFile],
  });

  beforeAll(async () => {
    plane = await startTestControlPlane('sqlite');
    const { preferences, roots } = await installProfile(folder);
    const read = readAgentConfig({
      MANAGED_PREFERENCES: preferences,
      AGENT_STATE_DIR: join(folder, 'state'),
      AGENT_TRUSTED_ROOTS: roots,
      AGENT_HARDWARE_ID: 'window-hardware',
      AGENT_HEARTBEAT_SECONDS: '1',
      AGENT_SYSTEM_TRUST: 'off',
      AGENT_TPM: 'off',
    });
    if ('error' in read) throw new Error(read.error);
    const log = createLog({ level: 'error', write: () => {} });
    agent = await startAgent({ ...read.config, log, observe, scan });
    page = await openWindow(agent, complaints);
  });
  afterAll(async () => {
    await page?.close();
    await agent?.stop();
    await plane?.stop();
  });

  const fact = (term: string) =>
    page
      .locator('dl > div')
      .filter({ has: page.locator('dt', { hasText: term }) })
      .locator('dd');
  /** Expects the agent's configuration version, which may change while the page is read. */
  const showsVersion = async (): Promise<void> => {
    await expect
      .poll(async () => {
        const shown = await fact('Configuration').textContent();
        return shown === `Version ${agent.status().config_version}`;
      })
      .toBe(true);
  };

  test('the device is enrolled and connected, and nothing is decrypted', async () => {
    await shows(page, 'status', 'Observing');
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent())
      .toBe('Gatehouse');
    const { device_id, identity_expires_at } = agent.status();
    await expect
      .poll(() => fact('Enrolled with').textContent())
      .toBe(new URL(plane.urls.device).host);
    await expect.poll(() => fact('Device').textContent()).toBe(device_id);
    await showsVersion();
    await expect
      .poll(() => fact('Private keys').textContent())
      .toBe('Kept in a file, not bound to the hardware');
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });
    await expect
      .poll(() => fact('Certificate').textContent())
      .toBe(day.format(identity_expires_at ?? 0));
    const recorded = page.getByRole('region', { name: 'What is recorded' });
    await expect.poll(() => recorded.textContent()).toContain('Nothing is decrypted');
    const apps = page.getByRole('region', { name: 'AI apps on this computer' });
    await expect
      .poll(() => apps.getByRole('listitem').allTextContents())
      .toEqual(['Claude Code 2.0', 'Cursor 2.0']);
    await expect.poll(() => apps.locator('summary').textContent()).toBe('Command-line tools 2');
    await page.getByText('None seen since the app was started').waitFor();
  });

  test('a file that the inventory could not read is a note, and no problem', async () => {
    const notes = page.getByRole('region', { name: 'Notes' });
    await expect.poll(() => notes.textContent()).toContain(`inventory: ${unreadFile}`);
    expect(await notes.textContent()).toContain('everything else works');
    expect(await page.getByRole('region', { name: 'Problems' }).count()).toBe(0);
  });

  test('capture appears when it is switched on, and disappears when it is switched off', async () => {
    const put = (intercept_hosts: string[]) =>
      plane.byOwner.guard.putLayer({
        body: { layer: 'global', config: { capture_enabled: true, intercept_hosts } },
      });
    await put(['api.openai.com']);
    const headline = async (text: string): Promise<void> => {
      const shown = () => page.locator('.headline').textContent();
      await expect.poll(shown).toBe(text);
    };
    const readAndSent = (hosts: string) =>
      `Traffic of all apps to ${hosts} is read and sent to your company, redacted`;
    await headline(readAndSent('api.openai.com'));
    await put(['api.openai.com', 'api.anthropic.com']);
    await headline(readAndSent('api.anthropic.com and api.openai.com'));
    await plane.byOwner.guard.putLayer({
      body: {
        layer: 'device',
        scope: agent.status().device_id,
        config: { host_overrides: { 'claude.ai': true } },
      },
    });
    await headline(readAndSent('api.anthropic.com, api.openai.com and claude.ai'));
    const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(Date.now());
    const rows = page.getByRole('table', { name: 'What is recorded' }).getByRole('row');
    await expect
      .poll(async () => Promise.all((await rows.all()).map(cellsOf)))
      .toEqual([
        [],
        ['api.anthropic.com', 'the whole company', today],
        ['api.openai.com', 'the whole company', today],
        ['claude.ai', 'this computer', today],
      ]);
    await showsVersion();
    const { results } = await plane.byOwner.guard.listLayers();
    for (const { id } of results) await plane.byOwner.guard.deleteLayer({ params: { id } });
    await headline('Nothing is decrypted');
  });

  test('connections appear while they are open, most recently changed first', async () => {
    const flow = flowTo('api.openai.com');
    report(flow);
    report({ ...flowTo(null), id: 'second', process: null });
    report({ ...flow, bytes_in: 1_500_000, ended_at: flow.started_at + 1000 });
    const rows = page.getByRole('table', { name: 'Latest connections' }).getByRole('row');
    const cells = async () => Promise.all((await rows.all()).map(cellsOf));
    await expect
      .poll(cells)
      .toEqual([
        [],
        ['claude', 'api.openai.com', expect.not.stringContaining('open'), '1.5 MB', '200 B'],
        ['Unknown', '192.0.2.1', expect.stringContaining('open'), '100 B', '200 B'],
      ]);
    const device = page.getByRole('region', { name: 'This computer' });
    await device.getByText('3 sent, 0 waiting').waitFor();
    const today = page.getByRole('region', { name: 'Sent from this computer today' });
    await expect
      .poll(() => today.locator('dd').allTextContents())
      .toEqual(['3', '0', '1', '0', '0', expect.stringMatching(/^\d+(\.\d)? k?B$/)]);
  });

  test('the user can pause capture while an administrator allows it', async () => {
    const put = (pause_minutes: number) =>
      plane.byOwner.guard.putLayer({
        body: {
          layer: 'global',
          config: { capture_enabled: true, intercept_hosts: ['claude.ai'], pause_minutes },
        },
      });
    const capture = page.getByRole('region', { name: 'What is recorded' });
    const id = agent.status().device_id ?? '';
    const device = () => plane.byOwner.devices.getDevice({ params: { id } });
    await put(0);
    await expect.poll(() => capture.textContent()).toContain('claude.ai');
    expect(await capture.getByRole('button').count()).toBe(0);

    await put(30);
    await capture.getByRole('button', { name: 'Pause capture for 30 minutes' }).click();
    await expect.poll(() => capture.textContent()).toContain('Capture is paused until');
    await expect.poll(async () => (await device()).capture_pause?.user).toBe(userInfo().username);
    await capture.getByRole('button', { name: 'Resume capture' }).click();
    await expect.poll(async () => (await device()).capture_pause).toBe(null);

    await capture.getByRole('button', { name: 'Pause capture for 30 minutes' }).click();
    await expect.poll(async () => (await device()).capture_pause?.user).toBe(userInfo().username);
    await put(0);
    await expect.poll(() => capture.textContent()).not.toContain('paused');
    await expect
      .poll(async () => (await device()).pauses.map(({ ended_by }) => ended_by))
      .toEqual(['permission', 'person']);
  });

  test('the support contact and the required version come from the administrator', async () => {
    await page.getByText('The administrators of this computer').waitFor();
    await plane.byOwner.appSettings.putAppSettings({
      body: { contact: 'IT desk', contact_address: 'it@example.com', newest_version: '9.1.0' },
    });
    const contact = page.getByRole('region', { name: 'Contact' });
    await expect.poll(() => contact.textContent()).toContain('IT deskit@example.com');
    await page.getByText('Version 9.1.0 is available').waitFor();
  });

  test('an unreachable control plane is shown', async () => {
    await plane.stop();
    await shows(page, 'status', 'No connection');
    await expect
      .poll(() => page.getByRole('region', { name: 'Problems' }).getByRole('listitem').count())
      .toBeGreaterThan(0);
  });

  test('the page stays within its policy', () => {
    expect(complaints).toEqual([]);
  });
});

describe('the window without a responding agent', () => {
  test('shows that the agent does not respond', async () => {
    const page = await browser.newPage();
    await page.addInitScript(() => {
      const fail = () => Promise.reject(new Error('refused'));
      Object.assign(window, { agent: { getStatus: fail, getAbout: fail, onStatus: () => fail } });
    });
    await serveWindow(page, join(folder, 'window'));
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('does not respond');
    await page.close();
  });
});

describe('the built app', () => {
  test('enrolls, receives Guard configuration and updates its window', async () => {
    plane = await startTestControlPlane('sqlite');
    onTestFinished(() => plane.stop());
    const built = join(folder, 'app');
    await buildApp('Gatehouse', built);
    // koffi is the only module that is not bundled.
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(built, 'node_modules'));
    const { preferences, roots } = await installProfile(folder);
    await using place = createTestInstallation(built);
    const host = await place.startWithWindow(
      {},
      {
        MANAGED_PREFERENCES: preferences,
        AGENT_TRUSTED_ROOTS: roots,
      },
    );
    const request = { do: 'send request', channel: ipcRequests.status, from: 'page' } as const;
    await expect
      .poll(() => host.perform(request))
      .toMatchObject({ phase: 'enrolled', connected: true, capture: { enabled: false } });

    await plane.byOwner.guard.putLayer({
      body: {
        layer: 'global',
        config: { capture_enabled: true, intercept_hosts: ['api.openai.com'] },
      },
    });
    const received: unknown[] = [];
    const poll = async () =>
      received.push(...((await host.perform({ do: 'take messages' })) as unknown[]));
    await expect
      .poll(async () => (await poll()) && received)
      .toContainEqual([
        STATUS_CHANNEL,
        expect.objectContaining({
          capture: expect.objectContaining({
            enabled: true,
            hosts: [{ host: 'api.openai.com', set_by: 'global', since: expect.any(String) }],
          }),
        }),
      ]);
    host.signal('SIGTERM');
    expect(await host.ended).toBe(0);
  });
});

async function openWindow(agent: AgentRuntime, complaints: string[]): Promise<Page> {
  const opened = await openStatusPage(browser, join(folder, 'window'), {
    getStatus: async () => wire(agent),
    getExchange: async (id) => agent.exchange(id),
    pause: async () => agent.pause(),
    resume: async () => {
      agent.resume();
      return false;
    },
  });
  const { page, pushStatus } = opened;
  opened.browserErrors.push = (...more) => complaints.push(...more);
  const stop = agent.onStatus(() => void pushStatus(wire(agent)).catch(() => {}));
  page.once('close', stop);
  return page;
}

function wire(agent: AgentRuntime): StatusMessage {
  const encoded = encodeStatus(agent.status());
  if ('error' in encoded) throw new Error(encoded.error);
  return encoded.message;
}

const cellsOf = (row: Locator): Promise<string[]> => row.getByRole('cell').allTextContents();

const shows = (page: Page, role: 'status', text: string): Promise<void> =>
  page.getByRole(role).filter({ hasText: text }).waitFor();

const appNamed = (name: string): AppReport => ({
  kind: 'cli',
  name,
  catalog_id: null,
  version: '2.0',
  path: `/usr/local/bin/${name}`,
  user: 'ada',
  confidence: 1,
  evidence: [],
  risk_flags: [],
});

const flowTo = (host: string | null): FlowReport => ({
  id: 'first',
  app_id: null,
  process: 'claude',
  path: '/usr/local/bin/claude',
  pid: 7,
  user: 'ada',
  host,
  address: '192.0.2.1',
  port: 443,
  protocol: 'tcp',
  started_at: Date.now(),
  ended_at: null,
  bytes_in: 100,
  bytes_out: 200,
});
