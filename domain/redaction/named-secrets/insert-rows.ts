import { type Assignment, valueAt } from './assigned-value.ts';
import { endOf } from '../detector.ts';

/** A value in an inserted row, with the name of its column. */
export interface InsertedValue {
  name: string;
  value: Assignment;
}

const table = String.raw`(?:["\x60[]?[\w$-]{1,64}["\x60\]]?\.){0,2}["\x60[]?[\w$-]{1,64}["\x60\]]?`;
/** Sticky at `INSERT`, up to the first name. */
const statement = new RegExp(String.raw`insert\sinto\s{1,3}${table}\s{0,3}\(`, 'iy');
const column = /\s{0,24}["`[]?([\w$-]{1,64})["`\]]?\s{0,24}([,)])/y;
const MAX_COLUMNS = 100;
const values = /\s{0,24}values?\s{0,24}\(/iy;
/** A string, in which a quote is doubled or escaped, or any other value. */
const anyValue =
  /\s{0,24}(?:N?'(?:[^'\\]|''|\\.){0,1000}'|[^'(),]{0,200}(?:\([^'()]{0,200}\))?)\s{0,24}/y;
const nextRow = /\s{0,24},\s{0,24}\(/y;
/** Before a string. */
const opening = /\s{0,24}N?(?=')/y;
/** Code that puts the statement together: `VALUES ('" + password + "')`. */
const code = /["`]|\s\+\s/;

interface Columns {
  names: string[];
  end: number;
}

function columnsFrom(text: string, start: number): Columns | undefined {
  const names: string[] = [];
  column.lastIndex = start;
  for (let match = column.exec(text); match; match = column.exec(text)) {
    names.push(match[1] ?? '');
    if (match[2] === ')') return { names, end: column.lastIndex };
    if (names.length === MAX_COLUMNS) break;
  }
  return undefined;
}

/** The start of each value of a row, or undefined if their number is another one. */
function rowFrom(text: string, start: number, count: number) {
  const starts: number[] = [];
  for (let at = start; starts.length < count; at += 1) {
    starts.push(at);
    at = endOf(anyValue, text, at);
    const isLast = starts.length === count;
    if (at === -1 || text[at] !== (isLast ? ')' : ',')) return undefined;
    if (isLast) return { starts, end: at + 1 };
  }
  return undefined;
}

function stringAt(text: string, at: number): Assignment[] {
  const start = endOf(opening, text, at);
  const found = start === -1 ? undefined : valueAt(text, start, false);
  return found && !code.test(found.value) ? [{ ...found, isListed: true }] : [];
}

/**
 * The values of rows that statements insert, `INSERT INTO users (id, password) VALUES (1, '…'), (2, '…')`,
 * in the columns whose names are accepted. `positions` are those of `INSERT INTO `.
 */
export function* insertedValues(
  text: string,
  positions: readonly number[],
  accepts: (name: string) => boolean,
): Generator<InsertedValue> {
  let done = 0;
  for (const position of positions) {
    const start = position < done ? -1 : endOf(statement, text, position);
    const columns = start === -1 ? undefined : columnsFrom(text, start);
    if (!columns) continue;
    const { names, end } = columns;
    if (!names.some(accepts)) continue;
    for (let at = endOf(values, text, end); at !== -1; at = endOf(nextRow, text, at)) {
      const row = rowFrom(text, at, names.length);
      if (!row) break;
      at = done = row.end;
      for (const [index, name] of names.entries())
        if (accepts(name))
          for (const value of stringAt(text, row.starts[index] ?? at)) yield { name, value };
    }
  }
}
