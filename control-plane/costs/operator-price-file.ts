import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { modelPrice } from '#contract/costs.ts';
import { describeIssues } from '#contract/errors.ts';
import { loadOnce } from '../lib/memoize.ts';
import { findConfigured, type ConfiguredPrice } from './operator-and-tenant-prices.ts';
import { providerNamed } from './model-names.ts';
import type { LoadPrices, Prices } from './pricer.ts';

/**
 * Loads the prices for all tenants.
 *
 * @throws Error that names the file and the entry
 */
export async function openPrices(file: string | undefined): Promise<LoadPrices> {
  const rows = file === undefined ? [] : await readPricesFile(file);
  const listed = rows.map(withProvider);
  return loadOnce(async (): Promise<Prices> => {
    // The table of all models is large, so it is loaded when the first call is priced.
    const { loadSystemTable } = await import('./system-price-table.ts');
    return { system: await loadSystemTable(), file: listed, findInFile: findConfigured(listed) };
  });
}

/** Prepends the provider, which is a separate field in the file, to the model. */
function withProvider({ provider, ...row }: Entry): ConfiguredPrice {
  if (provider === null) return row;
  return { ...row, model_id: `${providerNamed(provider) ?? provider}/${row.model_id}` };
}

const entry = z.strictObject({
  model_id: z.string().min(1).max(200),
  provider: z.string().min(1).max(200).nullable().default(null),
  currency: z.literal('USD').default('USD'),
  ...modelPrice.shape,
});

type Entry = Omit<z.output<typeof entry>, 'currency'>;

/** Reads a JSON or YAML list of prices. */
async function readPricesFile(file: string): Promise<Entry[]> {
  const refuse = (problem: string): never => {
    throw new Error(`PRICES_FILE=${file}: ${problem}`);
  };
  const text = await readFile(file, 'utf8').catch((error: Error) =>
    refuse(`cannot be read: ${error.message}`),
  );
  const entries = await parsed(text, refuse);
  if (!Array.isArray(entries)) return refuse('expected a list of model prices');
  const rows = entries.map((value: unknown, index): Entry => {
    const result = entry.safeParse(value);
    if (!result.success)
      return refuse(`entry ${nameOf(value, index)}: ${describeIssues(result.error, 'entry')}`);
    const { currency: _usd, ...row } = result.data;
    return row;
  });
  const duplicate = rows.find(
    (row, index) => rows.findIndex((other) => same(row, other)) !== index,
  );
  return duplicate
    ? refuse(`entry ${nameOf(duplicate, rows.indexOf(duplicate))}: duplicate`)
    : rows;
}

async function parsed(text: string, refuse: (problem: string) => never): Promise<unknown> {
  // The module takes 12 MB, so it is loaded only if there is such a file.
  const { parse } = await import('yaml');
  try {
    // Every JSON file is also valid YAML.
    return parse(text) as unknown;
  } catch (error) {
    return refuse(`is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`);
  }
}

const nameOf = (value: unknown, index: number): string => {
  const id = (value as { model_id?: unknown } | null)?.model_id;
  return typeof id === 'string' ? `${index + 1} (${id})` : String(index + 1);
};

const same = (a: Entry, b: Entry): boolean =>
  a.model_id.toLowerCase() === b.model_id.toLowerCase() && a.provider === b.provider;
