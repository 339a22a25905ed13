// @module-tag chromium

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readAgentConfig } from '#agent/config.ts';
import { questions, statusNews, type StatusMessage } from '#agent/electron/bridge.ts';
import { buildApp, buildWindow } from '#agent/electron/build.ts';
import { encodeStatus } from '#agent/electron/status-message.ts';
import { createPlace } from '#agent/electron/testing/place.ts';
import { answerFile } from '#agent/electron/window-files.ts';
import type { ObserveFlows } from '#agent/node/observation.ts';
import { createLog } from '#agent/node/log.ts';
import { type AgentRuntime, startAgent } from '#agent/node/runtime.ts';
import type { AppReport, FlowReport } from '#contract/fleet.ts';
import { materializeManagedConfig, trustedRoots } from '#profile-builder/materialize.ts';
import { launchChromium } from './support/chromium.ts';
import { startTestControlPlane, type TestControlPlane } from './support/control-plane.ts';
import { readProfile } from './support/device.ts';

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

/** The managed preferences and the root of a device, as its profile puts them there. */
async function installProfile(into: string): Promise<{ preferences: string; roots: string }> {
  const { profile } = await readProfile(plane);
  const preferences = join(into, 'managed.plist');
  const roots = join(into, 'roots.pem');
  writeFileSync(preferences, materializeManagedConfig(profile).plist);
  writeFileSync(roots, trustedRoots(profile));
  return { preferences, roots };
}

