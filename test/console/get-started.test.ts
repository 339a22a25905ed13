// @module-tag chromium

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane } from '../support/control-plane.ts';
import type { TestControlPlane } from '../support/control-plane.ts';
import { enrollDevice } from '../support/device.ts';

const execute = promisify(execFile);

let service: TestControlPlane;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  page = await openConsole(browser, service);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const step = (name: string) => page.getByRole('listitem').filter({ hasText: name });
const title = (name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

test('an empty installation shows the first steps, and the first run as soon as it arrives', async () => {
  await title('Home');
  await step('Send a first run – to do').waitFor();
  await page.getByText('Waiting for the first run…').waitFor();
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByText('it will not be shown again').waitFor();
  const program = await page.getByRole('group', { name: 'Run in a shell' }).textContent();
  expect(program).toContain('svc_sk_');
  expect(program).toContain(service.urls.public);
  await execute('bash', ['-euc', program!]);
  await step('Send a first run – done').waitFor();
  await page.getByRole('link', { name: 'run 1 of first-agent' }).waitFor();
  await page.getByRole('button', { name: 'Show the key figures' }).click();
  await page.getByRole('link', { name: /^Runs ?1 ?0 running/ }).waitFor();
});

test('the other snippets are complete programs with the same key', async () => {
  await page.goto(`${service.urls.public}/get-started`);
  await title('Get started');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByText('it will not be shown again').waitFor();
  const tabs = page.getByRole('tab');
  const names = await tabs.allTextContents();
  expect(names).toEqual([
    'curl',
    'TypeScript',
    'Python',
    'OpenTelemetry',
    'Claude Code',
    'Codex',
    'Gemini CLI',
  ]);
  for (const name of names) {
    await tabs.getByText(name, { exact: true }).click();
    const text = (await page.getByRole('tabpanel').textContent()) ?? '';
    expect([
      name,
      text.includes(service.urls.public),
      text.includes('svc_sk_'),
      text.includes('YOUR_API_KEY'),
    ]).toEqual([name, true, true, false]);
  }
});

test('a policy and a device are checked off when they appear', async () => {
  await page.goto(`${service.urls.public}/get-started`);
  await step('Add a device – to do').waitFor();
  await service.byKey.policies.createPolicy({
    body: { name: 'Ten dollars a day', category: 'budget', rules: { daily_cost_limit: 10 } },
  });
  await page.reload();
  await step('Write a policy – done').waitFor();
  await page.getByRole('link', { name: 'See and guard the AI apps on it' }).click();
  await title('Add devices');
  await page.getByText('Waiting for the first device…').waitFor();
  const { id } = await enrollDevice(service, 'hardware-first');
  const arrived = page.getByRole('status').getByRole('link');
  await arrived.waitFor();
  await expect.poll(() => arrived.getAttribute('href')).toBe(`/devices/${id}`);
});

test('an administrator downloads the profile with the current session', async () => {
  await page.goto(`${service.urls.public}/devices/add`);
  await page.getByLabel(/^Hosts to capture/).fill('api.openai.com\nclaude.ai');
  const level = page.getByLabel('Coding agents on Macs', { exact: true });
  await level.selectOption('With prompts and answers');
  const hooks = page.getByLabel('Tool calls of coding agents on Macs');
  await hooks.selectOption('Ask the agent; refused while it does not run');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download profile' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Gatehouse.mobileconfig');
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const profile = Buffer.concat(chunks).toString();
  expect(profile).toContain('<string>claude.ai</string>');
  expect(profile).toMatch(/<key>OTEL_LOG_USER_PROMPTS<\/key>\s*<string>1</);
  expect(profile).toMatch(/<key>PreToolUse<\/key>[^]*exit 2; }</);
  await page.getByRole('button', { name: 'Download package' }).click();
  await page.getByRole('alert').getByText('No installer package is configured').waitFor();
});

test('an unknown address shows that there is no such page', async () => {
  const response = await page.goto(`${service.urls.public}/nope`);
  expect(response?.status()).toBe(404);
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await title('Home');
});
