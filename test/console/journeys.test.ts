// @module-tag chromium

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { enrollDevice } from '../support/device.ts';
import { type UserInput, keyboard, mouse } from '../support/user-input.ts';
import { recordWeek } from '../support/recorded-week.ts';

interface Journey {
  name: string;
  /** Number of clicks and typed texts in the review of November 2026. */
  review: readonly [clicks: number, typed: number];
  /** The maximum at any width. */
  most: readonly [clicks: number, typed: number];
  walk: (on: Walk) => Promise<void>;
}

interface Walk {
  page: Page;
  hands: UserInput;
  /** A name for what the journey creates, unique in this file. */
  name: string;
}

let service: TestControlPlane;
let browser: Browser;
/** Results by journey and run. */
const taken = new Map<string, string>();

const rowOf = (page: Page, table: string, text: string): Locator =>
  page.getByRole('table', { name: table, exact: true }).locator('tbody tr', { hasText: text });

/** Cost of the most expensive recorded call. */
const EXPENSIVE = 987.65;

const journeys: readonly Journey[] = [
  {
    name: 'most expensive call of last week',
    review: [6, 0],
    most: [3, 0],
    async walk({ page, hands }) {
      await hands.press(page.getByRole('radio', { name: '7 days' }));
      await page.getByText('The last 7 days, compared with the 7 days before.').waitFor();
      await hands.press(page.getByRole('link', { name: /^Spend/ }));
      await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-cost');
      const first = page.getByRole('table', { name: 'LLM calls' }).locator('tbody tr').first();
      await expect.poll(() => first.textContent()).toContain('987.65');
      await hands.press(first);
      await page.getByRole('region', { name: /^LLM call / }).waitFor();
      expect(new URL(page.url()).searchParams.get('open')).not.toBe(null);
    },
  },
  {
    name: 'why was a run blocked',
    review: [5, 0],
    most: [3, 0],
    async walk({ page, hands }) {
      await hands.openPage('Incidents');
      await hands.press(rowOf(page, 'Incidents', 'No shells'));
      const panel = page.getByRole('region', { name: 'No shells' });
      await panel.getByText("'shell' is blocked").first().waitFor();
      await hands.press(panel.getByRole('link', { name: /run/i }).first());
      await page.getByRole('heading', { level: 1, name: /^Run / }).waitFor();
    },
  },
  {
    name: 'move production label, see metrics',
    review: [5, 2],
    most: [4, 0],
    async walk({ page, hands, name }) {
      const prompt = await makePrompt(name);
      await hands.openPage('Prompts');
      await hands.press(page.getByRole('link', { name: prompt, exact: true }));
      await hands.press(page.getByRole('button', { name: 'Set label… on version 2' }));
      await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Move label' }));
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const figures = page.getByRole('region', { name: 'Before and after, in the last 7 days' });
      for (const version of ['v1', 'v2'])
        await figures.getByRole('row', { name: version }).waitFor();
      await figures.getByText('p95').first().waitFor({ state: 'attached' });
    },
  },
  {
    name: 'create and simulate budget',
    review: [6, 3],
    most: [5, 2],
    async walk({ page, hands, name }) {
      await hands.openPage('Policies');
      await hands.press(page.getByRole('button', { name: 'Create policy' }));
      await hands.press(page.getByRole('radio', { name: /^Budget/ }));
      await hands.type(page.getByLabel('Name', { exact: true }), name);
      await hands.type(page.getByLabel('Max cost per day, $', { exact: true }), '5');
      await hands.press(page.getByRole('button', { name: 'Test on past runs' }));
      await page
        .getByRole('region', { name: 'Test on past runs' })
        .getByText(/Allowed|Would/)
        .first()
        .waitFor();
      await hands.press(page.getByRole('button', { name: 'Create policy' }));
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const { results } = await service.byOwner.policies.listPolicies({ query: {} });
      expect(results.find((policy) => policy.name === name)?.rules).toMatchObject({
        daily_cost_limit: 5,
      });
    },
  },
  {
    name: 'capture one host, one device',
    review: [4, 1],
    most: [4, 1],
    async walk({ page, hands, name }) {
      const { id } = await enrollDevice(service, name);
      await hands.openPage('Devices');
      const devices = page.getByRole('table', { name: 'Devices', exact: true });
      const device = devices.locator(`tr[data-key="${id}"]`);
      await hands.press(device.getByTitle('Change capture for this device'));
      await hands.type(page.getByRole('searchbox', { name: 'Search hosts' }), 'chatgpt');
      await hands.press(page.getByRole('switch', { name: 'chatgpt.com', exact: true }));
      await page.getByText('Changes 1 device.').waitFor();
      const save = page.getByRole('button', { name: 'Save', exact: true });
      await expect.poll(() => save.isEnabled()).toBe(true);
      await hands.press(save);
      await save.waitFor({ state: 'detached' });
      const { effective } = await service.byOwner.guard.resolveGuard({ query: { device: id } });
      expect(effective).toMatchObject({ capture_enabled: true, intercept_hosts: ['chatgpt.com'] });
    },
  },
  {
    name: 'revoke a leaked key',
    review: [3, 0],
    most: [3, 0],
    async walk({ page, hands, name }) {
      const body = { name, permissions: ['record' as const] };
      const { id } = await service.byOwner.identity.createApiKey({ body });
      await hands.openPage('API keys');
      await hands.press(rowOf(page, 'API keys', name).getByRole('button', { name: 'Revoke' }));
      const revoke = page.getByRole('dialog').getByRole('button', { name: 'Revoke key' });
      await hands.press(revoke);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const { results } = await service.byOwner.identity.listApiKeys();
      expect(results.find((key) => key.id === id)?.revoked_at).not.toBe(null);
    },
  },
];

