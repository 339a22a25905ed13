// @module-tag chromium

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';

const T0 = Date.parse('2026-03-01T10:00:00.000Z');

let service: TestControlPlane;
let browser: Browser;
let page: Page;

interface Recorded {
  model: string;
  cost: number;
  prompt: string;
  spans: { name: string; status?: 'error' }[];
  quality: number;
  seconds: number;
}

const first: Recorded = {
  model: 'gpt-4o',
  cost: 0.5,
  prompt: 'Be brief.\nAnswer in English.',
  spans: [{ name: 'search' }, { name: 'fetch' }],
  quality: 0.5,
  seconds: 10,
};
const second: Recorded = {
  model: 'gpt-4o',
  cost: 0.75,
  prompt: 'Be very brief.\nAnswer in English.',
  spans: [{ name: 'search', status: 'error' }, { name: 'shell' }, { name: 'fetch' }],
  quality: 0.75,
  seconds: 25,
};

async function record({ model, cost, prompt, spans, quality, seconds }: Recorded) {
  const { recording } = service.byKey;
  service.setTime(T0);
  const inputs = { question: `costs ${cost}` };
  const { run_id } = await recording.startRun({ body: { agent_name: 'support', inputs } });
  const params = { run_id };
  const messages = JSON.stringify([{ role: 'system', content: prompt }]);
  const call = { model, cost, tokens_in: 100, tokens_out: 10, prompt_preview: messages };
  const timed = { ...call, duration_ms: seconds * 100 };
  await recording.recordLlmCalls({ params, body: { calls: [timed] } });
  const tools = spans.map((span, position) => ({ ...span, kind: 'tool' as const, position }));
  await recording.recordSpans({ params, body: { spans: tools } });
  const scores = [{ name: 'quality', numeric_value: quality }];
  await recording.recordScores({ params, body: { scores } });
  service.setTime(T0 + seconds * 1000);
  await recording.completeRun({ params, body: { status: 'success' } });
}

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  const rules = { blocked_tools: ['shell'] };
  await service.byKey.policies.createPolicy({
    body: { name: 'No shells', category: 'tool-allowlist', rules },
  });
  for (const run of [first, second]) await record(run);
  service.setTime(undefined);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  page = await openConsole(browser, service);
});
afterEach(() => page.close());

const open = (path: string) => page.goto(service.urls.public + path);
const query = () => new URL(page.url()).searchParams;
const totals = () => page.getByRole('table', { name: 'Totals' });
const rowOf = async (measure: string) =>
  (await totals().getByRole('row', { name: measure }).getByRole('cell').allTextContents()).map(
    (text) => text.trim(),
  );
const grid = () => page.getByRole('grid', { name: 'Records of both runs' });
const rows = () => grid().locator('.aligned-row');

test('two runs selected in the list are compared: totals with their differences', async () => {
  await open('/runs');
  await page.getByLabel('Choose run 2').check();
  await page.getByText('Choose two to compare them.').waitFor();
  await page.getByLabel('Choose run 1').check();
  await page.getByRole('group', { name: 'Chosen runs' }).getByText('2 runs chosen').waitFor();
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Compare runs' }).waitFor();
  expect([query().get('a'), query().get('b')]).toEqual(['1', '2']);
  await totals().waitFor();
  await expect.poll(() => rowOf('Cost')).toEqual(['$0.5000', '$0.7500', '+$0.2500 (+50%)']);
  await expect.poll(() => rowOf('Duration')).toEqual(['10 s', '25 s', '+15 s (+150%)']);
  await expect.poll(() => rowOf('Errors')).toEqual(['0', '1', '+1']);
  await expect.poll(() => rowOf('Tokens')).toEqual(['110', '110', 'Same']);
  await expect
    .poll(async () => (await rowOf('Policy verdict')).slice(1))
    .toEqual(['block', 'Different']);
  await expect.poll(() => rowOf('Score: quality')).toEqual(['0.5', '0.75', '+0.25 (+50%)']);
  await expect.poll(() => rowOf('Average latency')).toEqual(['1.0 s', '2.5 s', '+1.5 s (+150%)']);
});

