// @module-tag chromium

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openConsole } from '../support/console.ts';
import { startTestControlPlane } from '../support/control-plane.ts';
import type { TestControlPlane } from '../support/control-plane.ts';
import { enrollDevice } from '../support/device.ts';
import { newTraceId, requestOf } from '../otel/spans.ts';
import { chat } from '../support/sent-traces.ts';

const PATH = '/settings/opentelemetry';
const trace = newTraceId();
const scope = { name: 'acme.instrumentation', version: '3.1' };

let service: TestControlPlane;
let browser: Browser;
/** A page that is signed in as the owner. */
let page: Page;

beforeAll(async () => {
  [service, browser] = await Promise.all([startTestControlPlane('sqlite'), launchChromium()]);
  page = await openConsole(browser, service);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const open = (path: string) => page.goto(service.urls.public + path);
const rowOf = (table: string, text: string): Locator =>
  page
    .getByRole('table', { name: table, exact: true })
    .locator('tbody tr')
    .filter({ hasText: text });
const detailsOf = async (name: string): Promise<Locator> => {
  await page.getByRole('button', { name: `Details of ${name}` }).click();
  return page.locator('tr.detail').first();
};

test('without OpenTelemetry data, the page says that nothing is missing', async () => {
  await open(PATH);
  await page.getByRole('heading', { name: 'Everything that arrived was mapped' }).waitFor();
  await page.getByRole('tab', { name: 'Rejected' }).click();
  await page.getByRole('heading', { name: 'Nothing was rejected' }).waitFor();
});

test('an unmapped name shows its last value, and links to its run', async () => {
  const attributes = { 'acme.usage.input': 1200, 'acme.mood': `warm ${'x'.repeat(200)}` };
  const spans = [chat({ id: 'call', attributes })];
  await service.byKey.otel.exportTraces({ body: requestOf(spans, { trace, scope }) });
  await open(PATH);
  const row = rowOf('Unmapped names', 'acme.usage.input');
  await row.getByText('1200').waitFor();
  await row.getByText('acme.instrumentation 3.1').waitFor();
  const detail = await detailsOf('acme.mood');
  await detail.getByText(`warm ${'x'.repeat(95)}…`).waitFor();
  await detail.getByText('Text, 205 characters').waitFor();
  await detail.getByText(trace).waitFor();
  await row.getByRole('link', { name: /^Run \d+$/ }).click();
  await page.waitForURL(/\/runs\/\d+$/);
  const { results } = await service.byOwner.runs.listRuns({ query: {} });
  expect(new URL(page.url()).pathname).toBe(`/runs/${results[0]?.id}`);
  expect(results[0]?.trace_id).toBe(trace);
});

test('of a device that reports no texts, only the length of a text is shown', async () => {
  const device = await enrollDevice(service, 'machine-1');
  const config = { coding_agents: 'metadata' as const };
  await service.byOwner.guard.putLayer({ body: { layer: 'global', config } });
  const { key } = (await device.client.device.issueRecordingKey()) as { key: string };
  const spans = [chat({ id: 'call', attributes: { 'acme.prompt': 'Is it warm?' } })];
  const sender = service.by({ 'X-Svc-Key': key });
  await sender.otel.exportTraces({ body: requestOf(spans, { scope }) });
  await open(PATH);
  await rowOf('Unmapped names', 'acme.prompt').getByText('Text, 11 characters').waitFor();
  const detail = await detailsOf('acme.prompt');
  await detail.getByText('may not report texts').waitFor();
  expect(await page.content()).not.toContain('Is it warm?');
});

test('a rejection shows the trace in which it occurred', async () => {
  const [known, unknown] = [{ id: 'old', from: -1e12 }, newTraceId()];
  await service.byKey.otel.exportTraces({ body: requestOf([known], { trace, scope }) });
  const other = { name: 'acme.other', version: '' };
  await service.byKey.otel.exportTraces({
    body: requestOf([known], { trace: unknown, scope: other }),
  });
  await open(`${PATH}?tab=rejected`);
  const row = rowOf('Rejections', 'acme.instrumentation');
  await row.getByText('the start is before the year 2000').waitFor();
  await row.getByRole('link', { name: /^Run \d+$/ }).waitFor();
  const withoutRun = rowOf('Rejections', 'acme.other');
  await withoutRun.getByRole('button', { name: /^Details of/ }).click();
  const detail = page.locator('tr.detail');
  await detail.getByText(unknown).waitFor();
  expect(await withoutRun.getByRole('link').count()).toBe(0);
});
