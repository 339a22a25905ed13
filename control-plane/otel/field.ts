import type { Attributes, Json } from './attributes.ts';
import { type Field, spellings } from './spellings.ts';

/** The value of the first name of a field that is there and not empty. */
export function fieldOf(attributes: Attributes, field: Field): Json | undefined {
  const name = spellings[field].find((spelling) => isGiven(attributes[spelling]));
  return name === undefined ? undefined : attributes[name];
}

/** As text of at most so many characters: names and ids. */
export function textOf(attributes: Attributes, field: Field, length = 200): string | undefined {
  const value = fieldOf(attributes, field);
  if (typeof value === 'string') return value.slice(0, length).toWellFormed();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** As a number that is not negative; numbers also come as text. */
export function numberOf(attributes: Attributes, field: Field): number | undefined {
  const value = fieldOf(attributes, field);
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && Number.isFinite(number) ? number : undefined;
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

const isGiven = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && value !== '';
