import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ObservedExchange } from '#agent/core/capture/wire/exchange.ts';
import type { CaptureReport } from '#contract/captures.ts';
import type { OwnRules } from '#contract/settings.ts';
import type { ReportFacts } from './exchange-report.ts';
import { createReportThread, type ReportThread } from './report-thread.ts';

let thread: ReportThread;
afterEach(() => thread.close());

const createReport = (exchange: ObservedExchange, of: ReportFacts): Promise<CaptureReport> =>
  new Promise((resolve) => thread.createReport(exchange, of, resolve));

const facts: ReportFacts = {
  id: 'cap_1',
  host: 'api.openai.com',
  app_id: null,
  process: 'curl',
  user: 'ada',
};

function copyOf(body: string, target = '/v1/chat/completions'): ObservedExchange {
  const bytes = new TextEncoder().encode(body);
  return {
    id: 1,
    protocol: 'http/1.1',
    method: 'POST',
    target,
    authority: 'api.openai.com',
    startedAt: 1000,
    endedAt: 2000,
    request: {
      headers: [['content-type', 'application/json']],
      beginning: [bytes],
      bytes: bytes.length,
      truncated: false,
      complete: true,
    },
    status: 200,
    response: null,
    aborted: false,
    webSocket: null,
    release: () => undefined,
  };
}

test('bodies are redacted, one exchange after another', async () => {
  const problems: string[] = [];
  thread = createReportThread({ onProblem: (line) => problems.push(line) });
  const bodies = ['{"a":"ada@example.com"}', '{"b":1}', '{"c":"bob@example.com"}'];
  const reports = await Promise.all(bodies.map((body) => createReport(copyOf(body), facts)));
  expect(reports.map(({ request_body }) => request_body)).toEqual([
    '{"a":"##EMAIL##"}',
    '{"b":1}',
    '{"c":"##EMAIL##"}',
  ]);
  expect(problems).toEqual([]);
});

test('an exchange that takes too long is reported without its bodies, and the next one with them', async () => {
  const problems: string[] = [];
  const onProblem = (line: string): void => void problems.push(line);
  thread = createReportThread({ timeoutMs: 1, startupMs: 0, onProblem });
  // A thread takes longer than this time limit to start.
  expect(await createReport(copyOf('{"a":1}'), facts)).toMatchObject({
    host: 'api.openai.com',
    request_body: null,
    request_bytes: 7,
  });
  expect(problems).toEqual(['redacting an exchange took over 1 ms']);
  await thread.close();
  thread = createReportThread({ onProblem: (line) => problems.push(line) });
  expect((await createReport(copyOf('{"a":1}'), facts)).request_body).toBe('{"a":1}');
});

test('the first exchange of a thread may take longer, because the thread starts with it', async () => {
  const problems: string[] = [];
  const onProblem = (line: string): void => void problems.push(line);
  thread = createReportThread({ timeoutMs: 1, startupMs: 60_000, onProblem });
  expect((await createReport(copyOf('{"a":1}'), facts)).request_body).toBe('{"a":1}');
  expect(problems).toEqual([]);
});

test('exchanges beyond the queue limit, and those waiting at the end, are reported without bodies', async () => {
  const problems: string[] = [];
  thread = createReportThread({ maxQueued: 1, onProblem: (line) => problems.push(line) });
  const made = [1, 2, 3].map(() => createReport(copyOf('{"a":1}'), facts));
  // The first one is in progress, the second one waits.
  expect((await made[2])?.request_body).toBeNull();
  expect(problems).toEqual([
    'too many exchanges at once: some are reported without their bodies and tokens',
  ]);
  await thread.close();
  expect((await Promise.all(made)).map(({ request_body }) => request_body)).toEqual([
    null,
    null,
    null,
  ]);
});

