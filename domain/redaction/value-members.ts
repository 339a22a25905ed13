import type { JsonLiteral } from './json-literals.ts';
import type { KeyPath } from './key-rules.ts';

/** Members that hold the value of something named by an ancestor or a sibling. */
const valueMembers = new Set(['value', 'val', 'plain', 'plaintext', 'raw', 'secret', 'string']);
/** Members that name the value of a sibling. */
const nameMembers = new Set(['name', 'key', 'field', 'variable', 'header', 'parameter', 'param']);

const LONGEST_MEMBER = 9;

export const isValueMember = (member: string): boolean =>
  member.length <= LONGEST_MEMBER && valueMembers.has(member.toLowerCase());

const isNameMember = (member: string): boolean =>
  member.length <= LONGEST_MEMBER && nameMembers.has(member.toLowerCase());

/** Longer texts are not names. */
const LONGEST_NAME = 80;

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME;

/** The name in an object such as `{"name": "password", "value": "…"}`. */
export function siblingNameIn(object: object): string | undefined {
  for (const [member, value] of Object.entries(object))
    if (isNameMember(member) && isName(value)) return value;
  return undefined;
}

/** The sibling names in JSON text, by the start of their object. */
export function siblingNames(
  literals: readonly JsonLiteral<{ path: KeyPath | undefined }>[],
): Map<number, string> {
  const names = new Map<number, string>();
  for (const { object, value, location, isName: isOfMember } of literals) {
    if (object === -1 || isOfMember || !location.path || !isNameMember(location.path.member))
      continue;
    if (isName(value) && !names.has(object)) names.set(object, value);
  }
  return names;
}
