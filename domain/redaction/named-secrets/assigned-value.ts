import { endOf } from '../detector.ts';

/** A value next to its name. */
export interface Assignment {
  start: number;
  /** The start of the value, up to CLASSIFIED_LENGTH. */
  value: string;
  isQuoted: boolean;
  isUnspaced: boolean;
  /** After a comma, or in a cell of a table. */
  isListed?: boolean;
  /** It is the whole cell beside the cell with its name. */
  isCell?: boolean;
  /** It is below its name in a table with lines, so what follows it tells nothing of it. */
  isInColumn?: boolean;
  /** After a comma. */
  isArgument?: boolean;
  isOnNextLine?: boolean;
  /** A sticky pattern for the rest of the value. */
  continuation: RegExp;
}

/** Of a value that is known as a whole. */
export const noContinuation = /(?:)/y;

/** The number of leading characters that classify a value. The rest is redacted along with them. */
export const CLASSIFIED_LENGTH = 120;

/** Functions and constructors whose result is the string in their first argument. */
const conversions = [
  String.raw`\[\]byte|bytes|str|string|SecretStr|(?:\w{1,20}\.)?String|String::from|Some|Sensitive|Buffer\.from`,
  String.raw`(?:new )?SecureString|Secret(?:String|Box)?::(?:new|from)|(?:\w{1,20}\.)?SecretValue\.unsafePlainText`,
].join('|');
/** What printers of values put before a string: Go's spew, Haskell, and tags in YAML. */
const printed = String.raw`(?:\(string\) \(len=\d{1,6}\) |Just |!!str )(?=["'])`;
/** A prefix of strings in Python, C#, Rust or SQL, or a conversion around a string. */
const wrapper = String.raw`(?:(?:[rbfu]{1,2}|[@$N]{1,2}|r#)(?=["'])|(?:${conversions})\(\s{0,40}(?=\\{0,7}["'])|${printed}|\(?ConvertTo-SecureString (?:-String )?(?=["']))?`;
/** A quote, which each level of JSON in JSON escapes again, or a string of several lines. */
const quote = (character: string): string =>
  String.raw`${wrapper}\\{0,7}${character}(?:${character}{2}(?:\r?\n[ \t]{0,20})?)?`;

/** `&` ends a value only before another parameter, a command or an entity. */
const bare = String.raw`(?:[^\s"'\x60,;&<>\\]|&(?![\w.%[\]-]{0,60}=|[a-z_]{0,30}(?:[&\s"']|$)|(?:amp|[lg]t|quot|apos|nbsp|#\d{1,4});))`;

/** Styles of values: the opening quote, and the characters of the value. */
const styles = [
  [quote('"'), String.raw`[^"\\\n]`],
  [quote("'"), String.raw`[^'\\\n]`],
  ['`', '[^`\\\\\\n]'],
  [String.raw`(?!&|\(?ConvertTo-|(?:${conversions})\()`, bare],
] as const;
const BARE = styles.length;
const values = new RegExp(
  styles.map(([opening, one]) => `${opening}(${one}{1,${CLASSIFIED_LENGTH}})`).join('|'),
  'y',
);
const continuations = styles.map(([, one]) => new RegExp(`${one}{1,880}`, 'y'));

/** The value at a position, in quotes or up to the next blank or separator. */
export function valueAt(text: string, at: number, isUnspaced: boolean): Assignment | undefined {
  values.lastIndex = at;
  const match = values.exec(text);
  const style = match ? match.findLastIndex((group) => group !== undefined) : 0;
  const value = match?.[style];
  const continuation = continuations[style - 1];
  if (!value || !continuation) return undefined;
  return {
    start: values.lastIndex - value.length,
    value,
    isQuoted: style !== BARE,
    isUnspaced,
    continuation,
  };
}

const lineOfText = new RegExp(`[^\\r\\n]{1,${CLASSIFIED_LENGTH}}`, 'y');
const restOfLine = /[^\r\n]{1,880}/y;

