import { z } from 'zod';
import { auditEntry, type ExportFormat } from '#contract/audit.ts';
import { csvLine } from './csv.ts';

/** An entry as the log holds it. */
export type StoredEntry = z.output<typeof auditEntry>;

/** Where in the file a piece stands. */
export interface FilePosition {
  isFirst: boolean;
  isLast: boolean;
}

type Write = (entries: readonly StoredEntry[], place: FilePosition) => string;

const fields = Object.keys(auditEntry.shape) as (keyof StoredEntry)[];

/** What an entry says is not what was ever written by us. */
export class UnreadableEntry extends Error {
  constructor({ sequence, id }: StoredEntry, options: ErrorOptions) {
    super(`entry ${sequence} (${id}) cannot be read: it was altered`, options);
    this.name = 'UnreadableEntry';
  }
}

/** As the API shows it. */
function shown(entry: StoredEntry): z.input<typeof auditEntry> {
  try {
    return z.encode(auditEntry, entry);
  } catch (cause) {
    throw new UnreadableEntry(entry, { cause });
  }
}

const writeJson: Write = (entries, { isFirst, isLast }) => {
  const items = entries.map((entry) => JSON.stringify(shown(entry)));
  const joined = items.length > 0 && !isFirst ? `,\n${items.join(',\n')}` : items.join(',\n');
  return `${isFirst ? '[' : ''}${joined}${isLast ? ']\n' : ''}`;
};

const writeLines: Write = (entries) =>
  entries.map((entry) => `${JSON.stringify(shown(entry))}\n`).join('');

const writeCsv: Write = (entries, { isFirst }) => {
  const lines = entries.map((entry) => {
    const values = shown(entry);
    return csvLine(fields.map((field) => textOf(values[field])));
  });
  return (isFirst ? csvLine(fields) : '') + lines.join('');
};

const textOf = (value: string | number | object | null): string => {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** How pieces of a file are written; together, in their order, they are the file. */
export const fileFormats: Readonly<Record<ExportFormat, { type: string; write: Write }>> = {
  json: { type: 'application/json', write: writeJson },
  ndjson: { type: 'application/x-ndjson', write: writeLines },
  csv: { type: 'text/csv', write: writeCsv },
};
