// @module-tag chromium

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatCapture } from '../support/captured-exchange.ts';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { enrollDevice } from '../support/device.ts';

let service: TestControlPlane;
let browser: Browser;
let page: Page;
/** Problems that the browser reported: script errors, violated policies and failed requests. */
let complaints: string[];
/** Addresses outside of the service that the browser requested. */
let foreign: string[];

beforeAll(async () => {
  service = await startTestControlPlane('sqlite');
  browser = await launchChromium();
  page = await openConsole(browser, service);
  complaints = [];
  foreign = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(service.urls.public)) foreign.push(request.url());
  });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const call = { model: 'gpt-5', tokens_in: 10, tokens_out: 5 };
const region = (name: string): Locator => page.getByRole('group', { name, exact: true });

/** Records a call in a new run and opens it. */
async function openCall(prompt: unknown, response: unknown): Promise<void> {
  const { run_id } = await service.byKey.recording.startRun({ body: { agent_name: 'support' } });
  const [prompt_preview, response_preview] = [prompt, response].map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  const calls = [{ ...call, prompt_preview, response_preview }];
  await service.byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls } });
  await page.goto(`${service.urls.public}/runs/${run_id}?tab=records`);
  await page.getByRole('region', { name: 'LLM calls' }).getByRole('button').first().click();
  await region('Response').waitFor();
}

async function choose(view: 'Formatted' | 'JSON' | 'Raw'): Promise<void> {
  await page.getByRole('radio', { name: view }).check();
}

const weather = [
  { role: 'system', content: 'You are **brief**.\n<rules>\nNo guesses.\n</rules>' },
  { role: 'user', content: 'Is it warm in Paris and in Rome?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: ['Paris', 'Rome'].map((city) => ({
      id: `call_${city}`,
      type: 'function',
      function: { name: 'get_weather', arguments: JSON.stringify({ city, unit: 'celsius' }) },
    })),
  },
  { role: 'tool', tool_call_id: 'call_Rome', content: '{"celsius":24,"sky":"clear"}' },
  { role: 'tool', tool_call_id: 'call_Paris', content: 'station closed' },
];
const ANSWER = `## Weather

| city | warm |
| --- | --- |
| Rome | yes, **24 °C** |

1. See [the station](https://weather.example/rome).
2. \`Paris\` is unknown.

\`\`\`ts
const warm = 24;
\`\`\`
`;

describe('a chat', () => {
  test('is shown as bubbles, with each result in the card of its call', async () => {
    await openCall(weather, ANSWER);
    await choose('Formatted');
    const bubbles = region('Prompt').locator('.bubble');
    await expect
      .poll(() => bubbles.locator('.bubble-role').allTextContents())
      .toEqual(['System', 'User', 'Assistant']);
    const cards = region('Prompt').getByRole('group', { name: 'Tool call' });
    await expect.poll(() => cards.count()).toBe(2);
    await expect
      .poll(() => cards.nth(0).textContent())
      .toMatch(/get_weather.*Paris.*Result.*station closed/);
    await expect.poll(() => cards.nth(1).textContent()).toMatch(/get_weather.*Rome.*Result.*24/);
    const rules = bubbles.first().getByText('<rules>');
    await expect.poll(() => rules.count()).toBe(1);
    await bubbles.first().locator('strong').getByText('brief').waitFor();
  });

  test('has Markdown in its answer, with links that send no referrer', async () => {
    const response = region('Response');
    // Markdown is rendered when it scrolls into view.
    await response.scrollIntoViewIfNeeded();
    await response.getByRole('table').waitFor();
    await expect
      .poll(() => response.locator('li').allTextContents())
      .toEqual(expect.arrayContaining(['See the station.', 'Paris is unknown.']));
    const link = response.getByRole('link', { name: 'the station' });
    await expect.poll(() => link.getAttribute('href')).toBe('https://weather.example/rome');
    await expect.poll(() => link.getAttribute('rel')).toContain('noopener noreferrer');
    await expect.poll(() => link.getAttribute('title')).toBe('https://weather.example/rome');
    await expect.poll(() => response.locator('pre').textContent()).toBe('const warm = 24;');
    await response.getByRole('button', { name: 'Copy code' }).waitFor();
  });

  test('can be shown as a JSON tree and as recorded; the choice is remembered', async () => {
    await choose('JSON');
    const tree = page.getByRole('tree', { name: 'Prompt' });
    const rows = tree.getByRole('treeitem');
    await rows.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => rows.nth(1).getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator(':focus').textContent()).toContain('role:"system"');
    await choose('Raw');
    await expect
      .poll(() => region('Prompt').locator('.plain-text').first().textContent())
      .toBe(JSON.stringify(weather));
    await openCall('Hi', 'Hello');
    await expect.poll(() => page.getByRole('radio', { name: 'Raw' }).isChecked()).toBe(true);
    await choose('Formatted');
  });
});