/** The rest of the line at a position. */
export function lineAt(text: string, start: number): Assignment | undefined {
  lineOfText.lastIndex = start;
  const value = lineOfText.exec(text)?.[0];
  return value === undefined
    ? undefined
    : { start, value, isQuoted: true, isUnspaced: false, continuation: restOfLine };
}

const textOfElement = new RegExp(
  String.raw`[^<>\s"']{1,${CLASSIFIED_LENGTH}}(?=[^<>\s]{0,880}<\\?/)`,
  'y',
);
const restOfElement = /[^<>\s]{1,880}/y;

/** A text without blanks in an element; its entities begin with `&`. */
export function elementAt(text: string, start: number): Assignment | undefined {
  textOfElement.lastIndex = start;
  const value = textOfElement.exec(text)?.[0];
  return value === undefined
    ? undefined
    : { start, value, isQuoted: false, isUnspaced: true, continuation: restOfElement };
}

/** A YAML block scalar (yaml.org/spec/1.2.2, 8.1), up to the first character of its text. */
const blockScalar =
  /[|>][-+\d]{0,2}[ \t]{0,3}(?:#[^\n]{0,100})?\r?\n[ \t]{1,40}(?=\S)(?<=\n([ \t]{1,40}))/y;
/** The indentation of a name at the start of its line, also in a list or in quotes. */
const indentation = /(?<=(?:^|\n)([ \t]{0,40}(?:- )?)["']?)/y;
/** A here-document in HCL, Ruby or a shell, up to the first character of its text. */
const hereDocument = /<<[-~]?["']?[A-Za-z_]\w{0,30}["']?\r?\n[ \t]{0,40}(?=\S)/y;
const MAX_INDENTATION = 40;
/** The rest of a line and the lines after it, by their indentation. */
const indentedLines = Array.from(
  { length: MAX_INDENTATION + 1 },
  (_, width) =>
    new RegExp(String.raw`[^\r\n]{0,880}(?:\r?\n[ \t]{${width}}[^\r\n]{1,1000}){0,60}`, 'y'),
);

/** The text of lines that follow the name: a block scalar or a here-document. */
export function linesAt(text: string, nameStart: number, at: number): Assignment | undefined {
  if (text[at] === '<') {
    const start = endOf(hereDocument, text, at);
    return start === -1 ? undefined : lineAt(text, start);
  }
  indentation.lastIndex = nameStart;
  const outer = indentation.exec(text)?.[1]?.length;
  blockScalar.lastIndex = at;
  const inner = outer === undefined ? undefined : blockScalar.exec(text)?.[1]?.length;
  if (outer === undefined || inner === undefined || inner <= outer) return undefined;
  const line = lineAt(text, blockScalar.lastIndex);
  return line && { ...line, continuation: indentedLines[inner] ?? line.continuation };
}

/** A value of ODBC that contains special characters (learn.microsoft.com/sql/odbc, SQLDriverConnect). */
const braced = /\{([^{}()[\]\s]{4,120})\}(?=[;"'\s]|$)/y;
/** An expression of an interpolated string instead: `{password}`, `{row.password!r}`. */
const interpolated = /^[A-Za-z_][\w.]*(?:[!:].*)?$/;

/** In a connection string whose driver is in braces, too, those are no interpolation. */
const afterDriver = /(?<=\bdriver=\{[^{}]{1,60}\};[^{}"'\n]{0,200})/iy;

/** A value in braces, as in `PWD={…}`. */
export function bracedValueAt(text: string, nameStart: number, at: number): Assignment | undefined {
  braced.lastIndex = at;
  const value = braced.exec(text)?.[1];
  if (value === undefined) return undefined;
  const isLiteral = !interpolated.test(value) || /\d.*\d/.test(value);
  if (!isLiteral && endOf(afterDriver, text, nameStart) === -1) return undefined;
  return { start: at + 1, value, isQuoted: true, isUnspaced: true, continuation: restOfBraces };
}

const restOfBraces = /[^}\s]{1,880}/y;
