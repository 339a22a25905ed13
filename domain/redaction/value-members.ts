import type { JsonLiteral } from './json-literals.ts';
import type { KeyPath } from './key-rules.ts';

/** Members that hold the value of something that is named around them or beside them. */
const valueMembers = new Set(['value', 'val', 'plain', 'plaintext', 'raw', 'secret', 'string']);
/** Members that say what a value beside them is of. */
const nameMembers = new Set(['name', 'key', 'field', 'variable', 'header', 'parameter', 'param']);

const LONGEST = 9;

export const isValueMember = (member: string): boolean =>
  member.length <= LONGEST && valueMembers.has(member.toLowerCase());

const isNameMember = (member: string): boolean =>
  member.length <= LONGEST && nameMembers.has(member.toLowerCase());

/** Longer texts name nothing. */
const LONGEST_NAME = 80;

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME;

/** Of `{"name": "password", "value": "…"}` the name. */
export function nameBeside(object: object): string | undefined {
  for (const [member, value] of Object.entries(object))
    if (isNameMember(member) && isName(value)) return value;
  return undefined;
}

/** The same for each object in JSON text, by where it begins. */
export function namesBeside(
  literals: readonly JsonLiteral<{ path: KeyPath | undefined }>[],
): Map<number, string> {
  const names = new Map<number, string>();
  for (const { object, value, place, isName: isOfMember } of literals) {
    if (object === -1 || isOfMember || !place.path || !isNameMember(place.path.member)) continue;
    if (isName(value) && !names.has(object)) names.set(object, value);
  }
  return names;
}
