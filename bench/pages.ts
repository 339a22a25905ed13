/**
 * Opens every page of the console in Chromium, with a history created by fill.ts. Measures the time
 * until its data is shown, and its slowest request, which is repeated alone.
 *
 * pages.ts DIR
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';
import { launchChromium } from '#test/support/chromium.ts';
import { buildConsole } from '#test/support/build-console.ts';
import { signIn } from '#test/support/console.ts';
import { ownerHeaders } from './support/processes.ts';
import { openHistory } from './support/history.ts';
import { percentile } from './support/load.ts';
import { OWNER, processorSeconds, processTree, startControlPlane } from './support/processes.ts';
import { writeSection } from './support/report.ts';

const GOAL_MS = 1000;
const ROUNDS = 3;
const [dir = '', only = ''] = process.argv.slice(2);

const history = await openHistory(dir);
const server = await startControlPlane(history.env);
const headers = { ...(await ownerHeaders(server)), 'content-type': 'application/json' };
const base = `http://127.0.0.1:${server.port}`;

interface Sent {
  method: string;
  url: string;
  body: string | null;
}

async function send({ method, url, body }: Sent): Promise<unknown> {
  const answer = await fetch(url, { method, headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${text}`);
  return text && JSON.parse(text);
}

const get = (path: string) => send({ method: 'GET', url: `${base}/api/v1/${path}`, body: null });

async function firstOf(list: string, field: string): Promise<string> {
  const { results } = (await get(`${list}?limit=1`)) as {
    results: Record<string, string | number>[];
  };
  return encodeURIComponent(String(results[0]?.[field] ?? ''));
}

/** Creates the prompt of most of one model's calls. */
async function createPrompt(): Promise<string> {
  const body = JSON.stringify({ name: `bench-${Date.now()}`, content: 'Hello' });
  const made = await send({ method: 'POST', url: `${base}/api/v1/prompts/`, body });
  return (made as { id: string }).id;
}

const groupings = ['agent', 'user', 'model', 'api_key', 'tag', 'team'];

async function pagesOf(): Promise<string[]> {
  const run = await firstOf('observability/runs/', 'id');
  const session = await firstOf('observability/sessions/', 'session_id');
  const prompt = await createPrompt();
  return [
    '/',
    '/dashboards',
    ...['24h', '7d', '30d', '90d'].map((since) => `/dashboards/overview?since=${since}`),
    '/dashboards/overview?since=30d&agent=agent-3',
    '/runs',
    '/runs?since=30d&status=error',
    '/runs?since=30d&tag=eu',
    `/runs/${run}`,
    '/llm-calls',
    '/llm-calls?since=30d&model=gpt-4o',
    '/llm-calls?since=30d&sort=-cost',
    '/llm-calls?search=invoice',
    '/sessions',
    '/sessions?since=30d',
    `/sessions/${session}`,
    '/users',
    '/users?since=30d',
    '/users/user-7',
    ...['7d', '30d'].flatMap((period) => groupings.map((by) => `/costs?period=${period}&by=${by}`)),
    '/costs?period=30d&by=user&agent=agent-3',
    '/prompts',
    `/prompts/${prompt}`,
    '/playground',
    '/policies',
    '/policies/new',
    '/incidents',
    '/approvals',
    '/devices',
    '/devices/add',
    '/apps',
    '/flows',
    '/captures',
    '/guard',
    '/notifications',
    '/audit',
    '/access',
    '/api-keys',
    '/sub-tenants',
    '/account',
    '/get-started',
  ].filter((path) => path.includes(only));
}

/** Opens a page. Returns the milliseconds until its data is shown, and its requests. */
async function open(page: Page, path: string): Promise<{ ms: number; sent: Sent[] }> {
  const sent: Sent[] = [];
  const note = (request: Request): void => {
    if (request.url().includes('/api/'))
      sent.push({ method: request.method(), url: request.url(), body: request.postData() });
  };
  page.on('request', note);
  const began = performance.now();
  await page.goto(base + path);
  await page.waitForFunction(
    () =>
      document.querySelector('main h1') !== null &&
      document.querySelector('main [aria-busy=true], main .loading') === null,
  );
  await page.waitForLoadState('networkidle');
  // The network counts as idle after half a second without requests.
  const ms = performance.now() - began - 500;
  page.off('request', note);
  return { ms, sent };
}