test('records correspond by name and position, and a filter shows only those that differ', async () => {
  await open('/runs/compare?a=1&b=2');
  const texts = async () =>
    (await rows().all()).length === 0
      ? []
      : rows().evaluateAll((all) =>
          all.map((row) =>
            [...row.children].map((cell) => cell.querySelector('.clipped')?.getAttribute('title')),
          ),
        );
  const toolsOnly = async () =>
    (await texts()).filter(([a, b]) => /^(search|shell|fetch)$/.test(a ?? b ?? ''));
  await expect.poll(toolsOnly).toEqual([
    ['search', 'search'],
    [undefined, 'shell'],
    ['fetch', 'fetch'],
  ]);
  await page.getByLabel('Only records that differ').check();
  await expect.poll(toolsOnly).toEqual([
    ['search', 'search'],
    [undefined, 'shell'],
  ]);
  expect(query().get('only')).toBe('different');
  await page.goBack();
  await expect.poll(async () => (await toolsOnly()).length).toBe(3);
});

test('the texts of a record are compared, also with the keyboard, and the URL contains the record', async () => {
  await open('/runs/compare?a=1&b=2');
  const changed = page.getByRole('group', { name: 'Inputs, different' });
  await changed.getByText('costs 0.5').waitFor();
  await expect.poll(() => changed.locator('mark').allTextContents()).toContain('75');
  await rows().filter({ hasText: 'gpt-4o' }).click();
  const prompt = page.getByRole('group', { name: 'Prompt, different' });
  await prompt.getByText('Answer in English.').waitFor();
  await expect.poll(() => prompt.locator('mark').allTextContents()).toEqual(['very ']);
  expect(query().get('record')).toMatch(/^llm_call-\d+~llm_call-\d+$/);
  await page.reload();
  await prompt.waitFor();
  await grid().focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => query().get('record')).not.toMatch(/^llm_call/);
  await prompt.waitFor({ state: 'detached' });
});

test('the page of a run links to the comparison with another run of its agent', async () => {
  await open('/runs/2');
  await page.getByRole('link', { name: 'Compare…' }).click();
  await page.getByRole('button', { name: 'Compare with run 1' }).click();
  await totals().waitFor();
  expect([query().get('a'), query().get('b')]).toEqual(['2', '1']);
  await page.getByRole('button', { name: 'Swap runs' }).click();
  await expect.poll(() => query().get('a')).toBe('1');
  await expect.poll(() => rowOf('Cost')).toEqual(['$0.5000', '$0.7500', '+$0.2500 (+50%)']);
});

test('an unknown run and an address without runs show a message', async () => {
  await open('/runs/compare?a=1&b=999');
  await page.getByText('There is no run 999').waitFor();
  await open('/runs/compare?a=x');
  await page.getByText('No runs to compare').waitFor();
});

test('verdict and scores are columns and filters of the list of runs', async () => {
  await open('/runs');
  await page.getByLabel('Columns and density').click();
  await page.getByRole('checkbox', { name: 'Verdict' }).check();
  await page.getByRole('checkbox', { name: 'Score: quality' }).check();
  await page.reload();
  const table = page.getByRole('table', { name: 'Runs' });
  const cells = (id: string, label: string) =>
    table.locator(`tr[data-key="${id}"] td[data-label="${label}"]`).textContent();
  await expect.poll(() => cells('2', 'Verdict')).toBe('block');
  expect(await cells('1', 'Verdict')).not.toBe('block');
  await expect
    .poll(async () => [await cells('1', 'Score: quality'), await cells('2', 'Score: quality')])
    .toEqual(['0.5', '0.75']);
  await page.getByRole('button', { name: 'More filters' }).click();
  const filters = page.getByRole('group', { name: 'More filters' });
  await filters.getByLabel('Score', { exact: true }).fill('quality');
  await page.keyboard.press('Enter');
  await filters.getByLabel('Score from').fill('0.6');
  await page.keyboard.press('Enter');
  await expect.poll(() => table.locator('tbody tr').count()).toBe(1);
  expect([query().get('score'), query().get('min_score')]).toEqual(['quality', '0.6']);
  await filters.getByLabel('Policy verdict').selectOption('allow');
  await page.getByText('No run matches these filters').waitFor();
});
