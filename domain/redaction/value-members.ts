import type { JsonLiteral } from './json-literals.ts';
import type { MemberPath } from './member-rules.ts';

/** Members that hold the value of something named by an ancestor or a sibling. */
const valueMembers = new Set(['value', 'val', 'plain', 'plaintext', 'raw', 'secret', 'string']);
/** Members that name the value of a sibling. */
const nameMembers = new Set(['name', 'key', 'field', 'variable', 'header', 'parameter', 'param']);

const MAX_MEMBER_LENGTH = 9;

export const isValueMember = (member: string): boolean =>
  member.length <= MAX_MEMBER_LENGTH && valueMembers.has(member.toLowerCase());

const isNameMember = (member: string): boolean =>
  member.length <= MAX_MEMBER_LENGTH && nameMembers.has(member.toLowerCase());

/** Longer texts are not names. */
const MAX_NAME_LENGTH = 80;

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH;

/** The name in an object such as `{"name": "password", "value": "…"}`. */
export function siblingNameIn(object: object): string | undefined {
  for (const [member, value] of Object.entries(object))
    if (isNameMember(member) && isName(value)) return value;
  return undefined;
}

/** The sibling names in JSON text, by the start of their object. */
export function siblingNames(
  literals: readonly JsonLiteral<{ path: MemberPath | undefined }>[],
): Map<number, string> {
  const names = new Map<number, string>();
  for (const { object, value, location, isName: isMemberName } of literals) {
    if (object === -1 || isMemberName || !location.path || !isNameMember(location.path.member))
      continue;
    if (isName(value) && !names.has(object)) names.set(object, value);
  }
  return names;
}
