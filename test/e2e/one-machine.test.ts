import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { launchChromium } from '../support/chromium.ts';
import { API_KEY, OWNER } from '../support/control-plane.ts';
import {
  freePort,
  built,
  pollUntil,
  type Program,
  root,
  startProgram,
} from '../support/processes.ts';
import { type FixtureHome, makeFixtureHome } from '../support/fixture-home.ts';
import { makeOtherHost, type OtherHost } from '../support/network-namespace.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

/** Tests `npm start` in a browser: control plane, agent and browser are real processes. */
describe('one machine, end to end', { tags: ['networks', 'openssl', 'chromium'] }, () => {
  let folder: string;
  let host: OtherHost;
  let home: FixtureHome;
  let browser: Browser;
  let page: Page;
  let program: Program;
  let env: Record<string, string>;
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-e2e-'));
    home = makeFixtureHome();
    host = makeOtherHost();
    await host.serveTls();
    env = {
      // A relative path like the default, which the agent must support too.
      DATA_DIR: relative(root, folder),
      PORT: String(await freePort()),
      DEVICE_PORT: String(await freePort()),
      BOOTSTRAP_API_KEY: API_KEY,
      BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
      BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
      AGENT_FLOW_UPLOAD_SECONDS: '1',
    };
    url = `http://localhost:${env.PORT}`;
    program = await start();
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
    page.setDefaultTimeout(PATIENCE_MS);
  });
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    host.remove();
    home.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (): Promise<Program> => {
    const started = startProgram(built.local, env, home.within);
    await started.waitForOutput('agent started');
    return started;
  };
  const owner = async () => {
    const client = (headers: Record<string, string>) =>
      createClient(contract, { baseUrl: url, headers: () => headers });
    const { token } = await client({}).identity.login({ body: OWNER });
    return client({ Authorization: `Bearer ${token}` });
  };
  const theDevice = async (client: Awaited<ReturnType<typeof owner>>) => {
    const { results } = await client.devices.listDevices({ query: {} });
    return results[0];
  };
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();

  test('the output contains the URL of the console, and the owner signs in', async () => {
    expect(program.output()).toContain(`console    ${url}`);
    expect(program.output()).toContain(`sign in    ${OWNER.email}`);
    expect(program.output()).toContain('profile    for inspection only: APPLE_TEAM_ID is not set');
    await page.goto(url);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('wrong email or password').waitFor();
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
  });

  test('this machine is listed: online, enrolled, with its apps', async () => {
    const row = page.getByRole('row').filter({ hasText: hostname() });
    await row.getByText('Online').waitFor();
    await row.getByRole('link').first().click();
    await see('Capture is off: nothing is decrypted');
    await page
      .getByRole('row')
      .filter({ hasText: 'GitHub Copilot' })
      .filter({ hasText: 'ada' })
      .first()
      .waitFor();
    await page.getByRole('row').filter({ hasText: 'tickets' }).first().waitFor();
  });

  test('a flow of this machine appears without a reload', async () => {
    await page.getByRole('link', { name: 'Flows' }).first().click();
    await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor();
    // Other tests cause flows on this machine too, so this one connects to a host that they do not
    // use.
    await page.getByRole('radio', { name: 'AI hosts only' }).check();
    await page.evaluate('window.notReloaded = true');
    const client = spawn(process.execPath, [
      join(root, 'test/support/tls-client.ts'),
      host.address,
      'api.mistral.ai',
      'input',
      '5000',
    ]);
    let errors = '';
    client.stderr.on('data', (text) => (errors += text));
    const ended = once(client, 'close').then(() => {
      throw new Error(`the client of ${host.address} ended: ${errors}`);
    });
    const row = page.getByRole('row').filter({ hasText: 'api.mistral.ai' });
    await Promise.race([row.getByText('Open').waitFor(), ended]);
    await row.getByText('node').waitFor();
    await row.getByText(String(client.pid)).waitFor();
    client.stdin.end();
    await row.getByText('Ended').waitFor();
    await expect.poll(() => page.evaluate('window.notReloaded')).toBe(true);
  });

  test('flows to loopback and to the control plane itself are excluded', async () => {
    const client = await owner();
    const { results } = await client.flows.listFlows({ query: { limit: 100 } });
    expect(results.filter((flow) => /^(127\.|::1)/.test(flow.address))).toEqual([]);
    expect(results.filter((flow) => String(flow.port) === env.DEVICE_PORT)).toEqual([]);
  });

  test('an admin enables capture for a host, and the device applies and acknowledges it', async () => {
    await page.getByRole('link', { name: 'Guard' }).click();
    await page.getByRole('switch', { name: 'api.openai.com', exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await see('v1: applied on 1 of 1 device');
    const client = await owner();
    expect(await theDevice(client)).toMatchObject({ config_version: 1, applied_version: 1 });
    const constraints = execFileSync(
      'openssl',
      [
        'x509',
        '-noout',
        '-ext',
        'nameConstraints,basicConstraints',
        '-in',
        join(folder, 'agent/state/intermediate.pem'),
      ],
      { encoding: 'utf8' },
    );
    const text = constraints.replace(/\s+/g, ' ');
    expect(text).toContain('Basic Constraints: critical CA:TRUE, pathlen:0');
    expect(text).toContain('Name Constraints: critical Permitted: DNS:api.openai.com Excluded: ');
    const excluded = ['IP:0.0.0.0/0.0.0.0', 'IP:0:0:0:0:0:0:0:0/0:0:0:0:0:0:0:0'];
    // A separate host in the catalog, below the enabled one.
    for (const name of [...excluded, 'DNS:eu.api.openai.com']) expect(text).toContain(name);
  });

  test('a run reported by an agent is listed with its calls, tokens and cost', async () => {
    const { recording } = createClient(contract, {
      baseUrl: url,
      headers: () => ({ 'X-Svc-Key': API_KEY }),
    });
    const { run_id } = await recording.startRun({
      body: { agent_name: 'support', workflow_name: 'triage' },
    });
    await recording.recordLlmCalls({
      params: { run_id },
      body: {
        calls: [
          { model: 'gpt-4o', tokens_in: 1000, tokens_out: 500, response_preview: 'Billing.' },
        ],
      },
    });
    await recording.completeRun({ params: { run_id }, body: {} });
    await page.getByRole('link', { name: 'Runs' }).click();
    const row = page.getByRole('row').filter({ hasText: 'support' });
    await row.getByText('1,500').waitFor();
    await row.getByText('$0.0075').waitFor();
    await row.getByRole('link').first().click();
    await page.getByRole('row').filter({ hasText: 'gpt-4o' }).first().waitFor();
  });

  test('Ctrl-C ends all processes; a second start finds its data and does not enroll again', async () => {
    const before = await theDevice(await owner());
    const lock = join(folder, 'agent/state/agent.lock');
    const agentPid = Number(/\d+/.exec(readFileSync(lock, 'utf8'))?.[0]);
    expect(await program.stop('SIGINT')).toBe(0);
    expect(() => process.kill(agentPid, 0)).toThrow(/ESRCH/);
    program = await start();
    const client = await owner();
    const after = await pollUntil(
      () => theDevice(client),
      (device) => device?.online === true,
    );
    expect(after).toMatchObject({ id: before?.id, enrolled_at: before?.enrolled_at });
    expect(program.output()).not.toContain('enrolled as');
    expect(program.output()).not.toContain('shown only once');
  });
});
