import type { JsonLiteral } from './json-literals.ts';
import type { MemberPath } from './member-rules.ts';
import { secretKindOf } from './named-secrets/secret-names.ts';

/** Members that hold the value of something named by an ancestor or a sibling. */
// `ParameterValue` is CloudFormation's (docs.aws.amazon.com, API_Parameter).
const valueMembers = new Set(
  'value val plain plaintext computed raw secret string text parametervalue'.split(' '),
);
/** Members that name the value of a sibling. */
const nameMembers = new Set(
  'name key field variable header parameter param parameterkey selector element locator'.split(' '),
);
/** The private parts of a JSON web key (RFC 7518, 6.2.2, 6.3.2 and 6.4.1; RFC 8037, 2). */
const privateParts = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);

const MAX_MEMBER_LENGTH = 14;

export const isValueMember = (member: string): boolean =>
  member.length <= MAX_MEMBER_LENGTH && valueMembers.has(member.toLowerCase());

const isNameMember = (member: string): boolean =>
  member.length <= MAX_MEMBER_LENGTH && nameMembers.has(member.toLowerCase());

/** Whether the members beside this one tell what it holds. */
export const dependsOnSiblings = (member: string): boolean =>
  isValueMember(member) || privateParts.has(member);

/** Longer texts are not names. */
const MAX_NAME_LENGTH = 80;

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH;

const option = /^--?([A-Za-z][\w-]{1,60})$/;

/** The name of an option of a command, whose value is the next item: `["--api-key", "…"]`. */
export const optionName = (item: unknown): string | undefined =>
  typeof item === 'string' ? option.exec(item)?.[1] : undefined;

/** What an object tells about the values of its members. */
export interface Siblings {
  /** The name in an object such as `{"name": "password", "value": "…"}`. */
  name?: string;
  /** The object has a key type, so it is a JSON web key (RFC 7517). */
  isWebKey: boolean;
  /** A member says that the value is a secret, whatever its name. */
  isConcealed?: true;
  /** The text ends inside the object, so its name or key type may be missing. */
  isCut?: true;
}

/** Stands for the name that is missing. */
const UNKNOWN_NAME = 'secret';

/**
 * Types of values that are secrets (developer.1password.com/docs/connect,
 * docs.aws.amazon.com/systems-manager, API_Parameter; Keycloak's CredentialRepresentation).
 */
const secretType = /^(?:concealed|securestring|password)$/i;

function addSibling(siblings: Siblings, member: string, value: unknown): void {
  if (/^type$/i.test(member) && typeof value === 'string' && secretType.test(value))
    siblings.isConcealed = true;
  if (member === 'kty' && typeof value === 'string') siblings.isWebKey = true;
  if (isNameMember(member) && isName(value)) siblings.name ??= value;
}

export function siblingsIn(object: object): Siblings {
  const siblings: Siblings = { isWebKey: false };
  for (const [member, value] of Object.entries(object)) addSibling(siblings, member, value);
  return siblings;
}

/** The siblings in JSON text, by the start of their object. */
export function siblingsInText(
  literals: readonly JsonLiteral<{ path: MemberPath | undefined }>[],
): Map<number, Siblings> {
  const all = new Map<number, Siblings>();
  for (const literal of literals) {
    const { object, value, location } = literal;
    if (object === -1 || literal.isName || !location.path) continue;
    const siblings = all.get(object) ?? { isWebKey: false };
    if (literal.isInCutObject) siblings.isCut = true;
    // The beginning of a name counts only if it is that of a secret already.
    const isKnown = !literal.isTruncated || (isName(value) && secretKindOf(value) !== undefined);
    if (isKnown) addSibling(siblings, location.path.member, value);
    all.set(object, siblings);
  }
  return all;
}

/** The name that its siblings give to a member: `jwk.d` for a private part of a JSON web key. */
export function nameBySiblings(siblings: Siblings | undefined, member: string): string | undefined {
  if (!siblings) return undefined;
  const { name, isWebKey, isConcealed = false, isCut = false } = siblings;
  if (isValueMember(member) && isConcealed && !(name && secretKindOf(name))) return 'password';
  if (isValueMember(member)) return name ?? (isCut ? UNKNOWN_NAME : undefined);
  return (isWebKey || isCut) && privateParts.has(member) ? `jwk.${member}` : undefined;
}
