import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { lockDataFolder } from '../startup/data-folder.ts';
import { runCommand } from '../startup/run-command.ts';
import { openStorage, type Storage } from '../storage/open.ts';
import { createPricer, type Prices } from './pricer.ts';
import { openPrices } from './operator-price-file.ts';
import { listOverrides, listTenantIds } from './queries.ts';
import { NO_PROGRESS, type Progress, recompute, type Scope } from '../recomputation/recompute.ts';

const USAGE = `usage: npm run --silent costs -- recompute [--tenant ID] [--model NAME] [--since DATE]
         [--unpriced-only] [--include-given] [--dry-run]

Recomputes the costs of stored calls. Costs sent by clients stay, unless --include-given is set.`;

const options = {
  tenant: { type: 'string' },
  model: { type: 'string' },
  since: { type: 'string' },
  'unpriced-only': { type: 'boolean', default: false },
  'include-given': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

interface Task {
  tenant: string | undefined;
  scope: Scope;
}

const dateOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

function readArguments(args: string[]): Task | 'help' {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return 'help';
  if (positionals.length !== 1 || positionals[0] !== 'recompute') throw new Error(USAGE);
  const { since } = values;
  if (since !== undefined && !dateOrTime.safeParse(since).success)
    throw new Error(`--since ${since}: expected a date like 2026-01-31, or a timestamp`);
  return {
    tenant: values.tenant,
    scope: {
      model: values.model,
      since: since === undefined ? undefined : Date.parse(since),
      unpriced_only: values['unpriced-only'],
      include_given: values['include-given'],
      dry_run: values['dry-run'],
    },
  };
}

const WHILE_IT_RUNS =
  'stop it, or recompute through it: POST /api/v1/observe/model-costs/recompute/';

async function run(task: Task, config: Config): Promise<void> {
  const prices = await (await openPrices(config.pricesFile))();
  await using opened = new AsyncDisposableStack();
  if (!config.databaseUrl) opened.defer(lockDataFolder(config, WHILE_IT_RUNS));
  const storage = await openStorage({ ...config, onProblem: (line) => console.error(line) });
  opened.defer(() => storage.close());
  for (const tenantId of await chooseTenants(storage, task.tenant)) {
    const progress = await recomputeTenant(storage, prices, { tenantId, scope: task.scope });
    console.log(summary(tenantId, progress, task.scope));
  }
}

async function chooseTenants(storage: Storage, id: string | undefined): Promise<string[]> {
  const all = await listTenantIds(storage.db);
  if (id === undefined) return all;
  if (!all.includes(id)) throw new Error(`--tenant ${id}: unknown tenant`);
  return [id];
}

async function recomputeTenant(
  storage: Storage,
  prices: Prices,
  { tenantId, scope }: { tenantId: string; scope: Scope },
): Promise<Progress> {
  const pricer = createPricer(prices, await listOverrides(storage.db, tenantId));
  const until = Date.now() + 1;
  let progress = NO_PROGRESS;
  for await (progress of recompute(storage, tenantId, { pricer, scope, until }))
    if (process.stderr.isTTY) process.stderr.write(`\r${progress.checked} calls checked`);
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  return progress;
}

function summary(tenantId: string, progress: Progress, { dry_run }: Scope): string {
  const { checked, changed, cost_before, cost_after, unpriced } = progress;
  const would = dry_run ? 'would change' : 'changed';
  const lines = [
    `${tenantId}: ${checked} calls checked, ${changed} ${would}, ${usd(cost_before)} -> ${usd(cost_after)} USD`,
    ...unpriced.map(({ model, call_count }) => `  no price: ${model} (${call_count} calls)`),
  ];
  return lines.join('\n');
}

const usd = (amount: number): string => String(Number(amount.toFixed(6)));

await runCommand({ name: 'costs', usage: USAGE, readArguments, run });
