import type { Attributes, Json } from './attributes.ts';
import { type Field, spellings } from './attribute-aliases.ts';

/** The value of the first name of a field that is there and not empty. */
export const fieldOf = (attributes: Attributes, field: Field): Json | undefined =>
  firstOf(attributes, field, (value) => value);

/** As text of at most so many characters: names and ids. */
export const textOf = (attributes: Attributes, field: Field, length = 200): string | undefined =>
  firstOf(attributes, field, (value) => {
    if (typeof value === 'string') return value.slice(0, length).toWellFormed();
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  });

/** As a number from `least` to `most`; numbers also come as text. */
export const numberOf = (
  attributes: Attributes,
  field: Field,
  most = Number.MAX_VALUE,
  least = 0,
): number | undefined => numberIn(attributes, spellings[field], most, least);

/** The same, by names that are not everybody's. */
export const numberIn = (
  attributes: Attributes,
  names: readonly string[],
  most: number,
  least = 0,
): number | undefined =>
  firstIn(attributes, names, (value) => {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && number >= least && number <= most ? number : undefined;
  });

/** As a whole number, which every database can look for. */
export const wholeNumberOf = (attributes: Attributes, field: Field): number | undefined =>
  firstOf(attributes, field, (value) => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    return Number.isSafeInteger(number) ? (number as number) : undefined;
  });

const firstOf = <T>(
  attributes: Attributes,
  field: Field,
  read: (value: Json) => T | undefined,
): T | undefined => firstIn(attributes, spellings[field], read);

/** What `read` makes of the first name whose value it can use: a bad one must not hide a good one. */
function firstIn<T>(
  attributes: Attributes,
  names: readonly string[],
  read: (value: Json) => T | undefined,
): T | undefined {
  for (const name of names) {
    const value = attributes[name];
    const usable = isGiven(value) ? read(value) : undefined;
    if (usable !== undefined) return usable;
  }
  return undefined;
}

/** Objects and lists often travel as JSON text. What is no such text stays as it is. */
export function parsed(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

const isGiven = (value: Json | undefined): value is Json =>
  value !== undefined && value !== null && value !== '';
