import { t } from '@lingui/core/macro';

/**
 * Parses a CSV file (RFC 4180): quoted fields may contain commas, line breaks and doubled quotes.
 * Empty lines are skipped.
 *
 * @returns the rows, or the reason why the text is not valid CSV
 */
export function parseCsv(text: string): { rows: string[][] } | { error: string } {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  const endRow = (): void => {
    if (row.some((field) => field !== '')) rows.push(row);
    row = [];
  };
  while (at < text.length) {
    const field = text[at] === '"' ? quoted(text, at) : plain(text, at);
    if (field === undefined) return { error: t`line ${line}: a quote is not closed` };
    row.push(field.value);
    line += lineBreaks(text.slice(at, field.end));
    at = field.end;
    if (text[at] === ',') {
      at += 1;
      // A comma at the end of the text is followed by an empty field.
      if (at === text.length) row.push('');
      continue;
    }
    const end = lineEnd(text, at);
    if (at < text.length && end === at)
      return { error: t`line ${line}: expected a comma or a line break after a quoted field` };
    if (end > at) line += 1;
    at = end;
    endRow();
  }
  endRow();
  return { rows };
}

interface Field {
  value: string;
  end: number;
}

const PLAIN = /[^,\r\n]*/y;

function plain(text: string, at: number): Field {
  PLAIN.lastIndex = at;
  const value = PLAIN.exec(text)?.[0] ?? '';
  return { value, end: at + value.length };
}

/** Reads a quoted field; undefined if its quote is not closed. */
function quoted(text: string, start: number): Field | undefined {
  let value = '';
  for (let at = start + 1; ;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return undefined;
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    at = quote + 2;
  }
}

/** The index after a line break; `at` if there is no line break. */
function lineEnd(text: string, at: number): number {
  if (text.startsWith('\r\n', at)) return at + 2;
  return text[at] === '\n' || text[at] === '\r' ? at + 1 : at;
}

const lineBreaks = (text: string): number => text.split(/\r\n|\r|\n/).length - 1;
