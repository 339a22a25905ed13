// @module-tag chromium

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import { makeDataset } from '../support/datasets.ts';
import {
  expectedResponse,
  type ModelProvider,
  startModelProvider,
} from '../support/model-provider.ts';
import { settings } from '../support/playground.ts';

let models: ModelProvider;
let service: TestControlPlane;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  models = await startModelProvider();
  [service, browser] = await Promise.all([
    startTestControlPlane('sqlite', settings(models, 'openai')),
    launchChromium(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await models?.stop();
});
beforeEach(async () => {
  page = await openConsole(browser, service);
});
afterEach(() => page.close());

const open = (path: string) => page.goto(service.urls.public + path);
const button = (name: string, within: Page | Locator = page): Locator =>
  within.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const rows = (table: string): Locator =>
  page.getByRole('table', { name: table, exact: true }).locator('tbody tr:not(.detail)');

async function recordCall(): Promise<number> {
  const { recording } = service.byKey;
  const { run_id } = await recording.startRun({ body: { agent_name: 'support' } });
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Capital of France?' },
  ];
  const call = {
    model: 'gpt-4o',
    tokens_in: 5,
    tokens_out: 1,
    prompt_preview: JSON.stringify(messages),
    response_preview: 'Paris',
  };
  await recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
  const { llm_calls } = await service.byOwner.runs.getRun({ params: { id: run_id } });
  return llm_calls[0]?.id ?? 0;
}

/** Starts an experiment in the open dialog, and waits for its end. */
async function start(name: string, model: string): Promise<void> {
  await button('Start experiment').click();
  await dialog().getByLabel('Name', { exact: true }).fill(name);
  await dialog().getByLabel('No prompt', { exact: true }).check();
  await dialog().getByLabel('Model', { exact: true }).fill(model);
  await button('Add evaluator', dialog()).click();
  const evaluator = dialog().getByRole('group', { name: 'Evaluator 1' });
  await evaluator.getByLabel('Type').selectOption('Contains');
  await evaluator.getByLabel('Ignore case').check();
  await button('Run over 1 item', dialog()).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.getByText('Completed', { exact: true }).waitFor();
}

test('after a failed attempt, a call is added to the dataset that the attempt created', async () => {
  await open(`/llm-calls/${await recordCall()}`);
  await button('Add to dataset…').click();
  await dialog().getByLabel('Dataset', { exact: true }).selectOption('A new dataset');
  await dialog().getByLabel('Name of the dataset').fill('second attempt');
  await page.route(/datasets\/[^/]+\/items\/$/, (route) => route.abort(), { times: 1 });
  await button('Add', dialog()).click();
  await dialog().getByRole('alert').waitFor();
  await button('Add', dialog()).click();
  await page.getByRole('status').getByText('Added to second attempt').waitFor();
});

test('a dataset is created from a call, an experiment runs over it, and two are compared', async () => {
  const call = await recordCall();
  await open(`/llm-calls/${call}`);
  await button('Add to dataset…').click();
  await dialog().getByLabel('Dataset', { exact: true }).selectOption('A new dataset');
  await dialog().getByLabel('Name of the dataset').fill('capitals');
  await expect
    .poll(() => dialog().getByLabel('Text of message 2').inputValue())
    .toBe('Capital of France?');
  // The copied values can be edited.
  const expected = dialog().getByLabel('Expected output', { exact: true });
  await expect.poll(() => expected.inputValue()).toBe('Paris');
  await expected.fill('france');
  await button('Add', dialog()).click();
  await page.getByRole('status').getByText('Added to capitals').waitFor();

  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Datasets' })
    .click();
  await page.getByRole('link', { name: 'capitals' }).click();
  await rows('Items').getByText('user: Capital of France?').waitFor();
  await expect
    .poll(() =>
      rows('Items')
        .getByRole('link', { name: `Call ${call}` })
        .count(),
    )
    .toBe(1);
  await page.getByRole('tab', { name: /^Experiments/ }).click();
  await start('first', 'gpt-4o-mini');
  const output = expectedResponse('gpt-4o-mini', ['Be brief.', 'Capital of France?']);
  await rows('Results').getByText(output).waitFor();
  await rows('Results').getByText('Contains: Pass').waitFor();
  await button('Details of item 1').click();
  await page.getByRole('group', { name: 'Output', exact: true }).getByText(output).waitFor();

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
  await start('second', 'gpt-4o');
  await page.getByRole('combobox', { name: 'Compare with' }).selectOption('first');
  await rows('Items')
    .getByText(expectedResponse('gpt-4o', ['Be brief.', 'Capital of France?']))
    .waitFor();
  await expect.poll(() => rows('Items').getByText(output).count()).toBe(1);
  await expect
    .poll(() => rows('Totals').filter({ hasText: 'Score: Contains' }).textContent())
    .toBe('Score: Contains11Same');
  await expect
    .poll(() => rows('Totals').filter({ hasText: 'Model' }).textContent())
    .toContain('Different');
  await expect
    .poll(() => rows('Totals').filter({ hasText: 'Prompt' }).textContent())
    .toContain('Same');
});

