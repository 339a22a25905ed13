/** A number that JavaScript cannot hold as it was written, such as an integer of 20 digits. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** https://tc39.es/proposal-json-parse-with-source, which the compiler's types do not contain. */
interface RawJson {
  rawJSON: (text: string) => ExactNumber;
  isRawJSON: (value: unknown) => boolean;
}
const json = JSON as JSON & RawJson;

/** Deeper than any real message, and far from what the stack of `JSON.stringify` allows. */
const MAX_DEPTH = 500;

/**
 * Parses JSON so that `JSON.stringify` writes every number as it was read. Of duplicate members,
 * the last one remains.
 *
 * @throws SyntaxError, or RangeError if the nesting is too deep
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text, keepDigits);
  if (isDeeperThan(MAX_DEPTH, value)) throw new RangeError('JSON is nested too deeply');
  return value;
}

/** `context` of a number always has its source. */
const keepDigits = (_name: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' &&
  context?.source !== undefined &&
  JSON.stringify(value) !== context.source
    ? json.rawJSON(context.source)
    : value;

const isDeeperThan = (depth: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((member) => isDeeperThan(depth - 1, member)));

export const isExactNumber = (value: unknown): value is ExactNumber => json.isRawJSON(value);

/**
 * Returns JSON in one line of ASCII. Readers do not agree which other characters end a line: Node's
 * `readline` ends one at U+2028, Python's `splitlines` also at U+0085.
 */
export const asciiLine = (value: unknown): string =>
  `${JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, escapeUnit)}\n`;

const escapeUnit = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
