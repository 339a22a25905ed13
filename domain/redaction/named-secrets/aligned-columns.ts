import { type Assignment, noContinuation } from './assigned-value.ts';
import { endOf } from '../detector.ts';

/** Columns that blanks align, as printed by sqlite3, pandas and many commands. */
interface AlignedTable {
  /** The positions of the lines of the header and of the last row. */
  headerStart: number;
  headerEnd: number;
  end: number;
  rows: readonly Row[];
}

interface Row {
  start: number;
  text: string;
}

const MAX_LINE_LENGTH = 1000;
/** The number of columns of one table that are read. */
const MAX_COLUMNS = 4;

/** A name between two blanks or more on both sides, or beside an end of its line. */
const before = /(?<=(?:^|\n) ?| {2})/y;
const after = /(?= {2,}\S| {0,200}(?:\r?\n|$))/y;
/** At least two words, with two or more blanks between them. */
const header = /^ *[\w.-]{1,60}(?: {2,}[\w.-]{1,60}){1,40} *$/;
const rule = /^[-= ]{3,}$/;

const lineAt = (text: string, start: number): Row => {
  const line = text.slice(start, start + MAX_LINE_LENGTH);
  const end = line.search(/\r?\n/);
  return { start, text: end === -1 ? line : line.slice(0, end) };
};

const startOfNextLine = (text: string, { start, text: line }: Row): number => {
  const end = start + line.length;
  return text.startsWith('\r\n', end) ? end + 2 : text[end] === '\n' ? end + 1 : text.length;
};

const wordsIn = (line: string): number => line.split(/ {2,}/).filter((word) => word !== '').length;

function tableFrom(text: string, headerStart: number): AlignedTable {
  const names = lineAt(text, headerStart);
  const headerEnd = headerStart + names.text.length;
  const rows: Row[] = [];
  const table = { headerStart, headerEnd, end: headerEnd, rows };
  if (!header.test(names.text)) return table;
  const count = wordsIn(names.text);
  for (let start = startOfNextLine(text, names); start < text.length;) {
    const row = lineAt(text, start);
    const words = wordsIn(row.text);
    // The rows of pandas begin with an index, which has no name.
    if (words !== count && words !== count + 1) break;
    table.end = row.start + row.text.length;
    if (!rule.test(row.text)) rows.push(row);
    start = startOfNextLine(text, row);
  }
  return table;
}

/** The word of a row that starts or ends where the name does. */
function valueBelow(row: Row, from: number, to: number): Assignment[] {
  const isBlank = (at: number): boolean => (row.text[at] ?? ' ') === ' ';
  let [start, end] = [from, to];
  if (!isBlank(from) && isBlank(from - 1)) {
    while (!isBlank(end)) end += 1;
    while (end > from && isBlank(end - 1)) end -= 1;
  } else if (!isBlank(to - 1) && isBlank(to)) while (!isBlank(start - 1)) start -= 1;
  else return [];
  const value = row.text.slice(start, end).split(' ', 1)[0] ?? '';
  if (value === '') return [];
  return [
    {
      start: row.start + start,
      value,
      isQuoted: false,
      isUnspaced: false,
      isCell: true,
      continuation: noContinuation,
    },
  ];
}

/**
 * Creates a function that returns the values below a name in the header of such a table. Names must
 * be passed in text order; the rows of a table are no headers of further tables.
 */
export function alignedColumnReader(text: string) {
  let table: AlignedTable | undefined;
  let columns = 0;
  return (nameStart: number, nameEnd: number): Assignment[] => {
    if (endOf(after, text, nameEnd) === -1 || endOf(before, text, nameStart) === -1) return [];
    if (!table || nameStart > table.headerEnd) {
      if (table && nameStart < table.end) return [];
      table = tableFrom(text, text.lastIndexOf('\n', nameStart - 1) + 1);
      columns = 0;
    }
    columns += 1;
    if (columns > MAX_COLUMNS) return [];
    const { headerStart, rows } = table;
    return rows.flatMap((row) => valueBelow(row, nameStart - headerStart, nameEnd - headerStart));
  };
}