describe('hostile text', () => {
  const hostile = [
    '<script>alert(1)</script><img src=x onerror=alert(2)><svg/onload=alert(3)>',
    '[click](javascript:alert(4)) [data](data:text/html,x) <javascript:alert(5)>',
    '![pixel](https://tracker.example/p.png) [mail](mailto:a@b.example)',
    'cod\u202Eexe.sh and می\u200Cروم 👩\u200D👩\u200D👧',
    `unbroken ${'W'.repeat(5000)}`,
    '**'.repeat(3000),
    `${'> '.repeat(3000)}deep`,
  ].join('\n\n');

  test('stays text: no script runs, nothing is loaded, and no request leaves the page', async () => {
    complaints = [];
    await openCall(hostile, hostile);
    const prompt = region('Prompt');
    await prompt.getByText('<script>alert(1)</script>').waitFor();
    await prompt.getByText('click (javascript:alert(4))').waitFor();
    await expect
      .poll(() => prompt.getByText('cod‹U+202E›exe.sh and می\u200Cروم 👩\u200D👩\u200D👧').count())
      .toBe(1);
    const image = prompt.getByRole('link', { name: 'https://tracker.example/p.png' });
    await expect.poll(() => image.count()).toBe(1);
    const hrefs = await prompt
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(hrefs).toEqual(['https://tracker.example/p.png', 'mailto:a@b.example']);
    expect(await prompt.locator('img, script, svg:not(.icon)').count()).toBe(0);
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test.each([390, 768, 1440])('makes no page wider than %s pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    for (const view of ['Raw', 'Formatted'] as const) {
      await choose(view);
      expect(
        await region('Prompt').evaluate((element) => {
          const { right } = element.getBoundingClientRect();
          const wide = [...element.querySelectorAll('*')].filter(
            (inner) => inner.getBoundingClientRect().right > right + 1,
          );
          return wide.map((inner) => inner.className);
        }),
      ).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('nested 10,000 levels deep opens level by level', async () => {
    complaints = [];
    await openCall(`${'['.repeat(10_000)}"end"${']'.repeat(10_000)}`, 'ok');
    const tree = page.getByRole('tree', { name: 'Prompt' });
    await tree.waitFor();
    const rows = tree.getByRole('treeitem');
    await expect.poll(() => rows.count()).toBe(4);
    await rows.last().getByText('1 item').click();
    await expect.poll(() => rows.count()).toBe(5);
    await choose('Raw');
    await region('Prompt').getByText('[[[[').first().waitFor();
    await choose('Formatted');
    expect(complaints).toEqual([]);
  });
});

describe('a text of 1 MB', () => {
  const line = (at: number) => `Line ${at} of the *report* is like all others.\n`;
  const long = Array.from({ length: 22_000 }, (_, at) => line(at))
    .join('')
    .slice(0, 999_000);

  test('shows its beginning, more on request, and is searched completely', async () => {
    await openCall(`${long} needle`, 'one needle, two Needles');
    const prompt = region('Prompt');
    const length = async () => (await prompt.textContent())?.length ?? 0;
    expect(await length()).toBeLessThan(10_000);
    await prompt.getByRole('button', { name: /^Show more/ }).click();
    await expect.poll(length).toBeGreaterThan(50_000);

    await page.getByRole('button', { name: /^Find in/ }).click();
    await page.keyboard.type('needle');
    const status = page.getByRole('search').getByRole('status');
    await expect.poll(() => status.textContent()).toBe('1 of 3');
    await page.keyboard.press('Enter');
    await expect.poll(() => status.textContent()).toBe('2 of 3');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.press('Shift+Enter');
    await expect.poll(() => status.textContent()).toBe('3 of 3');
    const painted = () =>
      page.evaluate(() =>
        [...(CSS.highlights.get('found-current') ?? [])].map((range) =>
          (range as Range).toString(),
        ),
      );
    await expect.poll(painted).toEqual(['Needle']);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toMatch(/^Find in/);
  });

  test('never blocks the page for long', async () => {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const before = await scriptSeconds(session);
    await region('Prompt').getByRole('button', { name: 'Show all' }).click();
    await expect
      .poll(async () => (await region('Prompt').textContent())?.length)
      .toBeGreaterThan(900_000);
    const after = await scriptSeconds(session);
    // Measured in processor time, so that other work on the machine does not count.
    expect(after - before).toBeLessThan(2);
  });
});

async function scriptSeconds(session: {
  send: (name: 'Performance.getMetrics') => Promise<{ metrics: { name: string; value: number }[] }>;
}) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

test('a session shows its runs as turns, taken from their LLM calls if nothing else was recorded', async () => {
  const body = { agent_name: 'support', session_id: 'chat' };
  const first = await service.byKey.recording.startRun({
    body: { ...body, inputs: { q: 'Why?' } },
  });
  const result = { answer: 'Because of **rain**.' };
  await service.byKey.recording.completeRun({
    params: { run_id: first.run_id },
    body: { status: 'success', result },
  });
  const { run_id } = await service.byKey.recording.startRun({ body });
  const prompt_preview = JSON.stringify(weather);
  const calls = [{ ...call, prompt_preview, response_preview: 'Yes, it is.' }];
  await service.byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls } });
  await page.goto(`${service.urls.public}/sessions/chat`);
  const turns = page.locator('.turn');
  await turns.nth(0).locator('strong').getByText('rain').waitFor();
  await expect
    .poll(() => turns.nth(0).locator('.bubble').allTextContents())
    .toEqual(['User qWhy?', 'AssistantBecause of rain.']);
  await turns.nth(1).getByRole('group', { name: 'Last response' }).waitFor();
  await expect.poll(() => turns.nth(1).getByRole('group', { name: 'Tool call' }).count()).toBe(2);
});