describe('what a person sees', () => {
  let agent: AgentRuntime;
  let page: Page;
  let report: (flow: FlowReport) => void;
  const complaints: string[] = [];

  const observe: ObserveFlows = async ({ onReport }) => {
    report = onReport;
    return { openFlows: () => [], stop: async () => {} };
  };
  const scan = async () => ({ apps: [appNamed('Claude Code'), appNamed('Cursor')], problems: [] });

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

  test('the device is enrolled and connected, and nothing is decrypted', async () => {
    await shows(page, 'status', 'Connected');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Gatehouse');
    const { device_id, identity_expires_at, config_version } = agent.status();
    expect(await fact('Enrolled with').textContent()).toBe(new URL(plane.urls.device).host);
    expect(await fact('Device').textContent()).toBe(device_id);
    expect(await fact('Configuration').textContent()).toBe(`Version ${config_version}`);
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });
    expect(await fact('Certificate').textContent()).toBe(day.format(identity_expires_at ?? 0));
    const recorded = page.getByRole('region', { name: 'What is recorded' });
    expect(await recorded.textContent()).toContain('Nothing is decrypted');
    const apps = page.getByRole('region', { name: 'AI apps on this device' });
    await expect
      .poll(() => apps.getByRole('listitem').allTextContents())
      .toEqual(['Claude CodeCommand-line tool 2.0', 'CursorCommand-line tool 2.0']);
    await page.getByText('None seen since the agent started').waitFor();
    expect(await page.getByRole('region', { name: 'Problems' }).count()).toBe(0);
  });

  test('capture that is switched on appears, and so does its end', async () => {
    const put = (intercept_hosts: string[]) =>
      plane.byOwner.guard.putLayer({
        body: { layer: 'global', config: { capture_enabled: true, intercept_hosts } },
      });
    await put(['api.openai.com']);
    const headline = async (text: string): Promise<void> => {
      const shown = () => page.locator('.headline').textContent();
      await expect.poll(shown).toBe(text);
    };
    await headline('Traffic of all apps to api.openai.com may be recorded by your company');
    await put(['api.openai.com', 'api.anthropic.com']);
    await headline(
      'Traffic of all apps to api.anthropic.com and api.openai.com may be recorded by your company',
    );
    const version = agent.status().config_version;
    expect(await fact('Configuration').textContent()).toBe(`Version ${version}`);
    const { results } = await plane.byOwner.guard.listLayers();
    await plane.byOwner.guard.deleteLayer({ params: { id: results[0]?.id ?? '' } });
    await headline('Nothing is decrypted');
  });

  test('connections appear while they last, newest news first', async () => {
    const flow = flowTo('api.openai.com');
    report(flow);
    report({ ...flowTo(null), id: 'second', process: null });
    report({ ...flow, bytes_in: 1_500_000, ended_at: flow.started_at + 1000 });
    const rows = page.getByRole('table').getByRole('row');
    const cells = async () =>
      Promise.all((await rows.all()).map((row) => row.getByRole('cell').allTextContents()));
    await expect
      .poll(cells)
      .toEqual([
        [],
        ['claude', 'api.openai.com', expect.not.stringContaining('open'), '1.5 MB', '200 B'],
        ['Unknown', '192.0.2.1', expect.stringContaining('open'), '100 B', '200 B'],
      ]);
    await expect.poll(() => fact('Reports').textContent()).toBe('3 sent, 0 waiting');
  });

  test('a control plane that is gone shows as such', async () => {
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

describe('the window without an agent that answers', () => {
  test('says so', async () => {
    const page = await browser.newPage();
    await page.addInitScript(() => {
      const fail = () => Promise.reject(new Error('refused'));
      Object.assign(window, { agent: { getStatus: fail, getAbout: fail, onStatus: () => fail } });
    });
    await serveWindow(page);
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('does not answer');
    await page.close();
  });
});

describe('the built app', () => {
  test('enrolls, hears of Guard and tells its window', async () => {
    plane = await startTestControlPlane('sqlite');
    onTestFinished(() => plane.stop());
    const built = join(folder, 'app');
    await buildApp('Gatehouse', built);
    // koffi, the one module that is not in the bundle.
    symlinkSync(join(import.meta.dirname, '../node_modules'), join(built, 'node_modules'));
    const { preferences, roots } = await installProfile(folder);
    await using place = createPlace(built);
    const host = await place.startWithWindow(
      {},
      {
        MANAGED_PREFERENCES: preferences,
        AGENT_TRUSTED_ROOTS: roots,
      },
    );
    const ask = { do: 'ask', question: questions.status, from: 'page' } as const;
    await expect
      .poll(() => host.perform(ask))
      .toMatchObject({ phase: 'enrolled', connected: true, capture: { enabled: false } });

    await plane.byOwner.guard.putLayer({
      body: {
        layer: 'global',
        config: { capture_enabled: true, intercept_hosts: ['api.openai.com'] },
      },
    });
    const heard: unknown[] = [];
    const hear = async () =>
      heard.push(...((await host.perform({ do: 'take news' })) as unknown[]));
    await expect
      .poll(async () => (await hear()) && heard)
      .toContainEqual([
        statusNews,
        expect.objectContaining({
          capture: { enabled: true, hosts: ['api.openai.com'], processes: [] },
        }),
      ]);
    host.signal('SIGTERM');
    expect(await host.ended).toBe(0);
  });
});

/** The page of the window in a real browser, with the bridge that the preload gives it. */
async function openWindow(agent: AgentRuntime, complaints: string[]): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 720, height: 560 } });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => complaints.push(message.text()));
  await page.exposeFunction('askStatus', () => wire(agent));
  await page.addInitScript(() => {
    const listeners = new Set<(status: unknown) => void>();
    const asked = window as unknown as { askStatus(): Promise<unknown> };
    Object.assign(window, {
      tell: (status: unknown) => listeners.forEach((listener) => listener(status)),
      agent: {
        getStatus: () => asked.askStatus(),
        getAbout: async () => ({ name: 'Gatehouse', version: '0.1.0' }),
        onStatus(listener: (status: unknown) => void) {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
    });
  });
  await serveWindow(page);
  const stop = agent.onStatus(() => {
    const tell = (status: StatusMessage) =>
      (window as unknown as { tell(status: StatusMessage): void }).tell(status);
    void page.evaluate(tell, wire(agent)).catch(() => {});
  });
  page.once('close', stop);
  return page;
}

/** Serves the files of the window as the app does, with its policy. */
async function serveWindow(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    const answer = await answerFile(join(folder, 'window'), route.request().url());
    const { status, headers } = answer;
    const body = Buffer.from(await answer.arrayBuffer());
    await route.fulfill({ status, headers: Object.fromEntries(headers), body });
  });
  await page.goto('http://status.test/index.html');
}

function wire(agent: AgentRuntime): StatusMessage {
  const encoded = encodeStatus(agent.status());
  if ('error' in encoded) throw new Error(encoded.error);
  return encoded.message;
}

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
