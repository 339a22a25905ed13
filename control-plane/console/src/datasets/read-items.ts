import { t } from '@lingui/core/macro';
import { MAX_ITEMS } from '#contract/datasets.ts';
import type { NewItem } from '../data/dataset-sources.ts';
import { parseCsv } from './parse-csv.ts';

type Read = { items: NewItem[] } | { error: string };

/** Reads the items of a file. An error names the line or row, and then no item is used. */
export function readItems(name: string, text: string): Read {
  const read = /\.csv$/i.test(name) ? readCsv(text) : readJsonLines(text);
  if ('error' in read) return read;
  if (read.items.length === 0) return { error: t`The file has no items.` };
  if (read.items.length > MAX_ITEMS)
    return { error: t`The file has ${read.items.length} items; a dataset may have ${MAX_ITEMS}.` };
  return read;
}

const EXPECTED = 'expected_output';
const METADATA = 'metadata';

/**
 * Reads CSV. The first row names the columns; each is a variable, except for the two with a fixed
 * meaning.
 */
function readCsv(text: string): Read {
  const parsed = parseCsv(text);
  if ('error' in parsed) return { error: t`The file is not CSV: ${parsed.error}.` };
  const [header, ...rows] = parsed.rows;
  if (!header) return { error: t`The file is empty.` };
  const names = header.map((name) => name.trim());
  const problem = headerProblem(names);
  if (problem) return { error: problem };
  const items: NewItem[] = [];
  for (const [at, row] of rows.entries()) {
    if (row.length > names.length)
      return { error: t`Row ${at + 1} has ${row.length} fields, the header ${names.length}.` };
    const fields = new Map(names.map((name, index) => [name, row[index] ?? '']));
    const metadata = jsonObject(fields.get(METADATA) || '{}');
    if (!metadata) return { error: t`Row ${at + 1}: metadata is not a JSON object.` };
    const input = Object.fromEntries(
      [...fields].filter(([name]) => name !== EXPECTED && name !== METADATA),
    );
    items.push({ input, expected_output: fields.get(EXPECTED) || null, metadata });
  }
  return { items };
}

function headerProblem(names: readonly string[]): string | undefined {
  if (names.includes('')) return t`A column of the header has no name.`;
  const twice = names.find((name, at) => names.indexOf(name) < at);
  return twice === undefined ? undefined : t`The header has two columns "${twice}".`;
}

const MEMBERS = ['input', EXPECTED, METADATA];

function readJsonLines(text: string): Read {
  const items: NewItem[] = [];
  for (const [at, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '') continue;
    const item = jsonObject(line);
    if (!item) return { error: t`Line ${at + 1} is not a JSON object.` };
    const unknown = Object.keys(item).find((name) => !MEMBERS.includes(name));
    if (unknown !== undefined)
      return {
        error: t`Line ${at + 1}: unknown member "${unknown}", expected ${MEMBERS.join(', ')}.`,
      };
    const { input, metadata = {} } = item;
    if (typeof input !== 'object' || input === null)
      return { error: t`Line ${at + 1}: input is neither an object with variables nor messages.` };
    if (!isObject(metadata)) return { error: t`Line ${at + 1}: metadata is not a JSON object.` };
    // The service validates messages and names the item in its error.
    items.push({
      input: input as NewItem['input'],
      expected_output: item[EXPECTED] ?? null,
      metadata,
    });
  }
  return { items };
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
