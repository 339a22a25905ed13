import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { launchChromium } from './support/chromium.ts';
import { API_KEY, OWNER, type TestClient } from './support/control-plane.ts';
import { freePort } from './support/free-port.ts';
import { makeLivedInHome } from './support/fixture-home.ts';
import { makeOtherHost } from './support/network-namespace.ts';
import buildPrograms from './support/build-programs.ts';
import { built, run } from './support/processes.ts';
import { recordWeek } from './support/recorded-week.ts';

/** A program: makes the pictures in docs/images from the running product. Linux, as root. */
const images = join(import.meta.dirname, '../docs/images');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-images-'));
const home = makeLivedInHome();
const host = makeOtherHost();
await host.serveTls();
const port = await freePort();
const url = `http://localhost:${port}`;
await buildPrograms();
const program = run(
  built.local,
  {
    DATA_DIR: folder,
    PORT: String(port),
    DEVICE_PORT: String(await freePort()),
    BOOTSTRAP_API_KEY: API_KEY,
    BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
    BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
  },
  home.within,
);
try {
  await program.said('enrolled as');
  await connect('api.openai.com', 5000, 1200);
  await connect('api.anthropic.com', 90_000);
  await connect('chatgpt.com', 700, 20_000);
  await connect('gitlab.example.test', 3000);
  const client = createClient(contract, {
    baseUrl: url,
    headers: () => ({ 'X-Svc-Key': API_KEY }),
  });
  await recordWeek(client, Date.now());
  const runId = await reportRun(client);
  await govern(client);
  mkdirSync(images, { recursive: true });
  await photograph(runId);
} finally {
  await program.end();
  host.remove();
  home.remove();
  rmSync(folder, { recursive: true, force: true });
}

async function connect(name: string, ...sizes: number[]): Promise<void> {
  const client = join(import.meta.dirname, 'support/tls-client.ts');
  await once(
    spawn(process.execPath, [client, host.address, name, '1500', ...sizes.map(String)]),
    'exit',
  );
}

async function reportRun({ recording }: TestClient): Promise<string> {
  const { run_id } = await recording.startRun({
    body: {
      agent_name: 'support',
      workflow_name: 'triage',
      session_id: 'chat-1025',
      user_id: 'ada@example.com',
      inputs: { ticket: 4711 },
    },
  });
  const params = { run_id };
  const calls = [
    {
      model: 'gpt-4o',
      tokens_in: 1000,
      tokens_out: 500,
      task: 'classify',
      prompt_preview: 'Which team is this for?',
      response_preview: 'Billing.',
    },
    {
      model: 'claude-sonnet-4-5',
      provider: 'anthropic',
      tokens_in: 3200,
      cache_read_tokens: 2400,
      tokens_out: 410,
      duration_ms: 2140,
      task: 'answer',
      prompt_preview: 'Answer the customer in two sentences: where is my refund?',
      response_preview: 'Your refund is on its way. It arrives within three days.',
    },
  ];
  const spans = [
    { name: 'search_tickets', kind: 'tool', duration_ms: 182, input_data: { q: 'refund' } },
    { name: 'knowledge_base', kind: 'retriever', duration_ms: 61, attributes: { top_k: 3 } },
    { name: 'choose_team', kind: 'decision', duration_ms: 12 },
  ] as const;
  await recording.recordLlmCalls({ params, body: { calls } });
  await recording.recordSpans({ params, body: { spans: [...spans] } });
  await recording.recordSteps({
    params,
    body: { steps: [{ step_name: 'reply', output: { sent: true } }] },
  });
  await recording.recordScores({
    params,
    body: { scores: [{ name: 'quality', numeric_value: 0.92 }] },
  });
  await recording.completeRun({ params, body: { result: { team: 'billing' } } });
  return run_id;
}

/** A few policies, and agents that they mind. */
async function govern({ policies, governance, recording }: TestClient): Promise<void> {
  for (const [name, category, rules, agents] of [
    ['Steady pace', 'rate-limit', { max_per_minute: 3, burst_limit: 5 }, ['support']],
    ['Answer in time', 'operations', { timeout_seconds: 60 }, []],
    ['Thirty dollars a day', 'budget', { daily_cost_limit: 30 }, ['research']],
    ['No keys in prompts', 'content', { credential_detection: { enabled: true } }, []],
    ['Deploying wants a yes', 'approval', { require_approval_for: ['deploy'] }, ['release']],
  ] as const)
    await policies.createPolicy({
      body: { name, category, rules, scope: { agents: [...agents] } },
    });
  for (let i = 0; i < 5; i += 1)
    await governance.checkPolicy({ body: { agent_name: 'support', workflow_name: 'triage' } });
  await governance.checkPolicy({
    body: { agent_name: 'writer', inputs: { note: 'password=correct-horse-battery-staple' } },
  });
  await governance.checkPolicy({ body: { agent_name: 'release', action_type: 'deploy' } });
  const { run_id } = await recording.startRun({
    body: { agent_name: 'research', started_at: new Date(Date.now() - 95_000).toISOString() },
  });
  await recording.completeRun({ params: { run_id }, body: {} });
}

async function photograph(runId: string): Promise<void> {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
  await page.goto(url);
  await picture(page, 'sign-in');
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Online').first().waitFor();
  await picture(page, 'devices');
  await page.goto(`${url}/guard`);
  await page.getByRole('switch', { name: 'api.openai.com', exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('applied on 1 of 1').waitFor();
  await picture(page, 'guard');
  await page.goto(`${url}/devices`);
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.getByText('GitHub Copilot').first().waitFor();
  await picture(page, 'device');
  await page.goto(`${url}/flows`);
  await page.getByText('chatgpt.com').first().waitFor();
  await picture(page, 'flows');
  for (const [name, shown] of [
    ['policies', 'Steady pace'],
    ['incidents', 'Run exceeded timeout'],
    ['approvals', 'Deploying wants a yes'],
  ] as const) {
    await page.goto(`${url}/${name}`);
    await page.getByText(shown).first().waitFor();
    await picture(page, name);
  }
  await page.goto(`${url}/runs`);
  await page.getByText('support').first().waitFor();
  await picture(page, 'runs');
  await page.goto(`${url}/runs/${runId}`);
  await page.getByText('claude-sonnet-4-5').first().waitFor();
  await picture(page, 'run');
  await page.goto(`${url}/llm-calls?search=refund`);
  await page.getByRole('button', { name: 'Details' }).first().click();
  await page.getByText('within three days').waitFor();
  await picture(page, 'llm-calls');
  await page.goto(`${url}/sessions`);
  await page.getByText('chat-1020').waitFor();
  await picture(page, 'sessions');
  await page.goto(`${url}/sessions/chat-1022`);
  await page.getByText('Each can be downloaded').waitFor();
  await picture(page, 'session');
  await page.goto(`${url}/costs`);
  await page.getByRole('table', { name: 'Models', exact: true }).waitFor();
  await picture(page, 'costs');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${url}/flows`);
  await page.getByText('chatgpt.com').first().waitFor();
  await picture(page, 'flows-dark');
  await browser.close();
}

async function picture(page: Page, name: string): Promise<void> {
  // The fading in of new rows is over by then.
  await page.waitForTimeout(800);
  await page.screenshot({ path: join(images, `${name}.png`) });
}
