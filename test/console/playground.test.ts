// @module-tag chromium

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.ts';
import {
  expectedResponse,
  MODEL_KEY,
  type ModelProvider,
  startModelProvider,
} from '../support/model-provider.ts';

let models: ModelProvider;
let service: TestControlPlane;
let browser: Browser;
let page: Page;
/** Versions 1 and 2 of a chat prompt. */
let prompt_id: string;

const system = (content: string) => ({ role: 'system' as const, content });
const question = { role: 'user' as const, content: 'Answer {{question}}' };

beforeAll(async () => {
  models = await startModelProvider();
  [service, browser] = await Promise.all([
    startTestControlPlane('sqlite', { LLM_BASE_URL: `${models.url}/v1`, LLM_API_KEY: MODEL_KEY }),
    launchChromium(),
  ]);
  const { prompts } = service.byOwner;
  const config = { model: 'gpt-4o', temperature: 0.5, seed: 7 };
  const body = { name: 'support', prompt_type: 'chat' as const, config };
  const content = [system('You are {{mood}}.'), question];
  ({ id: prompt_id } = await prompts.createPrompt({ body: { ...body, content } }));
  await prompts.createPromptVersion({
    params: { prompt_id },
    body: { content: [system('You are very {{mood}}.'), question] },
  });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await models?.stop();
});

beforeEach(async () => {
  models.requests.length = 0;
  page = await openConsole(browser, service);
});
afterEach(() => page.close());

const open = (path: string) => page.goto(service.urls.public + path);
const variant = (name: string): Locator =>
  page.getByRole('region', { name: `Variant ${name}`, exact: true });
const button = (name: string, within: Page | Locator = page): Locator =>
  within.getByRole('button', { name, exact: true });
const outcome = (name: string): Locator => variant(name).getByRole('status');

async function openVersion(version = 2): Promise<void> {
  await open(`/playground?prompt=${prompt_id}&version=${version}`);
  await variant('A').getByText(`support v${version}`).waitFor();
}

test('a version runs with its variables filled in, and shows output, tokens, time and cost', async () => {
  await open(`/prompts/${prompt_id}`);
  await page.getByRole('button', { name: 'Details of version 1' }).click();
  await page.getByRole('link', { name: 'Open in playground' }).click();
  await variant('A').getByText('support v1').waitFor();
  // A reload does not open the version again.
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await page.getByLabel('question', { exact: true }).fill('why');
  await page.getByLabel('mood', { exact: true }).fill('**kind**');
  await button('Run Variant A', variant('A')).click();
  const expectedText = expectedResponse('gpt-4o', ['You are **kind**.', 'Answer why']);
  // The output is rendered as Markdown.
  await variant('A').locator('strong', { hasText: 'kind' }).waitFor();
  await expect
    .poll(() => variant('A').getByRole('group', { name: 'Output', exact: true }).textContent())
    .toContain(expectedText.replaceAll('**', ''));
  await variant('A').getByText('5 in, 8 out').waitFor();
  await expect.poll(() => outcome('A').textContent()).toBe('Done');
  await expect
    .poll(() =>
      variant('A')
        .getByText(/^\$0\.|<\$0\./)
        .count(),
    )
    .toBe(1);
  expect(models.requests).toMatchObject([
    { model: 'gpt-4o', temperature: 0.5, seed: 7, stream: true },
  ]);
});

test('variants are compared side by side; the error of one is a line, and the others continue', async () => {
  await openVersion();
  await button('Compare Variant A with a copy').click();
  await button('Compare Variant B with a copy').click();
  await variant('B').getByLabel('Model').fill('down');
  await variant('C').getByLabel('Model').fill('gpt-4o-mini');
  await button('Run all').click();
  await variant('B')
    .getByText('The model provider failed (503): The server is overloaded')
    .waitFor();
  await variant('A').getByText('gpt-4o heard:').waitFor();
  await variant('C').getByText('gpt-4o-mini heard:').waitFor();
  // Variables without a value stay and are named.
  await variant('A').getByText('Without a value: mood, question').waitFor();
  // The output is complete at the end of its stream.
  const outcomes = () => Promise.all(['A', 'B', 'C'].map((name) => outcome(name).textContent()));
  await expect.poll(outcomes).toEqual(['Done', 'Failed', 'Done']);
  const boxes = await Promise.all(['A', 'B', 'C'].map((name) => variant(name).boundingBox()));
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  await button('Remove Variant B').click();
  await variant('B').getByText('gpt-4o-mini heard:').waitFor();
  await expect.poll(() => variant('C').count()).toBe(0);
});

