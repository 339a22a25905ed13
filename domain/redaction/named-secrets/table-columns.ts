import { type Assignment, noContinuation } from './assigned-value.ts';
import { endOf, type Finding } from '../detector.ts';
import { LINE_MARK } from '../search/line-mark.ts';

/**
 * A row of values below a row of names: CSV (RFC 4180), TSV, tables in Markdown, and those that the clients
 * of databases and other tools draw with lines.
 */
const SEPARATORS = ',;\t|\u2502\u2506\u2503';
/** Of tables with a row of lines between the names and the values. */
const LINES = '|\u2502\u2506\u2503';
const MAX_ROW_LENGTH = 2000;
const MAX_FIELDS = 60;
/** The maximum length of the words before the last one of a field in a header. */
const MAX_NAME_LENGTH = 60;

/** A field with its position in the text, without quotes, backticks and blanks around it. */
interface Field {
  start: number;
  text: string;
}

/** A note after a name, as in the templates of Google Workspace and Entra: `Password [Required]`. */
const NOTE = String.raw`(?: \([\w/ ]{1,20}\))?(?: \[[\w ]{1,30}\](?: Required)?)?`;
const note = new RegExp(NOTE, 'y');
const noteAtEnd = new RegExp(`${NOTE}$`);

/**
 * A pattern for a name of so many words in a header. Sentences and code have other characters, or more
 * words; numbers are values, and a word with many hyphens is one.
 */
const headerNameOf = (words: number): RegExp =>
  new RegExp(
    String.raw`^(?=[^\p{L}]{0,60}\p{L})(?!(?:select|return|const|let|var|import|export|use|and|or|the|an?|your) )(?!(?:[^-]{0,60}-){4})[\p{L}\d_.-]{1,40}(?: [\p{L}\d_.-]{1,30}){0,${words - 1}}${NOTE}$`,
    'iu',
  );
const headerName = headerNameOf(3);
/** Names with notes are longer. */
const longHeaderName = headerNameOf(5);

/** The row between the header and the values in Markdown, or lines between any rows. */
const rule = /^[ \t|:=+\u2500-\u257F-]{3,}$/;

export interface Table {
  /** The end of the line with the header. */
  headerEnd: number;
  /** The end of the last row. */
  end: number;
  /** The values below a name in the header, one for each row. */
  valuesBelow: (nameEnd: number) => Assignment[];
}

/** The table in whose first row a name is, or the end of a line that is no such row. */
export function tableAt(text: string, nameStart: number, separator: string): Table {
  const line = lineAround(text, nameStart);
  const marked = endOf(lineMark, text, line.start);
  // A name in the first field may begin with the mark `-`.
  const isMarked = marked !== -1 && marked <= nameStart + 1;
  const { start, end } = isMarked ? { start: marked, end: line.end } : line;
  const header = mayBeHeader(text, { start, end }, separator)
    ? fieldsOf(text.slice(start, end), start, separator)
    : [];
  const pattern = header.some((field) => field.text.endsWith(']')) ? longHeaderName : headerName;
  const isHeader =
    header.length > 1 &&
    header.every((field) => pattern.test(field.text)) &&
    !isWithinTable(text, line.start, separator, header.length);
  const rows = isHeader ? rowsBelow(text, end, separator, { count: header.length, isMarked }) : [];
  return {
    headerEnd: end,
    end: rows.at(-1)?.end ?? end,
    valuesBelow(nameEnd) {
      const column = header.findIndex(
        ({ start, text }) => start + text.replace(noteAtEnd, '').length === nameEnd,
      );
      return rows.flatMap(({ fields }) => valueOf(fields[column], separator));
    },
  };
}

/** Titles precede few headers. */
const MAX_ROWS_ABOVE = 1;