const keyOf = ({ method, url, body }: Sent): string => `${method} ${url} ${body ?? ''}`;

interface Cost {
  ms: number;
  processorMs: number;
}

const costs = new Map<string, Cost>();

/**
 * The CPU seconds of the control plane and, with PostgreSQL, of the database, without the browser.
 */
const processorOf = (): number =>
  processTree(process.pid)
    .filter((pid) => pid !== process.pid)
    .reduce((sum, pid) => sum + processorSeconds(pid), 0);

async function costOf(request: Sent): Promise<Cost> {
  const key = keyOf(request);
  const known = costs.get(key);
  if (known) return known;
  const times: number[] = [];
  const before = processorOf();
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await send(request);
    times.push(performance.now() - began);
  }
  const processorMs = ((processorOf() - before) / ROUNDS) * 1000;
  times.sort((a, b) => a - b);
  const cost = { ms: percentile(times, 50), processorMs };
  costs.set(key, cost);
  return cost;
}

const isRead = ({ method, url }: Sent): boolean => method === 'GET' || url.includes('/query/');

function wordsOf({ url, body }: Sent): string {
  const { pathname, searchParams } = new URL(url);
  const path = pathname.replace('/api/v1/', '');
  if (!body) return searchParams.size > 0 ? `${path}?${searchParams}` : path;
  const { measure, group_by, interval } = JSON.parse(body) as Record<string, string>;
  return `${measure} by ${group_by}, interval ${interval}`;
}

/** Waits until the hours of the history have been counted, which happens once after an upgrade. */
async function untilCounted(): Promise<void> {
  const query = { measure: 'cost', group_by: 'user', start: '2000-01-01' };
  const body = JSON.stringify(query);
  const sent = { method: 'POST', url: `${base}/api/v1/observability/analytics/query/`, body };
  for (let last = Infinity; ;) {
    const began = processorSeconds(server.pid);
    await pause(5000);
    const used = processorSeconds(server.pid) - began;
    if (used < 0.05 && last < 0.05) break;
    last = used;
  }
  const { source, partial } = (await send(sent)) as { source: string; partial: unknown };
  if (source !== 'totals' || partial)
    throw new Error('the hourly totals of the history have not been counted');
}

const paths = await pagesOf();
await buildConsole();
await untilCounted();
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1280, height: 4000 } });
await page.goto(base);
await signIn(page, OWNER);
await page.getByRole('navigation', { name: 'Main' }).waitFor();
const rows: string[][] = [];
for (const path of paths) {
  const opened = await open(page, path);
  let slowest: { words: string; cost: Cost } | undefined;
  const distinct = new Map(opened.sent.filter(isRead).map((sent) => [keyOf(sent), sent]));
  for (const sent of distinct.values()) {
    const cost = await costOf(sent);
    if (!slowest || cost.ms > slowest.cost.ms) slowest = { words: wordsOf(sent), cost };
  }
  rows.push([
    path.replace(/(run|prm|ses)_\w+/, '{id}'),
    opened.ms.toFixed(0),
    slowest?.words ?? '',
    slowest?.cost.ms.toFixed(0) ?? '',
    slowest?.cost.processorMs.toFixed(0) ?? '',
    opened.ms <= GOAL_MS ? `≤ ${GOAL_MS}` : `≤ ${GOAL_MS}, missed`,
  ]);
  console.log(rows.at(-1)?.join('  '));
}
await browser.close();
await server.stop();
await history.stop();
if (!only)
  writeSection(
    history.kind === 'sqlite' ? 'pages' : 'pagesOnPostgres',
    ['page', 'ms until loaded', 'slowest request', 'ms of that request', 'CPU ms', 'goal'],
    rows,
  );
