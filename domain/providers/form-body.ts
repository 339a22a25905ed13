import { textOfEscapes } from '../redaction/encoded.ts';
import { setMember } from './json-fields.ts';
import { removeTruncatedWords } from './truncated-words.ts';

/** The members of a form, in order. Names may repeat. */
export type FormMembers = readonly (readonly [name: string, value: unknown])[];

/** The members as a JSON object. A repeated name becomes a list. */
export function jsonOfForm(members: FormMembers): string {
  const values = new Map<string, unknown[]>();
  for (const [name, value] of members) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  const object = {};
  for (const [name, all] of values) setMember(object, name, all.length === 1 ? all[0] : all);
  return JSON.stringify(object);
}

/** A value without its last word if the body ends in it. */
export const incompleteValue = (value: string): string =>
  removeTruncatedWords(value, { isKnownApi: false });

/** Programs such as curl send JSON and other texts with the type of a form, too. */
const beginning = /^[^\s=&"'<>{}[\]][^\s=&"'<>{}]*=/;

/**
 * An `application/x-www-form-urlencoded` body (URL standard, section 5.1) as JSON, so that
 * redaction sees names and decoded values. Other texts are returned unchanged.
 */
export function readForm(text: string, isTruncated: boolean): string {
  if (!beginning.test(text)) return isTruncated ? incompleteValue(text) : text;
  const pieces = text.trim().split('&');
  const members = pieces.map((piece, index): [string, string] => {
    const [name, value] = memberOf(piece);
    return [name, isTruncated && index === pieces.length - 1 ? incompleteValue(value) : value];
  });
  return jsonOfForm(members);
}

/** A piece without a sign is a value: names are not redacted like values. */
function memberOf(piece: string): [name: string, value: string] {
  const sign = piece.indexOf('=');
  return [sign === -1 ? '' : decoded(piece.slice(0, sign)), decoded(piece.slice(sign + 1))];
}

const decoded = (text: string): string => textOfEscapes(text.replaceAll('+', ' '));
