// @module-tag chromium

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';

const T0 = Date.parse('2026-03-01T10:00:00.000Z');
const HOUR_MS = 3_600_000;

let service: TestControlPlane;
let browser: Browser;
let page: Page;

/** The scores in the order of their recording, one hour apart. */
const sent = [
  { agent: 'support', name: 'quality', numeric_value: 0.5, comment: 'too short' },
  { agent: 'support', name: 'quality', numeric_value: 0.75, comment: 'good' },
  { agent: 'research', name: 'tone', data_type: 'categorical', string_value: 'friendly' },
  { agent: 'research', name: 'quality', numeric_value: 1, comment: 'the best' },
] as const;

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  for (const [at, { agent, ...score }] of sent.entries()) {
    const { recording } = service.byKey;
    service.setTime(T0 + at * HOUR_MS);
    const { run_id } = await recording.startRun({ body: { agent_name: agent } });
    const call = { model: 'gpt-4o', tokens_in: 10, tokens_out: 1, cost: at + 1 };
    await recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
    await recording.recordScores({ params: { run_id }, body: { scores: [score] } });
  }
  service.setTime(undefined);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  page = await openConsole(browser, service);
  await page.goto(`${service.urls.public}/scores`);
  await shows('1', 'friendly', '0.75', '0.5');
});

afterEach(() => page.close());

const rows = (label = 'Scores') => page.getByRole('table', { name: label }).locator('tbody tr');
const panel = (name: string) => page.getByRole('region', { name });
const query = () => new URL(page.url()).searchParams;

/** Expects these values, in this order. */
async function shows(...values: string[]): Promise<void> {
  const texts = () => rows().locator('td:nth-child(2)').allTextContents();
  await expect.poll(texts).toEqual(values);
}

test('headers sort scores, and totals are shown', async () => {
  await page.getByText('4 scores · average 0.75 · 2 names').waitFor();
  await page.getByRole('columnheader', { name: 'Value' }).getByRole('button').click();
  await shows('1', '0.75', '0.5', 'friendly');
  expect(query().get('sort')).toBe('-numeric_value');
  await page.getByRole('columnheader', { name: 'Agent' }).getByRole('button').click();
  await shows('friendly', '1', '0.5', '0.75');
});

test('scores are filtered by name, agent, value and run, and Back undoes it', async () => {
  await page.getByLabel('Agent', { exact: true }).fill('support');
  await shows('0.75', '0.5');
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('Number from').fill('0.6');
  await page.keyboard.press('Enter');
  await shows('0.75');
  expect([query().get('agent'), query().get('min_value')]).toEqual(['support', '0.6']);
  await page.goBack();
  await shows('0.75', '0.5');
  await page.goBack();
  await shows('1', 'friendly', '0.75', '0.5');
  await page.getByLabel('Score', { exact: true }).fill('tone');
  await shows('friendly');
  await page.goto(`${service.urls.public}/scores?run=1`);
  await shows('0.5');
  await page.goto(`${service.urls.public}/scores?value=friendly`);
  await shows('friendly');
});

test('a row opens a side panel with its comment, and j moves to the next row', async () => {
  await rows().nth(0).getByText('quality').click();
  await panel('quality').getByText('the best').waitFor();
  await panel('quality').getByRole('link', { name: 'Run 4' }).waitFor();
  await page.keyboard.press('j');
  await panel('tone').getByText('Category').waitFor();
  await page.reload();
  await panel('tone').getByText('Category').waitFor();
  await page.keyboard.press('Escape');
  await panel('tone').waitFor({ state: 'detached' });
});

test('the histogram restricts the time range and shows averages', async () => {
  const histogram = page.getByRole('img', { name: /^4 scores from/ });
  const box = await histogram.boundingBox();
  if (!box) throw new Error('the histogram has no bounding box');
  await page.getByRole('radio', { name: 'Average' }).check();
  await page.getByRole('img', { name: /^average 0.75 from/ }).waitFor();
  expect(query().get('chart')).toBe('average');
  await page.mouse.click(box.x + 14, box.y + box.height - 6);
  await shows('0.5');
  expect(Date.parse(query().get('start') ?? '')).toBe(T0);
});