test('the body of a captured stream is shown as its answer and its events', async () => {
  const device = await enrollDevice(service, 'hardware-messages', { hosts: 'api.openai.com' });
  const sample = new URL('../../domain/providers/samples/openai-chat-tools.txt', import.meta.url);
  const soon = new Date(Date.now() + 60_000).toISOString();
  const streamed = {
    ...chatCapture('stream', soon, { id: 'x' }),
    response_type: 'text/event-stream',
    response_body: readFileSync(sample, 'utf8'),
  };
  await device.client.device.reportCaptures({
    body: { batch_id: 'batch-stream', captures: [streamed] },
  });
  await page.goto(`${service.urls.public}/captures`);
  await page.getByRole('table', { name: 'Captures' }).getByText('api.openai.com').first().click();
  const response = region('Response');
  const card = response.getByRole('group', { name: 'Tool call' }).first();
  await expect.poll(() => card.textContent()).toMatch(/get_weather.*city.*Zürich/);
  await response.getByRole('button', { name: /^\d+ events$/ }).click();
  await response.getByRole('tree', { name: 'Event 1', exact: true }).waitFor();
});

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each(['Formatted', 'JSON', 'Raw'] as const)('%s is accessible', async (view) => {
    await page.emulateMedia({ colorScheme });
    await openCall(weather, ANSWER);
    await choose(view);
    await page.getByRole('button', { name: /^Find in/ }).click();
    await page.keyboard.type('rome');
    await page.getByRole('search').getByText(/^1 of/).waitFor();
    expect(await violations('.recorded')).toEqual([]);
  });
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function violations(within: string): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults, string>(
    (selector) => (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run(selector),
    within,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