test('items are imported from a file, and a file with an error is rejected as a whole', async () => {
  const { params } = await makeDataset(service.byOwner);
  await open(`/datasets/${params.dataset_id}`);
  await button('Import…').click();
  const file = (name: string, text: string) => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });
  const input = dialog().getByLabel('File');
  await input.setInputFiles(file('a.csv', 'question\n"x'));
  await dialog().getByText('The file is not CSV: line 2: a quote is not closed.').waitFor();
  await input.setInputFiles(file('a.csv', 'question,expected_output\nWhy?,Because\nHow?,\n'));
  await dialog().getByText('2 items in the file').waitFor();
  await button('Import', dialog()).click();
  await expect.poll(() => rows('Items').count()).toBe(2);
  await expect.poll(() => rows('Items').first().textContent()).toContain('question: Why?');
  await button('Import…').click();
  const lines = '{"input":[{"role":"user","content":"Hi"}],"expected_output":{"a":1}}\n';
  await input.setInputFiles(file('a.jsonl', lines));
  await button('Import', dialog()).click();
  await expect.poll(() => rows('Items').count()).toBe(3);
  await expect.poll(() => rows('Items').last().textContent()).toContain('{"a":1}');
});

test('an item is added, edited, archived and restored', async () => {
  const { params } = await makeDataset(service.byOwner);
  await open(`/datasets/${params.dataset_id}`);
  await button('Add item').click();
  await dialog().getByLabel('Input', { exact: true }).fill('{"question": ');
  await button('Add', dialog()).click();
  await dialog().getByText('Expected a JSON object, such as').waitFor();
  await dialog().getByLabel('Input', { exact: true }).fill('{"question": "Why?"}');
  await button('Add', dialog()).click();
  await button('question: Why?', rows('Items')).click();
  await dialog().getByLabel('Expected output', { exact: true }).fill('Because');
  await button('Save', dialog()).click();
  await rows('Items').getByText('Because').waitFor();
  await button('question: Why?', rows('Items')).click();
  await button('Archive item', dialog()).click();
  await page.getByText('No items yet').waitFor();
  await page.getByLabel('Archived', { exact: true }).check();
  await button('question: Why?', rows('Items')).click();
  await button('Restore item', dialog()).click();
  await page.getByText('No archived items').waitFor();
  const { results } = await service.byOwner.datasets.listDatasetItems({ params, query: {} });
  expect(results).toMatchObject([{ input_preview: 'question: Why?', expected_preview: 'Because' }]);
});

test('a schema is not truncated, and the reason for its rejection is shown', async () => {
  const { params } = await makeDataset(service.byOwner, [{ input: { n: 1 } }]);
  await open(`/datasets/${params.dataset_id}?tab=experiments`);
  await button('Start experiment').click();
  await dialog().getByLabel('Content').fill('Number {{n}}');
  await dialog().getByLabel('Model', { exact: true }).fill('echo');
  await button('Add evaluator', dialog()).click();
  await dialog().getByLabel('Type').selectOption('JSON Schema');
  const field = dialog().getByLabel('Schema', { exact: true });
  // The limit applies to the JSON without white space, but the browser would truncate pasted text.
  expect(await field.getAttribute('maxlength')).toBeNull();
  await field.fill(JSON.stringify({ $ref: 'other.json' }, null, 2));
  await button('Run over 1 item', dialog()).click();
  const refused = dialog().getByRole('alert');
  await refused.getByText('the schema of "JSON Schema": /$ref: expected a reference').waitFor();
});

test('an experiment shows its progress and can be cancelled', async () => {
  const { params } = await makeDataset(service.byOwner, [{ input: { n: 1 } }, { input: { n: 2 } }]);
  await open(`/datasets/${params.dataset_id}?tab=experiments`);
  await button('Start experiment').click();
  await dialog().getByLabel('Content').fill('Number {{n}}');
  await dialog().getByLabel('Model', { exact: true }).fill('held');
  await dialog().getByLabel('Concurrency').fill('1');
  await button('Run over 2 items', dialog()).click();
  await page.getByText('Running, 0 of 2').waitFor();
  await expect.poll(() => models.pausedRequests.length).toBe(1);
  for (const answer of models.pausedRequests.splice(0)) answer();
  await page.getByText('Running, 1 of 2').waitFor();
  await button('Cancel experiment').click();
  await page.getByText('Cancelled, 1 of 2').waitFor();
  expect(await button('Cancel experiment').count()).toBe(0);
  await rows('Results').getByText('No result').waitFor();
});

test('failed items are retried', async () => {
  const { params } = await makeDataset(service.byOwner, [{ input: { n: 1 } }, { input: { n: 2 } }]);
  await open(`/datasets/${params.dataset_id}?tab=experiments`);
  await button('Start experiment').click();
  await dialog().getByLabel('Content').fill('Number {{n}}');
  await dialog().getByLabel('Model', { exact: true }).fill('flaky');
  await button('Run over 2 items', dialog()).click();
  await page.getByText('2 failed', { exact: true }).waitFor();
  await button('Retry failed items').click();
  await page.getByText('Completed', { exact: true }).waitFor();
  await rows('Results').getByText('Number 2').waitFor();
  await button('Retry failed items').waitFor({ state: 'detached' });
});
