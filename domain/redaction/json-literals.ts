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
  /** The text ends inside its object, of which members may be missing. */
  isInCutObject?: true;
  /** The first string of a list of two, for the second item. */
  pairedWith?: string;
  /** The item of its list before it, if that is a literal. */
  itemBefore?: unknown;
  /** The values of its list, if that is short and contains no objects or lists. */
  items?: readonly unknown[];
}

/** The number of items of the lists that are searched as a whole. */
const MAX_ITEMS = 64;

interface Frame<P> {
  isList: boolean;
  /** The start of the object; -1 for a list. */
  object: number;
  /** The location of the object or list. */
  location: P;
  /** The location of its next value. */
  current: P;
  /** The number of values so far. */
  items: number;
  /** The number of literals before it. */
  before: number;
  /** The first two literals of a list, if no objects or lists precede them. */
  first?: JsonLiteral<P>;
  second?: JsonLiteral<P>;
  /** The value of the last item of a list, if that is a literal. */
  last?: unknown;
}

const beginning = /^\s*(?:\{\s*["}]|\[)/;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
/** Numbers that JSON does not have, but Python's parser writes and reads. */
const specialNumber = /(?:NaN|-?Infinity)(?![\w.+-])/y;
const truncatedScalar = /[-+.\w]{1,30}\s*$/y;
/** A placeholder that has replaced a number in text. */
const placeholder = /##[A-Z][A-Z0-9_]{0,60}##/y;
const truncatedEscape = /^\\(?:u[\da-fA-F]{0,3})?$/;

interface Reading<P> {
  root: P;
  enter: (location: P, member: string) => P;
  wantsName: (member: string) => boolean;
  /** Reads one value within other text instead of a sequence of values. */
  isIsland: boolean;
}

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
  const { isValid } = readInto(literals, text, 0, { root, enter, wantsName, isIsland: false });
  return isValid ? literals : undefined;
}

/** An object with a member that is written as JSON. Lists in prose are usually something else. */
const islandBeginning = /\{[ \t\r\n]{0,200}"/y;
const none = (): boolean => false;

/**
 * The literals of all JSON objects within other text: in a fenced block, between sentences, behind
 * a prefix such as `)]}'`. Of an object that is not valid JSON, the literals before the error. Each
 * character is read a constant number of times, because the search continues after what was read.
 */
export function jsonIslands<P>(
  text: string,
  root: P,
  enter: (location: P, member: string) => P,
): JsonLiteral<P>[] {
  const literals: JsonLiteral<P>[] = [];
  const reading = { root, enter, wantsName: none, isIsland: true };
  // `indexOf` skips other text several times as fast as an expression does.
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at)) {
    const isIsland = endOf(islandBeginning, text, at) !== -1;
    at = Math.max(at + 1, isIsland ? readInto(literals, text, at, reading).end : 0);
  }
  return literals;
}

/** Appends the literals from `start`. `end` is where it stopped. */
function readInto<P>(
  literals: JsonLiteral<P>[],
  text: string,
  start: number,
  { root, enter, wantsName, isIsland }: Reading<P>,
): { end: number; isValid: boolean } {
  const frames: Frame<P>[] = [];
  const addName = (frame: Frame<P>, literal: JsonLiteral<P>): void => {
    const name = String(literal.value);
    frame.current = enter(frame.location, name);
    literal.isName = true;
    if (wantsName(name)) literals.push(literal);
  };
  for (let at = afterBlank(text, start); at < text.length; at = afterBlank(text, at)) {
    const character = text.charAt(at);
    const frame = frames.at(-1);
    if (character === '{' || character === '[') {
      frames.push(frameWithin(frame, character === '[', at, root, literals.length));
      at += 1;
    } else if (!frame) return { end: at, isValid: false };
    else if (character === ',') at += 1;
    else if (character === (frame.isList ? ']' : '}')) {
      endList(literals, frames.pop());
      at += 1;
      if (isIsland && frames.length === 0) return { end: at, isValid: true };
    } else {
      const literal = readLiteral(text, at, frame, isIsland);
      if (!literal) {
        const isCut = endOf(truncatedScalar, text, at) !== -1;
        if (isCut) markCutObjects(literals, frames);
        return { end: at, isValid: isCut };
      }
      const colon = frame.isList ? -1 : endOfColon(text, literal.end);
      if (colon === -1) addItem(literals, frame, literal);
      else addName(frame, literal);
      at = Math.max(literal.end, colon);
    }
  }
  for (const frame of frames) namePair(frame);
  markCutObjects(literals, frames);
  return { end: text.length, isValid: true };
}

/** Marks the literals of the objects that are still open where the text ends. */
function markCutObjects<P>(literals: JsonLiteral<P>[], open: readonly Frame<P>[]): void {
  const objects = new Set(open.filter(({ isList }) => !isList).map(({ object }) => object));
  if (objects.size === 0) return;
  for (const literal of literals.slice(open[0]?.before))
    if (objects.has(literal.object)) literal.isInCutObject = true;
}

function addItem<P>(literals: JsonLiteral<P>[], frame: Frame<P>, literal: JsonLiteral<P>): void {
  literals.push(literal);
  frame.items += 1;
  if (!frame.isList) return;
  if (frame.items === 1) frame.first = literal;
  if (frame.items === 2) frame.second = literal;
  literal.itemBefore = frame.last;
  frame.last = literal.value;
}

/** In a list of two strings, such as `["X-Api-Key", "…"]`, the first may name the second. */
function namePair<P>(list: Frame<P> | undefined): void {
  if (list?.items !== 2 || typeof list.first?.value !== 'string' || !list.second) return;
  list.second.pairedWith = list.first.value;
}

/** Tells the items of a list what the others are. */
function endList<P>(literals: readonly JsonLiteral<P>[], list: Frame<P> | undefined): void {
  namePair(list);
  if (!list?.isList || list.items > MAX_ITEMS || literals.length - list.before !== list.items)
    return;
  const own = literals.slice(list.before);
  const items = own.map(({ value }) => value);
  for (const literal of own) literal.items = items;
}

const frameOf = <P>(isList: boolean, at: number, location: P, before: number): Frame<P> => ({
  isList,
  object: isList ? -1 : at,
  location,
  current: location,
  items: 0,
  before,
});

function frameWithin<P>(
  outer: Frame<P> | undefined,
  isList: boolean,
  at: number,
  root: P,
  before: number,
): Frame<P> {
  if (outer) {
    outer.items += 1;
    outer.last = undefined;
  }
  return frameOf(isList, at, outer ? outer.current : root, before);
}

function afterBlank(text: string, at: number): number {
  let end = at;
  while (end < text.length && ' \n\r\t'.includes(text.charAt(end))) end += 1;
  return end;
}

function endOfColon(text: string, at: number): number {
  const colon = afterBlank(text, at);
  return text.charAt(colon) === ':' ? colon + 1 : -1;
}

function readLiteral<P>(
  text: string,
  start: number,
  frame: Frame<P>,
  isIsland: boolean,
): JsonLiteral<P> | undefined {
  if (text.charAt(start) === '"') {
    const literal = readString(text, start, frame);
    // Between sentences, a quote that is not closed on its line does not begin a JSON string.
    const isBroken = isIsland && literal && text.slice(start, literal.end).includes('\n');
    return isBroken ? undefined : literal;
  }
  const placeholderEnd = isIsland ? endOf(placeholder, text, start) : -1;
  if (placeholderEnd !== -1)
    return literalOf(frame, start, placeholderEnd, text.slice(start, placeholderEnd), false);
  const specialEnd = endOf(specialNumber, text, start);
  if (specialEnd !== -1) return literalOf(frame, start, specialEnd, null, false);
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
