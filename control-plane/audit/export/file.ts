import { z } from 'zod';
import { auditEntry, type ExportFormat } from '#contract/audit.ts';
import { csvLine } from '../../lib/csv.ts';

/** An entry as stored in the log. */
export type StoredEntry = z.output<typeof auditEntry>;

/** The position of a chunk within the file. */
export interface FilePosition {
  isFirst: boolean;
  isLast: boolean;
}

type Write = (entries: readonly StoredEntry[], position: FilePosition) => string;

const fields = Object.keys(auditEntry.shape) as (keyof StoredEntry)[];

/** The stored entry cannot be parsed, so it was not written by this program. */
export class UnreadableEntry extends Error {
  constructor({ sequence, id }: StoredEntry, options: ErrorOptions) {
    super(`entry ${sequence} (${id}) cannot be read: it was altered`, options);
    this.name = 'UnreadableEntry';
  }
}

/** Returns the form of an entry in the API. */
function serialize(entry: StoredEntry): z.input<typeof auditEntry> {
  try {
    return z.encode(auditEntry, entry);
  } catch (error) {
    throw new UnreadableEntry(entry, { cause: error });
  }
}

const writeJson: Write = (entries, { isFirst, isLast }) => {
  const items = entries.map((entry) => JSON.stringify(serialize(entry)));
  const joined = items.length > 0 && !isFirst ? `,\n${items.join(',\n')}` : items.join(',\n');
  return `${isFirst ? '[' : ''}${joined}${isLast ? ']\n' : ''}`;
};

const writeLines: Write = (entries) =>
  entries.map((entry) => `${JSON.stringify(serialize(entry))}\n`).join('');

const writeCsv: Write = (entries, { isFirst }) => {
  const rows = entries.map((entry) => {
    const values = serialize(entry);
    return csvLine(fields.map((field) => textOf(values[field])));
  });
  return (isFirst ? csvLine(fields) : '') + rows.join('');
};

const textOf = (value: string | number | object | null): string => {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Writers of chunks by format. The file consists of the chunks in order. */
export const fileFormats: Readonly<Record<ExportFormat, { type: string; write: Write }>> = {
  json: { type: 'application/json', write: writeJson },
  ndjson: { type: 'application/x-ndjson', write: writeLines },
  csv: { type: 'text/csv', write: writeCsv },
};
