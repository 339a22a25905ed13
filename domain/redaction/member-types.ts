import { detached } from '#lib/detached.ts';
import { LruMap } from '#lib/lru-map.ts';
import type { Detector } from './detector.ts';
import type { MemberPath } from './member-rules.ts';
import { isPlaceholder } from './redact-text.ts';
import { isValueMember } from './value-members.ts';

/** Member names repeat. A value may have any number of them, of any length. */
export const MAX_CACHED_NAMES = 1000;
export const MAX_CACHED_NAME_LENGTH = 64;

/** Decides whether a member's value is of a type. */
interface Acceptor {
  type: string;
  inPairs: boolean;
  acceptsText: ((value: string) => boolean) | undefined;
  acceptsNumber: ((digits: string) => boolean) | undefined;
}

/** A name for a value that is not the name of its member. */
export interface OtherName {
  name: string;
  /** The name precedes the value in a list of two strings, which may be any two strings. */
  isPair: boolean;
}

/** Shorter numbers are counts. The shortest that is found is a card verification code. */
const MIN_NUMBER = 100;

/**
 * The type of a text or number by its member's name. The name of a secret also applies to nested
 * values and to a sibling that holds the value.
 */
export type TypeOfMember = (
  path: MemberPath | undefined,
  value: string | number | bigint,
  other: OtherName | undefined,
) => string | undefined;

export function memberTypes(detectors: readonly Detector[]): TypeOfMember {
  const acceptors = new LruMap<string, readonly Acceptor[]>(MAX_CACHED_NAMES);
  const acceptorsOf = (member: string): readonly Acceptor[] => {
    const known = acceptors.peek(member);
    if (known) return known;
    const name = detached(member);
    const found = detectors.flatMap((detector) => acceptorOf(detector, name));
    if (name.length <= MAX_CACHED_NAME_LENGTH) acceptors.set(name, found);
    return found;
  };

  const typeByName = (
    member: string,
    value: string | number | bigint,
    isPair = false,
  ): string | undefined =>
    acceptorsOf(member).find(
      (acceptor) => (!isPair || acceptor.inPairs) && accepts(acceptor, value),
    )?.type;

  return (path, value, other) => {
    if (typeof value === 'string' ? isPlaceholder(value) : !isLongInteger(value)) return undefined;
    const type = path && typeByName(path.member, value);
    if (type !== undefined) return type;
    const byOther = other && typeByName(other.name, value, other.isPair);
    if (byOther !== undefined || !path?.parent || !isValueMember(path.member)) return byOther;
    return typeByName(path.parent.member, value);
  };
}

function acceptorOf({ type, ofMember, ofNumber, inPairs }: Detector, member: string): Acceptor[] {
  const acceptsText = ofMember?.(member);
  const acceptsNumber = ofNumber?.(member);
  if (!acceptsText && !acceptsNumber) return [];
  return [{ type, inPairs: inPairs ?? false, acceptsText, acceptsNumber }];
}

const accepts = (
  { acceptsText, acceptsNumber }: Acceptor,
  value: string | number | bigint,
): boolean | undefined =>
  typeof value === 'string' ? acceptsText?.(value) : acceptsNumber?.(String(value));

/** Larger numbers have lost digits when they were parsed. */
const isLongInteger = (value: number | bigint): boolean =>
  value >= MIN_NUMBER && (typeof value === 'bigint' || Number.isSafeInteger(value));