test('the rows of the filter are exported, and a view is saved', async () => {
  await page.goto(`${service.urls.public}/scores?agent=support&sort=numeric_value`);
  await shows('0.5', '0.75');
  await page.getByLabel('Export', { exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'JSON Lines' }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).split('\n').filter(Boolean);
  const values = lines.map((line) => (JSON.parse(line) as { numeric_value: number }).numeric_value);
  expect(values).toEqual([0.5, 0.75]);
  await page.getByLabel(/^Views/).click();
  await page.getByRole('button', { name: 'Save view…' }).click();
  await page.getByLabel('Name').fill('Of support');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByLabel('Views: Of support').waitFor();
});

test('LLM calls are shown over time, also by cost, and each has a page', async () => {
  await page.goto(`${service.urls.public}/llm-calls`);
  const histogram = page.getByRole('img', { name: /^4 LLM calls from/ });
  await histogram.waitFor();
  await page.getByRole('radio', { name: 'Cost' }).check();
  const costs = page.getByRole('img', { name: /^\$10.00 from/ });
  const box = await costs.boundingBox();
  if (!box) throw new Error('the histogram has no bounding box');
  await page.mouse.click(box.x + box.width - 12, box.y + box.height / 2);
  await page.getByRole('img', { name: /^\$4.00 from/ }).waitFor();
  await rows('LLM calls').first().getByText('research').click();
  await page.getByRole('link', { name: 'Open page' }).click();
  await page.getByRole('heading', { level: 1, name: 'LLM call 4' }).waitFor();
  await page.getByRole('link', { name: 'Show in trace' }).click();
  await page.waitForURL(/runs\/4\?span=llm_call-4/);
});

test('the filtered rows of the audit log are exported', async () => {
  await service.byOwner.prompts.createPrompt({ body: { name: 'exported', content: 'x' } });
  await page.goto(`${service.urls.public}/audit?action=prompt.*`);
  await rows('Audit log').first().waitFor();
  await page.getByLabel('Export', { exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'JSON Lines' }).click(),
  ]);
  const lines = (await readFile(await file.path(), 'utf8')).split('\n').filter(Boolean);
  expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual([
    'prompt.create',
  ]);
  await page.getByLabel('Export', { exact: true }).click();
  await page.getByRole('button', { name: 'Entire log…' }).click();
  await page.getByRole('dialog', { name: 'Export the audit log' }).waitFor();
});

/** Must be the last test, because the others expect only the scores that were sent. */
test('a user scores a run, and an LLM call, whose score counts for its run', async () => {
  await page.goto(`${service.urls.public}/runs/1`);
  await page.getByRole('button', { name: 'Add score' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add score' });
  await dialog.getByLabel('Score').fill('review');
  await dialog.getByLabel('Value').fill('-2.5');
  await dialog.getByLabel('Comment').fill('wrong answer');
  await dialog.getByRole('button', { name: 'Add score' }).click();
  await dialog.waitFor({ state: 'detached' });
  await rows().filter({ hasText: 'review' }).getByText('-2.5').waitFor();
  const { results } = await service.byOwner.scores.listScores({ query: { name: 'review' } });
  expect(results).toMatchObject([{ numeric_value: -2.5, source: 'manual', run_id: '1' }]);

  await page.goto(`${service.urls.public}/llm-calls/1`);
  await page.getByRole('button', { name: 'Score this call…' }).click();
  const callDialog = page.getByRole('dialog', { name: 'Score LLM call 1' });
  await callDialog.getByLabel('Score').fill('accuracy');
  await callDialog.getByLabel('Value').fill('0.5');
  await callDialog.getByRole('button', { name: 'Add score' }).click();
  await page.getByText('Score added').waitFor();
  const ofCall = await service.byOwner.scores.listScores({ query: { name: 'accuracy' } });
  expect(ofCall.results).toMatchObject([
    { numeric_value: 0.5, source: 'manual', llm_call_id: '1', run_id: '1' },
  ]);
  const run = await service.byOwner.runs.getRun({ params: { id: '1' } });
  expect(run.score_summaries.map(({ name }) => name)).toContain('accuracy');
});
