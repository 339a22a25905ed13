import { isNestedWithin } from '../lib/json-nesting.ts';
import type { Attributes, Json } from './attributes.ts';
import { type Field, attributeAliases } from './attribute-aliases.ts';

/** Returns the first non-empty value among the names of a field. */
export const fieldOf = (attributes: Attributes, field: Field): Json | undefined =>
  firstOf(attributes, field, isPresent);

/** Returns the field as text, truncated to `length` characters. It is used for names and ids. */
export function textOf(attributes: Attributes, field: Field, length = 200): string | undefined {
  const value = firstOf(attributes, field, isScalar);
  return value === undefined ? undefined : String(value).slice(0, length).toWellFormed();
}

/** Returns the field as a number from `least` to `most`; numeric text is accepted. */
export function numberOf(
  attributes: Attributes,
  field: Field,
  most = Number.MAX_VALUE,
  least = 0,
): number | undefined {
  for (const name of attributeAliases[field]) {
    const number = numberIn(attributes[name]);
    if (number !== undefined && number >= least && number <= most) return number;
  }
  return undefined;
}

/** Returns the field as a safe integer, which every database can query. */
export function wholeNumberOf(attributes: Attributes, field: Field): number | undefined {
  const value = firstOf(attributes, field, isWholeNumber);
  return value === undefined ? undefined : Number(value);
}

/**
 * Returns the first value that `accepts`, because an invalid value must not hide a valid one. Each
 * span has some thirty fields with several names, so a lookup allocates no memory.
 */
function firstOf<T extends Json>(
  attributes: Attributes,
  field: Field,
  accepts: (value: Json | undefined) => value is T,
): T | undefined {
  for (const name of attributeAliases[field]) {
    const value = attributes[name];
    if (accepts(value)) return value;
  }
  return undefined;
}

const isPresent = (value: Json | undefined): value is Json =>
  value !== undefined && value !== null && value !== '';

const isScalar = (value: Json | undefined): value is string | number | boolean =>
  (typeof value === 'string' && value !== '') ||
  typeof value === 'number' ||
  typeof value === 'boolean';

const isWholeNumber = (value: Json | undefined): value is string | number =>
  typeof value === 'string'
    ? /^\d+$/.test(value) && Number.isSafeInteger(Number(value))
    : Number.isSafeInteger(value);

function numberIn(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : undefined;
}

/**
 * The maximum number of lists and objects around a value in JSON text. Messages are walked by
 * functions that call themselves for each level, and the databases limit the nesting of JSON too.
 */
const MAX_TEXT_DEPTH = 128;

/**
 * Parses objects, lists and strings sent as JSON text. Other values, and texts that are nested too
 * deeply, are returned unchanged.
 */
export function parsed(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  if (!isNestedWithin(value, MAX_TEXT_DEPTH)) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}