test('the output appears as it arrives, and stopping cancels the request to the provider', async () => {
  await openVersion();
  await variant('A').getByLabel('Model').fill('stalls');
  const abandoned = models.abortedRequests;
  await page.keyboard.press('Control+Enter');
  await variant('A').getByText('half an').waitFor();
  await expect.poll(() => outcome('A').textContent()).toBe('Running…');
  await button('Stop all').click();
  await expect.poll(() => outcome('A').textContent()).toBe('Stopped');
  await expect.poll(() => models.abortedRequests).toBe(abandoned + 1);
  await expect.poll(() => variant('A').getByText('half an').count()).toBe(1);
});

test('an interrupted stream keeps the received output, with the reason', async () => {
  await openVersion();
  await variant('A').getByLabel('Model').fill('breaks');
  await button('Run Variant A', variant('A')).click();
  await variant('A').getByText('The model provider aborted the response: Overloaded').waitFor();
  await variant('A').getByText('half an').waitFor();
});

test('messages are added, moved with the keyboard and removed; edits survive a reload', async () => {
  await openVersion();
  const field = (number: number) => variant('A').getByLabel(`Text of message ${number}`);
  await button('Add message', variant('A')).click();
  await field(3).fill('third');
  await field(3).press('Alt+ArrowUp');
  await expect.poll(() => field(2).inputValue()).toBe('third');
  // The focus moves with the message.
  await expect
    .poll(() => field(2).evaluate((element) => element === document.activeElement))
    .toBe(true);
  await button('Move message 2 up', variant('A')).click();
  await expect.poll(() => field(1).inputValue()).toBe('third');
  await button('Remove message 2', variant('A')).click();
  await page.getByLabel('question', { exact: true }).fill('kept');
  await variant('A').getByLabel('Temperature').fill('1.5');
  await page.reload();
  await variant('A').getByText('support v2').waitFor();
  await expect
    .poll(async () => [await field(1).inputValue(), await field(2).inputValue()])
    .toEqual(['third', question.content]);
  await expect.poll(() => variant('A').getByLabel('Temperature').inputValue()).toBe('1.5');
  await expect.poll(() => page.getByLabel('question', { exact: true }).inputValue()).toBe('kept');

  // Opening another version replaces everything, which can be undone.
  await openVersion(1);
  await expect.poll(() => field(1).inputValue()).toBe('You are {{mood}}.');
  await button('Restore them').click();
  await expect.poll(() => field(1).inputValue()).toBe('third');
});

test('settings that cannot be sent are marked, and nothing is run', async () => {
  await openVersion();
  await variant('A').getByLabel('Temperature').fill('3');
  await variant('A').getByText('Tools, response format and other settings').click();
  await button('Run Variant A', variant('A')).click();
  await variant('A').getByText('Expected a number from 0 to 2.').waitFor();
  expect(models.requests).toEqual([]);
});

test('a tool call by the model is shown', async () => {
  await openVersion();
  const tool = {
    type: 'function',
    function: { name: 'get_weather', parameters: { type: 'object' } },
  };
  const more = variant('A').getByLabel('Tools');
  if (!(await more.isVisible()))
    await variant('A').getByText('Tools, response format and other settings').click();
  await more.fill(JSON.stringify([tool]));
  await button('Run Variant A', variant('A')).click();
  const call = variant('A').getByRole('group', { name: 'Tool call' });
  await call.getByText('get_weather').waitFor();
  await expect.poll(() => call.textContent()).toContain('Paris');
});

