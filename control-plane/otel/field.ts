import type { Attributes, Json } from './attributes.ts';
import { type Field, attributeAliases } from './attribute-aliases.ts';

/** The first non-empty value among the names of a field. */
export const fieldOf = (attributes: Attributes, field: Field): Json | undefined =>
  firstOf(attributes, field, (value) => value);

/** The field as text, truncated to `length` characters; for names and ids. */
export const textOf = (attributes: Attributes, field: Field, length = 200): string | undefined =>
  firstOf(attributes, field, (value) => {
    if (typeof value === 'string') return value.slice(0, length).toWellFormed();
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  });

/** The field as a number from `least` to `most`; numeric text is accepted. */
export const numberOf = (
  attributes: Attributes,
  field: Field,
  most = Number.MAX_VALUE,
  least = 0,
): number | undefined =>
  firstOf(attributes, field, (value) => {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && number >= least && number <= most ? number : undefined;
  });

/** The field as a safe integer, which every database can query. */
export const wholeNumberOf = (attributes: Attributes, field: Field): number | undefined =>
  firstOf(attributes, field, (value) => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    return Number.isSafeInteger(number) ? (number as number) : undefined;
  });

/** The first value that `read` accepts: an invalid value must not hide a valid one. */
function firstOf<T>(
  attributes: Attributes,
  field: Field,
  read: (value: Json) => T | undefined,
): T | undefined {
  for (const name of attributeAliases[field]) {
    const value = attributes[name];
    const usable = isPresent(value) ? read(value) : undefined;
    if (usable !== undefined) return usable;
  }
  return undefined;
}

/** Parses objects, lists and strings sent as JSON text. Other values are returned unchanged. */
export function parsed(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

const isPresent = (value: Json | undefined): value is Json =>
  value !== undefined && value !== null && value !== '';