/** Whether rows of the same shape precede a line, which is then no header: a list of names. */
function isWithinTable(text: string, lineStart: number, separator: string, count: number): boolean {
  if (LINES.includes(separator)) return false;
  let start = lineStart;
  for (let rows = 0; rows <= MAX_ROWS_ABOVE; rows += 1) {
    if (start === 0) return false;
    const above = lineAround(text, start - 1);
    if (fieldsOf(text.slice(above.start, above.end), above.start, separator).length !== count)
      return false;
    start = above.start;
  }
  return true;
}

/** 1 for the characters of a field in a header. */
const isOfHeader = new Uint8Array(65_536).fill(1);
for (let code = 0; code < 128; code += 1)
  isOfHeader[code] = Number(/[\w ."'`*()[\]/-]/.test(String.fromCharCode(code)));
for (const line of LINES) isOfHeader[line.charCodeAt(0)] = 0;

/** The start of the row between the header and the values in Markdown. */
const ruleBelow = new RegExp(
  String.raw`\r?\n(?:${LINE_MARK} {0,3})?[ \t]{0,8}(?:[|+]?[ \t]{0,3}:?[-=]|[\u251C\u255E\u2560\u2561\u2521\u2523\u2502] ?[\u2500\u2550\u2501-])`,
  'y',
);

const isEdge = (character: string | undefined, separator: string): boolean =>
  separator === '\u2506' && character === '\u2502';

/** A test that rules out most lines of code, prose and Markdown. */
function mayBeHeader(text: string, { start, end }: Finding, separator: string): boolean {
  if (LINES.includes(separator) && endOf(ruleBelow, text, end) === -1) return false;
  for (let at = start; at < end; at += 1)
    if (
      isOfHeader[text.charCodeAt(at)] !== 1 &&
      text[at] !== separator &&
      !isEdge(text[at], separator)
    )
      return false;
  return true;
}

/** The separator beside a name that is a whole field. */
export function separatorBeside(
  text: string,
  nameStart: number,
  nameEnd: number,
): string | undefined {
  let after = Math.max(nameEnd, endOf(note, text, nameEnd));
  while (isWrapping(text.charAt(after))) after += 1;
  if (!isBoundary(text.charAt(after))) return undefined;
  let before = nameStart - 1;
  const earliest = before - MAX_NAME_LENGTH;
  while (before > earliest && isOfHeader[text.charCodeAt(before)] === 1) before -= 1;
  const isFirst = isAfterMark(text, nameStart, before);
  if (!isFirst && !isBoundary(text.charAt(before))) return undefined;
  const beside = [isFirst ? '' : text.charAt(before), text.charAt(after)];
  if (beside.includes('\u2506')) return '\u2506';
  return beside.find((one) => one !== '' && SEPARATORS.includes(one));
}

const afterMark = new RegExp(String.raw`(?<=(?:^|\n)${LINE_MARK} {0,3}["']?)`, 'y');

/** Whether only a line mark precedes a name. Its last character but blanks is at a position. */
const isAfterMark = (text: string, nameStart: number, at: number): boolean =>
  '+>:|\t\u2192'.includes(text.charAt(at) || ',') && endOf(afterMark, text, nameStart) !== -1;

const isAround = (character: string): boolean => character !== '' && ' "\'`*\t'.includes(character);
const isWrapping = (character: string): boolean => character !== '\t' && isAround(character);
const isBoundary = (character: string): boolean =>
  character === '' || character === '\n' || character === '\r' || SEPARATORS.includes(character);

function lineAround(text: string, at: number): Finding {
  const before = text.slice(Math.max(0, at - MAX_ROW_LENGTH), at);
  return {
    start: at - before.length + before.lastIndexOf('\n') + 1,
    end: at + lengthOfLine(text, at),
  };
}

const lengthOfLine = (text: string, at: number): number => {
  const line = text.slice(at, at + MAX_ROW_LENGTH);
  const length = line.search(/\r?\n/);
  return length === -1 ? line.length : length;
};

/** What precedes each line of a diff, a quoted mail or a numbered listing. */
const lineMark = new RegExp(String.raw`${LINE_MARK} {0,3}`, 'y');

interface Shape {
  /** The number of fields of the header. */
  count: number;
  /** A mark precedes the header, and so each row. */
  isMarked: boolean;
}

/** The rows with as many fields as the header, without the rule below it. */
function rowsBelow(text: string, headerEnd: number, separator: string, { count, isMarked }: Shape) {
  const rows: { fields: Field[]; end: number }[] = [];
  for (let end = headerEnd; end < text.length;) {
    const lineStart = text.charAt(end) === '\r' ? end + 2 : end + 1;
    const start = isMarked ? endOf(lineMark, text, lineStart) : lineStart;
    if (start === -1) break;
    const row = text.slice(start, start + lengthOfLine(text, start));
    const isRule = rule.test(row);
    const fields = fieldsOf(row, start, separator);
    if (fields.length !== count && !(isRule && LINES.includes(separator))) break;
    end = start + row.length;
    if (!isRule) rows.push({ fields, end });
  }
  return rows;
}

const valueOf = (field: Field | undefined, separator: string): Assignment[] =>
  field === undefined || field.text === ''
    ? []
    : [
        {
          start: field.start,
          value: field.text,
          isQuoted: false,
          isUnspaced: separator === ',' || separator === ';',
          isInColumn: LINES.includes(separator),
          continuation: noContinuation,
        },
      ];

/** The lines at both ends of a row, which differ from those between its fields: `│ user ┆ password │`. */
const edges = /^[\u2502\u2503]|[\u2502\u2503]\s{0,3}$/g;

/** The fields of a row, of which those in double quotes may contain the separator. */
function fieldsOf(line: string, rowStart: number, separator: string): Field[] {
  const row =
    separator === '\u2506' ? line.replaceAll(edges, (edge) => ' '.repeat(edge.length)) : line;
  const fields: Field[] = [];
  const quoted = /\s{0,8}"(?:[^"]|""){0,1000}"/y;
  let start = 0;
  while (start <= row.length && fields.length <= MAX_FIELDS) {
    quoted.lastIndex = start;
    const from = quoted.test(row) ? quoted.lastIndex : start;
    const next = row.indexOf(separator, from);
    const end = next === -1 ? row.length : next;
    fields.push(fieldOf(row.slice(start, end), rowStart + start));
    start = end + 1;
  }
  // Rows of Markdown begin and end with the separator.
  if (LINES.includes(separator) && fields.at(-1)?.text === '') fields.pop();
  if (LINES.includes(separator) && fields[0]?.text === '') fields.shift();
  return fields;
}