test('a variant is saved as the next version after its changes are shown', async () => {
  await openVersion();
  await variant('A').getByLabel('Text of message 1').fill('You are very, very {{mood}}.');
  await variant('A').getByLabel('Temperature').fill('');
  await button('Save as version… Variant A', variant('A')).click();
  const dialog = page.getByRole('dialog');
  const changes = dialog.getByRole('region', { name: 'Changes from v2' });
  await changes.getByText('Added: You are very, very {{mood}}.').waitFor();
  await expect.poll(() => changes.locator('mark').allTextContents()).toEqual([',', 'very ']);
  await changes.getByRole('group', { name: 'temperature, removed' }).waitFor();
  await dialog.getByLabel('Commit message').fill('kinder');
  await button('Save version', dialog).click();
  await variant('A').getByText('support v3').waitFor();
  const params = { prompt_id, version_num: '3' };
  expect(await service.byOwner.prompts.getPromptVersion({ params })).toMatchObject({
    content: [system('You are very, very {{mood}}.'), question],
    config: { model: 'gpt-4o', seed: 7 },
    commit_message: 'kinder',
  });
});

test('a variant is saved as a new prompt; an existing name is rejected', async () => {
  await open('/playground');
  await variant('A').getByLabel('Text of message 1').fill('Hi {{name}}');
  await button('Save as version… Variant A', variant('A')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('support');
  await button('Create prompt', dialog).click();
  await dialog.getByText('Name: another prompt is named "support"').waitFor();
  await dialog.getByLabel('Name').fill('greeting');
  await button('Create prompt', dialog).click();
  await variant('A').getByText('greeting v1').waitFor();
  const fetched = await service.byKey.prompts.fetchPrompt({
    params: { name: 'greeting' },
    query: {},
  });
  expect(fetched).toMatchObject({
    prompt_type: 'chat',
    content: [{ role: 'user', content: 'Hi {{name}}' }],
  });
});

test('a recorded call opens with its messages, model and response, from its panel and from the trace', async () => {
  const { run_id } = await service.byKey.recording.startRun({ body: { agent_name: 'support' } });
  const call = {
    model: 'gpt-4o',
    tokens_in: 12,
    tokens_out: 3,
    duration_ms: 640,
    prompt_preview: JSON.stringify([system('Be brief.'), { role: 'user', content: 'Why?' }]),
    response_preview: 'Because.',
  };
  await service.byKey.recording.recordLlmCalls({ params: { run_id }, body: { calls: [call] } });
  const { results } = await service.byOwner.llmCalls.listLlmCalls({ query: {} });
  const id = String(results[0]?.id);

  await open(`/runs/${run_id}?span=llm_call-${id}`);
  await page.getByRole('link', { name: 'Open in playground' }).click();
  await variant('A').getByText(`LLM call ${id}`).waitFor();
  await page.goBack();

  await open(`/llm-calls?open=${id}`);
  await page.getByRole('link', { name: 'Open in playground' }).click();
  await variant('A').getByText(`LLM call ${id}`).waitFor();
  await expect
    .poll(() => variant('A').getByLabel('Text of message 1').inputValue())
    .toBe('Be brief.');
  await expect.poll(() => variant('A').getByLabel('Text of message 2').inputValue()).toBe('Why?');
  await expect.poll(() => outcome('A').textContent()).toBe('As recorded');
  await variant('A').getByText('Because.').waitFor();
  await button('Run Variant A', variant('A')).click();
  await variant('A')
    .getByText(expectedResponse('gpt-4o', ['Be brief.', 'Why?']))
    .waitFor();
});

describe('without a provider', () => {
  let bare: TestControlPlane;
  beforeAll(async () => {
    bare = await startTestControlPlane('sqlite');
  });
  afterAll(() => bare?.stop());

  test('the page names the missing setting, and nothing can be run', async () => {
    const other = await openConsole(browser, bare);
    await other.goto(`${bare.urls.public}/playground`);
    await other.getByText('No model provider is configured: neither LLM_API_KEY nor').waitFor();
    await other.getByText('in the environment of the control plane').waitFor();
    await expect.poll(() => button('Run', other).isDisabled()).toBe(true);
    await other.close();
  });
});
