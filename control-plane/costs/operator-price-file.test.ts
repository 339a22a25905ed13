import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPricer } from './pricer.ts';
import { openPrices } from './operator-price-file.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-prices-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const NOW = Date.UTC(2026, 10, 20, 12);

async function pricesIn(file: string, overrides: Parameters<typeof createPricer>[1] = []) {
  const price = createPricer(await (await openPrices(file))(), overrides);
  return (model: string, provider: string | null = null) =>
    price(
      {
        model,
        provider,
        tokens_in: 1_000_000,
        tokens_out: 0,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
      },
      NOW,
    );
}

const RATES = 'input_cost_per_million: 1, output_cost_per_million: 2';

test.each([
  [
    'prices.yaml',
    `# What we agreed on with our providers.
- model_id: our-model
  input_cost_per_million: 3
  output_cost_per_million: 4
- { model_id: gpt-4o, provider: azure.ai.openai, ${RATES} }
`,
  ],
  [
    'prices.json',
    JSON.stringify([
      { model_id: 'our-model', input_cost_per_million: 3, output_cost_per_million: 4 },
      {
        model_id: 'gpt-4o',
        provider: 'azure.ai.openai',
        currency: 'USD',
        input_cost_per_million: 1,
        output_cost_per_million: 2,
      },
    ]),
  ],
])('%s takes precedence over the system table', async (name, text) => {
  const price = await pricesIn(written(name, text));
  expect(price('our-model')).toEqual({ cost: 3, cost_source: 'file' });
  expect(price('gpt-4o', 'azure')).toEqual({ cost: 1, cost_source: 'file' });
  expect(price('azure/gpt-4o')).toEqual({ cost: 1, cost_source: 'file' });
  expect(price('gpt-4o', 'openai')).toEqual({ cost: 2.5, cost_source: 'table' });
});

test('an override takes precedence over the file', async () => {
  const file = written('both.yaml', `- { model_id: gpt-4o, ${RATES} }`);
  const override = {
    model_id: 'gpt-4o',
    input_cost_per_million: 7,
    output_cost_per_million: 0,
    cache_read_cost_per_million: null,
    cache_write_cost_per_million: null,
  };
  expect((await pricesIn(file, [override]))('gpt-4o').cost_source).toBe('override');
});

test.each([
  ['[{ model_id: a', 'is neither YAML nor JSON'],
  ['model_id: a', 'expected a list of model prices'],
  ['', 'expected a list of model prices'],
  ['- a', 'entry 1: entry: Invalid input: expected object, received string'],
  [`- { model_id: a, ${RATES} }\n- { ${RATES} }`, 'entry 2: model_id:'],
  ['- { model_id: a, input_cost_per_million: 1 }', 'entry 1 (a): output_cost_per_million:'],
  [
    '- { model_id: a, input_cost_per_million: -1, output_cost_per_million: 1 }',
    'entry 1 (a): input_cost_per_million: Too small',
  ],
  [
    '- { model_id: a, input_cost_per_million: .inf, output_cost_per_million: 1 }',
    'entry 1 (a): input_cost_per_million:',
  ],
  [`- { model_id: a, ${RATES}, cost: 3 }`, 'entry 1 (a): entry: Unrecognized key: "cost"'],
  [`- { model_id: a, ${RATES}, currency: EUR }`, 'entry 1 (a): currency:'],
  [`- { model_id: a, ${RATES} }\n- { model_id: A, ${RATES} }`, 'entry 2 (A): duplicate'],
])('rejects %j: %s', async (text, problem) => {
  const file = written('bad.yaml', text);
  await expect(openPrices(file)).rejects.toThrow(`PRICES_FILE=${file}: ${problem}`);
});

test('the error for a missing file names the file', async () => {
  const file = join(folder, 'none.yaml');
  await expect(openPrices(file)).rejects.toThrow(`PRICES_FILE=${file}: cannot be read: ENOENT`);
});
