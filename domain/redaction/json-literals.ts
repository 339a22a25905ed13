import { endOf } from './detector.ts';

/** A string, number, boolean, null or member name: `start` inclusive, `end` exclusive. */
export interface JsonLiteral<P> {
  start: number;
  end: number;
  value: unknown;
  /** The location of the value: the result of `enter` for its member. */
  location: P;
  /** The start of the object that has this member; -1 for an item of a list. */
  object: number;
  isName: boolean;
  /** The text ends inside this string, before its closing quote. */
  isTruncated: boolean;
}

interface Frame<P> {
  isList: boolean;
  /** The start of the object; -1 for a list. */
  object: number;
  /** The location of the object or list. */
  location: P;
  /** The location of its next value. */
  current: P;
}

const beginning = /^\s*(?:\{\s*["}]|\[)/;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const truncatedScalar = /[-+.\w]{1,30}\s*$/y;
const truncatedEscape = /^\\(?:u[\da-fA-F]{0,3})?$/;

/**
 * The literals of JSON text: of one object or list, of several in sequence, or of one that is cut
 * off. Undefined for any other text. Commas are not checked.
 *
 * @param root the location of the outermost value
 * @param enter returns the location of an object's member
 * @param wantsName selects the member names to include among the literals
 */
export function jsonLiterals<P>(
  text: string,
  root: P,
  enter: (location: P, member: string) => P,
  wantsName: (member: string) => boolean = () => false,
): JsonLiteral<P>[] | undefined {
  if (!beginning.test(text)) return undefined;
  const literals: JsonLiteral<P>[] = [];
  const frames: Frame<P>[] = [];
  const addName = (frame: Frame<P>, literal: JsonLiteral<P>): void => {
    const name = String(literal.value);
    frame.current = enter(frame.location, name);
    literal.isName = true;
    if (wantsName(name)) literals.push(literal);
  };
  for (let at = afterBlank(text, 0); at < text.length; at = afterBlank(text, at)) {
    const character = text.charAt(at);
    const frame = frames.at(-1);
    if (character === '{' || character === '[') {
      frames.push(frameOf(character === '[', at, frame ? frame.current : root));
      at += 1;
    } else if (!frame) return undefined;
    else if (character === ',') at += 1;
    else if (character === (frame.isList ? ']' : '}')) {
      frames.pop();
      at += 1;
    } else {
      const literal = readLiteral(text, at, frame);
      if (!literal) return endOf(truncatedScalar, text, at) === -1 ? undefined : literals;
      const colon = frame.isList ? -1 : endOfColon(text, literal.end);
      if (colon === -1) literals.push(literal);
      else addName(frame, literal);
      at = Math.max(literal.end, colon);
    }
  }
  return literals;
}

const frameOf = <P>(isList: boolean, at: number, location: P): Frame<P> => ({
  isList,
  object: isList ? -1 : at,
  location,
  current: location,
});

function afterBlank(text: string, at: number): number {
  let end = at;
  while (end < text.length && ' \n\r\t'.includes(text.charAt(end))) end += 1;
  return end;
}

function endOfColon(text: string, at: number): number {
  const colon = afterBlank(text, at);
  return text.charAt(colon) === ':' ? colon + 1 : -1;
}

function readLiteral<P>(text: string, start: number, frame: Frame<P>): JsonLiteral<P> | undefined {
  if (text.charAt(start) === '"') return readString(text, start, frame);
  const end = endOf(scalar, text, start);
  if (end === -1) return undefined;
  return literalOf(frame, start, end, JSON.parse(text.slice(start, end)), false);
}

function readString<P>(text: string, start: number, frame: Frame<P>): JsonLiteral<P> | undefined {
  const quote = closingQuote(text, start + 1);
  const isTruncated = quote === -1;
  const end = isTruncated ? text.length : quote + 1;
  const bare = text.slice(start + 1, isTruncated ? end : quote);
  if (!bare.includes('\\')) return literalOf(frame, start, end, bare, isTruncated);
  const complete = isTruncated
    ? `${text.slice(start, endWithoutEscape(text, start))}"`
    : text.slice(start, end);
  try {
    return literalOf(frame, start, end, JSON.parse(complete), isTruncated);
  } catch {
    return undefined;
  }
}

const literalOf = <P>(
  { current, object }: Frame<P>,
  start: number,
  end: number,
  value: unknown,
  isTruncated: boolean,
): JsonLiteral<P> => ({ start, end, value, location: current, object, isName: false, isTruncated });

/** The end of the text, without an incomplete escape sequence. */
function endWithoutEscape(text: string, from: number): number {
  const escape = text.lastIndexOf('\\');
  const isEscape = escape > from && backslashesBefore(text, escape, from) % 2 === 0;
  return isEscape && truncatedEscape.test(text.slice(escape)) ? escape : text.length;
}

/** The next quote that is preceded by an even number of backslashes. */
function closingQuote(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && backslashesBefore(text, quote, from) % 2 === 1)
    quote = text.indexOf('"', quote + 1);
  return quote;
}

function backslashesBefore(text: string, at: number, from: number): number {
  let first = at;
  while (first > from && text.charAt(first - 1) === '\\') first -= 1;
  return at - first;
}