function fieldOf(text: string, start: number): Field {
  let from = 0;
  while (from < text.length && isAround(text.charAt(from))) from += 1;
  let to = text.length;
  while (to > from && isAround(text.charAt(to - 1))) to -= 1;
  return { start: start + from, text: text.slice(from, to) };
}

/** The number of columns of one table that are read. */
const MAX_COLUMNS = 4;

/**
 * Creates a function that reads the column below a name, or returns undefined if the name is no
 * field of a header. Names must be passed in text order: each line is read at most once as a header,
 * and the rows of a table are no headers of further tables.
 */
export function columnReader(text: string) {
  let table: Table | undefined;
  let columns = 0;
  return (nameStart: number, nameEnd: number): (() => Assignment[]) | undefined => {
    const isInHeader = table !== undefined && nameStart < table.headerEnd;
    if (table && nameStart < table.end && !isInHeader) return undefined;
    const separator = separatorBeside(text, nameStart, nameEnd);
    if (separator === undefined) return undefined;
    if (!isInHeader) {
      table = tableAt(text, nameStart, separator);
      columns = 0;
    }
    const { headerEnd, end, valuesBelow } = table ?? {};
    if (headerEnd === end || valuesBelow === undefined || columns === MAX_COLUMNS) return undefined;
    columns += 1;
    return () => valuesBelow(nameEnd);
  };
}
