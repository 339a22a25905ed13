import { csvLine } from './csv.ts';
import { exportTypes, type ListFormat, MAX_EXPORTED } from '#contract/filters.ts';
import type { Download } from '#contract/route.ts';
import { ApiError } from '#contract/errors.ts';

type Value = string | number | boolean | null | object;

interface ListFile<Row> {
  format: ListFormat;
  /** The name of the file without its extension. */
  name: string;
  /** The fields to write, in this order. */
  fields: readonly (keyof Row & string)[];
  batches: AsyncIterable<readonly Row[]>;
}

/**
 * Returns a list as a file that is written while its rows are read, so that only one batch is in
 * memory.
 */
export const listFile = <Row extends Record<keyof Row, Value>>(file: ListFile<Row>): Download => ({
  type: exportTypes[file.format],
  name: `${file.name}.${file.format}`,
  pieces: piecesOf(file),
});

async function* piecesOf<Row extends Record<keyof Row, Value>>({
  format,
  fields,
  batches,
}: ListFile<Row>): AsyncGenerator<Uint8Array> {
  if (format === 'csv') yield Buffer.from(csvLine(fields));
  for await (const rows of batches) yield Buffer.from(textOf(rows, fields, format));
}

const textOf = <Row extends Record<keyof Row, Value>>(
  rows: readonly Row[],
  fields: readonly (keyof Row & string)[],
  format: ListFormat,
): string =>
  rows
    .map((row) =>
      format === 'csv'
        ? csvLine(fields.map((field) => cellOf(row[field])))
        : `${JSON.stringify(Object.fromEntries(fields.map((field) => [field, row[field]])))}\n`,
    )
    .join('');

function cellOf(value: Value): string | number {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return value;
  return JSON.stringify(value);
}

/** @throws ApiError `validation_error` if there are too many rows for one file */
export function refuseTooMany(count: number, rows: string): void {
  if (count > MAX_EXPORTED)
    throw new ApiError(
      'validation_error',
      `the filter matches ${count} ${rows}: at most ${MAX_EXPORTED} can be exported at once`,
    );
}

/** The number of rows of a file that are read at once. */
export const EXPORTED_AT_ONCE = 1000;