describe("with the tenant's rules", () => {
  const project = { name: 'PROJECT', pattern: 'project-[a-z]+' };
  const copy = () => copyOf('{"about":"project-falcon","who":"acme"}', '/project-falcon');

  test('they apply from the next exchange on, also after a change', async () => {
    let own: OwnRules = { keys: [], patterns: [project] };
    thread = createReportThread({ tenantRules: () => own, onProblem: () => undefined });
    expect(await createReport(copy(), facts)).toMatchObject({
      path: '/##PROJECT##',
      request_body: '{"about":"##PROJECT##","who":"acme"}',
      redactions: '{"PROJECT":1}',
    });
    own = { keys: [{ key: 'who', type: 'CUSTOMER' }], patterns: [] };
    expect(await createReport(copy(), facts)).toMatchObject({
      path: '/project-falcon',
      request_body: '{"about":"project-falcon","who":"##CUSTOMER##"}',
    });
  });

  test('an invalid pattern leaves only metadata, without the path', async () => {
    const problems: string[] = [];
    const own = { keys: [], patterns: [project, { name: 'BROKEN', pattern: '(' }] };
    thread = createReportThread({
      tenantRules: () => own,
      onProblem: (line) => problems.push(line),
    });
    const report = await createReport(copy(), facts);
    expect(report).toMatchObject({ path: '/', request_body: null, request_bytes: 39 });
    expect(JSON.stringify(report)).not.toContain('falcon');
    expect(problems).toEqual([
      'a masking pattern cannot be used on this device: only metadata is reported',
    ]);
  });

  test('an exchange that is not redacted has no path either', async () => {
    const own = { keys: [], patterns: [project] };
    thread = createReportThread({
      tenantRules: () => own,
      maxQueued: 0,
      onProblem: () => undefined,
    });
    expect((await createReport(copy(), facts)).path).toBe('/');
  });
});

test('the path is redacted and has no query, and an invalid method is replaced', async () => {
  thread = createReportThread({ onProblem: () => undefined });
  const copy = { ...copyOf('{}', '/users/ada@example.com?token=1'), method: 'get it' };
  expect(await createReport(copy, facts)).toMatchObject({
    path: '/users/##EMAIL##',
    method: 'OTHER',
  });
});

test('the thread ends after a time without work', async () => {
  thread = createReportThread({ idleMs: 1, onProblem: () => undefined });
  const count = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = count();
  await createReport(copyOf('{}'), facts);
  await vi.waitFor(() => expect(count()).toBe(before));
  expect((await createReport(copyOf('{"a":1}'), facts)).request_body).toBe('{"a":1}');
});

/** A program that returns the size of each batch, and crashes with a certain target. */
const counting = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ requests }) => {
      if (requests.some(({ copy }) => copy.target === '/deadly')) throw new Error('it died');
      const request_body = String(requests.length);
      const reports = requests.map(({ facts }) => ({ ...facts, request_body }));
      parentPort.postMessage({ reports, workedMs: 1, error: null });
    });
  `)}`,
);

test.each([
  { what: 'small ones together', bodies: ['a', 'b', 'c', 'd'], atOnce: ['1', '3', '3', '3'] },
  {
    what: 'large ones singly',
    bodies: ['a', 'b'.repeat(300_000), 'c'.repeat(200_000), 'd'.repeat(70_000)],
    atOnce: ['1', '1', '1', '1'],
  },
  {
    what: 'no more than a few of many',
    bodies: Array.from({ length: 20 }, () => 'a'),
    atOnce: ['1', ...Array.from({ length: 16 }, () => '16'), '3', '3', '3'],
  },
])('batches of waiting exchanges: $what', async ({ bodies, atOnce }) => {
  thread = createReportThread({ program: counting, onProblem: () => undefined });
  const reports = await Promise.all(bodies.map((body) => createReport(copyOf(body), facts)));
  expect(reports.map(({ request_body }) => request_body)).toEqual(atOnce);
});

test('the thread pauses after its work, and exchanges that arrive meanwhile form one batch', async () => {
  thread = createReportThread({ program: counting, onProblem: () => undefined });
  await createReport(copyOf('{}'), facts);
  const reports = await Promise.all([1, 2].map(() => createReport(copyOf('{}'), facts)));
  expect(reports.map(({ request_body }) => request_body)).toEqual(['2', '2']);
});

test('an exchange that crashes the thread does not remove the bodies of others in its batch', async () => {
  const problems: string[] = [];
  thread = createReportThread({
    program: counting,
    onProblem: (line) => problems.push(line),
  });
  const targets = ['/1', '/2', '/deadly', '/4', '/5'];
  const made = targets.map((target) => createReport(copyOf('{}', target), facts));
  const bodies = (await Promise.all(made)).map(({ request_body }) => request_body);
  expect(bodies).toEqual(['1', '1', null, '1', '1']);
  expect(problems).toEqual(['an exchange could not be redacted: it died']);
  expect((await createReport(copyOf('{}'), facts)).request_body).toBe('1');
});
