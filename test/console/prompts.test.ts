// @module-tag chromium

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { OWNER, startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';

let service: TestControlPlane;
let browser: Browser;
let page: Page;
let prompt_id: string;
let made = 0;

const FIRST = 'You answer for {{company}}.\nBe brief.\nQuestion: {{question}}';
const SECOND = 'You answer for {{company}}.\nBe very brief.\nQuestion: {{question}}';

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Creates a text prompt with two versions, the first of which is in production. */
beforeEach(async () => {
  const { prompts } = service.byOwner;
  const name = `support ${(made += 1)}`;
  const config = { model: 'gpt-4o', temperature: 0.5 };
  ({ id: prompt_id } = await prompts.createPrompt({
    body: { name, content: `${FIRST} ${made}`, config },
  }));
  const params = { prompt_id };
  const body = { content: `${SECOND} ${made}`, config: { temperature: 0.2 } };
  await prompts.createPromptVersion({ params, body });
  await prompts.putPromptLabel({
    params: { prompt_id, label: 'production' },
    body: { version: 1 },
  });
  page = await openConsole(browser, service);
});
afterEach(() => page.close());

const open = (query = '') => page.goto(`${service.urls.public}/prompts/${prompt_id}${query}`);
const button = (name: string, within: Page | Locator = page): Locator =>
  within.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const rows = (table: string) =>
  page.getByRole('table', { name: table, exact: true }).locator('tbody tr');
const labelsOf = async () => {
  const { versions } = await service.byOwner.prompts.getPrompt({ params: { prompt_id } });
  return Object.fromEntries(versions.map(({ version, labels }) => [version, labels]));
};

test('two versions are compared by line with the changed words, and by config', async () => {
  await open('?tab=compare');
  const content = page.getByRole('group', { name: 'Text, changed' });
  await content.getByText('Removed: Be brief.').waitFor();
  await content.getByText('Added: Be very brief.').waitFor();
  await expect.poll(() => content.locator('mark').allTextContents()).toEqual(['very ']);
  const temperature = page.getByRole('group', { name: 'temperature, changed' });
  await expect
    .poll(() => temperature.locator('.diff-line').allTextContents())
    .toEqual(['−Removed: 0.5', '+Added: 0.2']);
  expect(await page.getByRole('group', { name: /^model/ }).count()).toBe(0);
  await button('Swap the versions').click();
  await content.getByText('Removed: Be very brief.').waitFor();
  expect(new URL(page.url()).search).toBe('?tab=compare&from=2&to=1');
});

test('a label moves after a confirmation that names both versions, and Undo moves it back', async () => {
  await open('?tab=labels');
  await button('Move… production').click();
  await dialog().getByText('production moves from v1 to v2').waitFor();
  await button('Move label', dialog()).click();
  await page.getByRole('status').getByText('production was moved from v1 to v2.').waitFor();
  expect(await labelsOf()).toEqual({ 1: [], 2: ['production'] });
  await expect.poll(() => rows('History of labels').count()).toBe(2);
  const newest = await rows('History of labels').first().textContent();
  expect(newest).toContain('v1 → v2');
  expect(newest).toContain(OWNER.email);
  await button('Undo').click();
  await expect.poll(() => labelsOf()).toEqual({ 1: ['production'], 2: [] });
  await rows('History of labels').first().getByText('v2 → v1').waitFor();
});

test('Undo is rejected once another user has moved the label', async () => {
  await open('?tab=labels');
  await button('Move… production').click();
  await button('Move label', dialog()).click();
  await page.getByRole('status').getByText('production was moved').waitFor();
  const params = { prompt_id, label: 'production' };
  await service.byOwner.prompts.deletePromptLabel({ params });
  await button('Undo').click();
  await page.getByText('The label "production" does not exist, not version 2').waitFor();
});

test('a new label that resembles an existing one needs a confirmation', async () => {
  await open();
  await page.getByRole('button', { name: 'Details of version 2' }).click();
  await button('Set label… on version 2').click();
  // The existing label is offered first.
  await dialog().getByText('production moves from v1 to v2').waitFor();
  await dialog().getByLabel('New label').check();
  const name = dialog().getByLabel('Name of the new label');
  await name.fill('prodution');
  await dialog().getByText('prodution is similar to production').waitFor();
  const set = button('Set label', dialog());
  await expect.poll(() => set.isDisabled()).toBe(true);
  await button('Use production', dialog()).click();
  await button('Move label', dialog()).waitFor();
  await dialog().getByLabel('New label').check();
  await dialog().getByLabel('This is a different label').check();
  await set.click();
  await page.getByRole('status').getByText('prodution was set on v2.').waitFor();
  expect(await labelsOf()).toEqual({ 1: ['production'], 2: ['prodution'] });
});

test('a label is removed after a confirmation, and Undo sets it again', async () => {
  await open('?tab=labels');
  await button('Remove… production').click();
  await dialog().getByText('Agents that fetch the label get an error').waitFor();
  await button('Remove label', dialog()).click();
  await page.getByRole('status').getByText('production was removed from v1.').waitFor();
  await button('Undo').click();
  await expect.poll(() => labelsOf()).toEqual({ 1: ['production'], 2: [] });
});

test('a version can start from any other, and its config is edited and dropped', async () => {
  await open();
  await page.getByRole('button', { name: 'Details of version 1' }).click();
  await page.getByText('company', { exact: true }).waitFor();
  await button('New version from v1').click();
  await expect.poll(() => dialog().getByLabel('Content').inputValue()).toBe(`${FIRST} ${made}`);
  await dialog().getByLabel('Model').fill('gpt-4o-mini');
  await dialog().getByLabel('Temperature').fill('9');
  await button('Save version', dialog()).click();
  await dialog().getByText('Expected a number from 0 to 2.').waitFor();
  await dialog().getByLabel('Temperature').fill('');
  await dialog().getByText('Tools, response format and other settings').click();
  await dialog().getByLabel('Other settings').fill('{"seed": 7}');
  await dialog().getByText('Changes from v1').click();
  await dialog().getByRole('group', { name: 'temperature, removed' }).waitFor();
  await button('Save version', dialog()).click();
  await expect.poll(() => rows('Versions').count()).toBeGreaterThan(2);
  const params = { prompt_id, version_num: '3' };
  expect(await service.byOwner.prompts.getPromptVersion({ params })).toMatchObject({
    content: `${FIRST} ${made}`,
    config: { model: 'gpt-4o-mini', seed: 7 },
  });
});

test('versions are compared by their calls, which are one click away', async () => {
  const { recording } = service.byKey;
  const record = async (content: string, ms: number, status: 'success' | 'error') => {
    const { run_id } = await recording.startRun({ body: { agent_name: 'support' } });
    const params = { run_id };
    const call = { model: 'gpt-4o', tokens_in: 10, tokens_out: 5, cost: 0.5, duration_ms: ms };
    const calls = [{ ...call, prompt_preview: content }];
    await recording.recordLlmCalls({ params, body: { calls } });
    const scores = [{ name: 'helpful', numeric_value: status === 'error' ? 1 : 4 }];
    await recording.recordScores({ params, body: { scores } });
    await recording.completeRun({ params, body: { status } });
  };
  await record(`${FIRST} ${made}`, 100, 'success');
  await record(`${FIRST} ${made}`, 900, 'error');
  await record(`${SECOND} ${made}`, 300, 'success');
  await open('?tab=performance');
  const table = page.getByRole('table', { name: 'Versions compared' });
  const cellsOf = (row: number) =>
    table.locator('tbody tr').nth(row).locator('th, td').allTextContents();
  await table.getByText('$1.00').first().waitFor();
  await expect
    .poll(() => cellsOf(0))
    .toEqual(['v2', '1', '$0.5000', '$0.5000', '300 ms', '300 ms', '0%', '4']);
  await expect
    .poll(async () => (await cellsOf(1)).slice(1))
    .toEqual(['2', '$1.00', '$0.5000', '100 ms', '900 ms', '50%', '2.5']);
  await page.getByLabel('Measure').selectOption('Score helpful');
  await page.getByRole('img', { name: 'Score helpful of each version, as a chart' }).waitFor();
  await expect.poll(() => page.locator('.line-plot circle').count()).toBe(2);

  await page.getByRole('link', { name: '2 LLM calls of v1' }).click();
  await expect.poll(() => rows('LLM calls').count()).toBe(2);
  await button(`Remove the filter: prompt support ${made} v1`).click();
  await expect.poll(() => rows('LLM calls').count()).toBeGreaterThanOrEqual(3);
});

test('a prompt is renamed, duplicated, archived, restored and deleted', async () => {
  await open();
  const choose = async (action: string) => {
    await page.getByLabel('More actions').click();
    await button(action).click();
  };
  await choose('Rename…');
  await dialog().getByLabel('Name').fill(`renamed ${made}`);
  await button('Rename', dialog()).click();
  await page.getByRole('heading', { level: 1, name: `renamed ${made}` }).waitFor();

  // Agents may use the prompt, because it has a label.
  await page.getByLabel('More actions').click();
  expect(await button('Delete…').count()).toBe(0);
  await button('Archive…').click();
  await button('Archive', dialog()).click();
  await page.getByText('Agents can still fetch it; it gets no new versions').waitFor();
  expect(await button('New version').count()).toBe(0);

  await page.goto(`${service.urls.public}/prompts`);
  await page.getByLabel('Search prompts').waitFor();
  await page.waitForFunction(() => document.querySelector('main [aria-busy=true]') === null);
  const listed = page.getByRole('link', { name: `renamed ${made}` });
  expect(await listed.count()).toBe(0);
  await page.getByRole('radio', { name: 'Archived' }).check();
  await listed.click();
  await choose('Restore…');
  await button('Restore', dialog()).click();
  await button('New version').waitFor();

  await choose('Duplicate…');
  await expect.poll(() => dialog().getByLabel('Name').inputValue()).toBe(`renamed ${made} copy`);
  await button('Duplicate', dialog()).click();
  await page.getByRole('heading', { level: 1, name: `renamed ${made} copy` }).waitFor();
  await page.getByText(`Copy of renamed ${made} v2`).waitFor();
  await choose('Delete…');
  await button('Delete prompt', dialog()).click();
  await page.waitForURL(/\/prompts$/);
  const { results } = await service.byOwner.prompts.listPrompts();
  const names = results.map(({ name }) => name).filter((name) => name.startsWith('renamed'));
  expect(names).toEqual([`renamed ${made}`]);
});

test('programs that fetch the prompt contain the selected version or label and the variables', async () => {
  await open('?tab=use');
  const curl = page.getByRole('group', { name: 'curl', exact: true });
  await curl.getByText('?label=production').waitFor();
  await page.getByLabel('What to fetch').selectOption('Version 2');
  await curl.getByText('?version=2').waitFor();
  await page.getByRole('radio', { name: 'Python' }).check();
  const python = page.getByRole('group', { name: 'Python', exact: true });
  await python.getByText('prompt.compile(**{"company": "…", "question": "…"})').waitFor();
});
