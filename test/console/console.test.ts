// @module-tag chromium

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { signIn } from '../support/console.ts';
import { OWNER, startTestControlPlane } from '../support/control-plane.ts';
import type { TestControlPlane } from '../support/control-plane.ts';
import { PATIENCE_MS } from '../support/time-limits.ts';

const long = `${'Long before its end it was cut. '.repeat(20)}The end.`;
/** Contains characters with a meaning in URLs, patterns or both. */
const ODD_ID = 'a/b ?x=%41&y=%2F#c+d\\e';

let service: TestControlPlane;
let browser: Browser;
let page: Page;
let requestPaths: string[];

beforeAll(async () => {
  service = await startTestControlPlane('sqlite');
  browser = await launchChromium();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  // Shorter than the timeout of a test, so that failures name the locator.
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('request', (request) => requestPaths.push(new URL(request.url()).pathname));
  requestPaths = [];
  await page.goto(service.urls.public);
  await signIn(page, OWNER);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const calls = [
    { ...call, prompt_preview: long, cache_read_tokens: 800 },
    { ...call, model: 'our-own-model', prompt_preview: 'Something else.' },
  ];
  await service.byKey.recording.recordLlmCalls({ params: await startRun(), body: { calls } });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function startRun(body: { session_id?: string; user_id?: string } = {}) {
  const run = { agent_name: 'support', inputs: { question: 'Where is it?' }, ...body };
  const { run_id } = await service.byKey.recording.startRun({ body: run });
  return { run_id };
}

const call = { model: 'gpt-4o', tokens_in: 1000, tokens_out: 500 };

async function open(path: string): Promise<void> {
  requestPaths = [];
  await page.goto(service.urls.public + path);
}

const table = (name: string): Locator => page.getByRole('table', { name });
const rowsOf = (name: string): Locator => table(name).locator('tbody tr:not(.detail)');

describe('a run with many spans', () => {
  let params: { run_id: string };
  beforeAll(async () => {
    params = await startRun();
    const spans = Array.from({ length: 250 }, (_, at) => ({
      name: `span ${at}`,
      kind: 'tool' as const,
      position: at,
      ...(at === 0 && { input_data: { found: 'the thread' } }),
      ...(at === 240 && { output_data: { found: 'the needle' } }),
    }));
    await service.byKey.recording.recordSpans({ params, body: { spans } });
  });

  test('shows the first hundred, and more on request', async () => {
    await open(`/runs/${params.run_id}?tab=records`);
    const section = page.getByRole('region', { name: 'Spans' });
    await section.getByText('100 of 250').waitFor();
    await expect.poll(() => rowsOf('Spans').count()).toBe(100);
    await section.getByRole('button', { name: 'Show more' }).click();
    await section.getByText('200 of 250').waitFor();
    expect(requestPaths.filter((path) => path.endsWith('/spans/'))).toHaveLength(1);
    await section.getByRole('button', { name: 'Show more' }).click();
    await rowsOf('Spans').nth(249).waitFor();
    expect(await section.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await expect
      .poll(() => rowsOf('Spans').last().getByRole('rowheader').textContent())
      .toBe('span 249');
  });

  test('shows the content of a span, and loads it if the list omits it', async () => {
    const details = () => requestPaths.filter((path) => /\/spans\/\d+\/$/.test(path));
    await open(`/runs/${params.run_id}?tab=records`);
    const section = page.getByRole('region', { name: 'Spans' });
    for (const count of [200, 250]) {
      await section.getByRole('button', { name: 'Show more' }).click();
      await rowsOf('Spans')
        .nth(count - 1)
        .waitFor();
    }
    await rowsOf('Spans').first().getByRole('button', { name: 'Details' }).click();
    await page.getByText('the thread').waitFor();
    expect(details()).toEqual([]);
    await rowsOf('Spans').nth(240).getByRole('button', { name: 'Details' }).click();
    await page.getByText('the needle').waitFor();
    expect(details()).toHaveLength(1);
  });
});

test('content that lists of a run truncate is loaded in full when a row is expanded', async () => {
  const params = await startRun();
  const end = ' the end of it';
  const output = { text: 'x'.repeat(20_000) + end };
  const comment = 'y'.repeat(20_000) + end;
  await service.byKey.recording.recordSteps({
    params,
    body: { steps: [{ step_name: 'long', output }, { step_name: 'silent' }] },
  });
  await service.byKey.recording.recordScores({
    params,
    body: { scores: [{ name: 'q', numeric_value: 1, comment }] },
  });
  await open(`/runs/${params.run_id}?tab=records`);
  await rowsOf('Steps').first().getByRole('button', { name: 'Details' }).click();
  expect(await rowsOf('Steps').last().getByRole('button', { name: 'Details' }).count()).toBe(0);
  const shown = page.getByRole('group', { name: 'Output' });
  await shown.getByRole('button', { name: /^Show more/ }).click();
  await shown.getByText(end.trim()).waitFor();
  await page.getByRole('tab', { name: 'Trace' }).click();
  await rowsOf('Scores').getByRole('button', { name: 'Details' }).click();
  await page.getByRole('region', { name: 'Comment' }).getByText(end.trim()).waitFor();
});

test('calls are found by their texts; an expanded call shows them in full with its cost', async () => {
  await open('/llm-calls');
  await rowsOf('LLM calls').nth(1).waitFor();
  await expect.poll(() => rowsOf('LLM calls').first().textContent()).toContain('unpriced');
  await page.getByLabel('Search LLM calls').fill('end cut');
  await page.waitForURL(/search=end\+cut/);
  await rowsOf('LLM calls').nth(1).waitFor({ state: 'detached' });
  await rowsOf('LLM calls').getByRole('rowheader').click();
  await page.getByText('The end.').waitFor();
  await page.getByText('1,000 (800 from cache)').waitFor();
});

test('several models can be selected, and stay selected after a reload', async () => {
  await open('/llm-calls?model=our-own-model');
  await expect.poll(() => rowsOf('LLM calls').first().textContent()).toContain('our-own-model');
  await page.getByLabel('Model: our-own-model').click();
  await page.getByLabel('gpt-4o', { exact: true }).check();
  await page.waitForURL(/model=our-own-model&model=gpt-4o/);
  await page.reload();
  await page.getByLabel('Model: 2 models').waitFor();
  await rowsOf('LLM calls').nth(1).waitFor();
});

describe.each([
  ['session', '/sessions', 'Conversation', { session_id: ODD_ID }],
  ['user', '/users', 'Runs', { user_id: ODD_ID }],
] as const)('a %s', (_, list, section, belongs) => {
  test('appears in its list whatever its id, and has a page with its runs', async () => {
    await open(list);
    const { run_id } = await startRun(belongs);
    // It appears while the list is open.
    await page.getByRole('link', { name: ODD_ID }).click();
    const runs = page.getByRole('region', { name: section });
    await runs.getByText(run_id, { exact: false }).first().waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: ODD_ID }).waitFor();
    await runs.getByText(run_id, { exact: false }).first().waitFor();
  });
});

test('a session reads like a conversation', async () => {
  const session_id = 'talk';
  const first = await startRun({ session_id });
  await service.byKey.recording.completeRun({
    params: first,
    body: { result: { answer: 'On its way.' } },
  });
  await startRun({ session_id });
  await open('/sessions/talk');
  await page.getByText('On its way.').waitFor();
  const turns = page.getByRole('region', { name: 'Conversation' }).locator('.turn');
  await expect.poll(() => turns.count()).toBe(2);
  await expect.poll(() => turns.first().textContent()).toContain('Where is it?');
  await expect.poll(() => turns.first().textContent()).toContain('On its way.');
  expect(await turns.last().textContent()).not.toContain('On its way.');
});

test('costs are shown by day and by model, with unpriced models', async () => {
  await open('/costs?period=30d');
  await rowsOf('Models without a price').getByText('our-own-model').waitFor();
  await expect.poll(() => rowsOf('Usage by day').count()).toBe(31);
  const model = rowsOf('Models').filter({ hasText: 'gpt-4o' });
  await rowsOf('Usage by day').filter({ hasText: '3,000' }).waitFor();
  await expect.poll(() => model.textContent()).toContain('100%');
  await expect.poll(() => page.locator('.plot rect[class^=series]').count()).toBe(1);
  await model.getByRole('link').click();
  await page.waitForURL(/llm-calls\?model=gpt-4o&since=30d/);
});

test('a prompt is created, changed and labelled', async () => {
  await open('/prompts');
  await page.getByRole('button', { name: 'Create prompt' }).click();
  await page.getByLabel('Name', { exact: true }).fill('answer');
  await page.getByRole('radio', { name: 'Chat' }).check();
  await page.getByLabel('Role of message 1').selectOption('system');
  await page.getByLabel('Text of message 1').fill('You answer for {{company}}.');
  await page.getByRole('button', { name: 'Add message' }).click();
  await page.getByLabel('Text of message 2').fill('{{question}}');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'answer' }).waitFor();

  await page.getByRole('button', { name: 'New version' }).click();
  await page.getByLabel('Text of message 1').fill('You answer kindly for {{company}}.');
  await page.getByLabel('Commit message').fill('kindly');
  await page.getByRole('button', { name: 'Save version' }).click();
  await rowsOf('Versions').nth(1).waitFor();
  await rowsOf('Versions').first().getByRole('button', { name: 'Details' }).click();
  await page.getByText('You answer kindly').waitFor();
  await page.getByRole('button', { name: 'Set label… on version 2' }).click();
  await page.getByLabel('Name of the new label').fill('production');
  await page.getByRole('button', { name: 'Set label', exact: true }).click();
  await page.getByRole('status').getByText('production was set on v2.').waitFor();

  const params = { name: 'answer' };
  const fetched = await service.byKey.prompts.fetchPrompt({
    params,
    query: { label: 'production' },
  });
  expect(fetched).toMatchObject({
    version: 2,
    prompt_type: 'chat',
    content: [
      { role: 'system', content: 'You answer kindly for {{company}}.' },
      { role: 'user', content: '{{question}}' },
    ],
  });
  await page.getByRole('button', { name: 'Set label… on version 2' }).click();
  await page.getByLabel('Name of the new label').fill('not a label');
  await page.getByRole('button', { name: 'Set label', exact: true }).click();
  await page.getByRole('alert').getByText('Label: expected up to 100 letters').waitFor();
});