async function makePrompt(name: string): Promise<string> {
  const { prompts } = service.byOwner;
  const { id: prompt_id } = await prompts.createPrompt({ body: { name, content: 'one' } });
  const params = { prompt_id };
  await prompts.createPromptVersion({ params, body: { content: 'two' } });
  await prompts.putPromptLabel({
    params: { prompt_id, label: 'production' },
    body: { version: 1 },
  });
  return name;
}

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  const { policies, recording } = service.byKey;
  await recordWeek(service.byKey, Date.now());
  const rules = { blocked_tools: ['shell'] };
  await policies.createPolicy({ body: { name: 'No shells', category: 'tool-allowlist', rules } });
  const { run_id } = await recording.startRun({ body: { agent_name: 'worker' } });
  const params = { run_id };
  await recording.recordSpans({ params, body: { spans: [{ name: 'shell', kind: 'tool' }] } });
  const call = { model: 'gpt-4o', tokens_in: 10, tokens_out: 5, cost: EXPENSIVE };
  await recording.recordLlmCalls({ params, body: { calls: [call] } });
});

afterAll(async () => {
  print();
  await browser?.close();
  await service?.stop();
});

/** Prints the clicks beside those of the review, as `clicks + typed`. */
function print(): void {
  const cells = [
    ['journey', 'review', '390', '1180', '1440', 'keys only, 1440'],
    ...journeys.map(({ name, review }) => [
      name,
      review.join(' + '),
      ...runs.map(({ width, how }) => taken.get(`${name} ${width} ${how}`) ?? '–'),
    ]),
  ];
  const widths = [0, 1, 2, 3, 4, 5].map((at) =>
    Math.max(...cells.map((line) => (line[at] ?? '').length)),
  );
  const lines = cells.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  process.stdout.write(`\nClicks + typed texts per journey\n${lines.join('\n')}\n`);
}

const runs = [
  { width: 390, handsOf: mouse, how: 'a mouse' },
  { width: 1180, handsOf: mouse, how: 'a mouse' },
  { width: 1440, handsOf: mouse, how: 'a mouse' },
  { width: 1440, handsOf: keyboard, how: 'the keyboard only' },
] as const;

describe.each(runs)('at $width px with $how', ({ width, handsOf, how }) => {
  test.each(journeys)('$name', async ({ name, most, walk }) => {
    const page = await openConsole(browser, service);
    try {
      await page.setViewportSize({ width, height: 900 });
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      const hands = handsOf(page);
      await walk({ page, hands, name: `${name} ${width} ${how}` });
      taken.set(`${name} ${width} ${how}`, `${hands.presses} + ${hands.typed}`);
      expect(hands.presses).toBeLessThanOrEqual(most[0]);
      expect(hands.typed).toBeLessThanOrEqual(most[1]);
    } finally {
      await page.close();
    }
  });
});
