export interface MemberRule {
  /** A member name, or the end of a path such as `customer.email`; `*` matches any single name. */
  key: string;
  type: string;
}

/** A member and its ancestors. Items of a list have no name. */
export interface MemberPath {
  member: string;
  parent: MemberPath | undefined;
  /** Computed on first use. */
  names?: readonly string[];
}

/** Splits at dots: a member named `user.email` is like a member `email` in a member `user`. */
const namesIn = (key: string): readonly string[] => key.toLowerCase().split('.');

const namesOf = (path: MemberPath): readonly string[] => (path.names ??= namesIn(path.member));

export interface MemberRules {
  /** Whether there are any rules. If not, callers need not build paths. */
  hasRules: boolean;
  /** The type of the first rule that matches the path. */
  typeAt(path: MemberPath): string | undefined;
}

interface Rule {
  names: readonly string[];
  type: string;
}

const lastOf = ({ names }: Rule): string => names.at(-1) ?? '';

/**
 * Compiles the rules for repeated lookups. Rules that end with a name precede those that end with
 * `*`.
 */
export function memberRules(definitions: readonly MemberRule[]): MemberRules {
  const all = definitions.map(({ key, type }): Rule => ({ names: namesIn(key), type }));
  const named = all.filter((rule) => lastOf(rule) !== '*');
  const rules = [...named, ...all.filter((rule) => lastOf(rule) === '*')];
  const candidate = rules.length > named.length ? /^/ : endingWith(named.map(lastOf));
  return {
    hasRules: rules.length > 0,
    // This test rules out nearly all members before their names are split.
    typeAt: (path) =>
      candidate.test(path.member)
        ? rules.find(({ names }) => endsWith(path, names))?.type
        : undefined,
  };
}

/** Matches every member name that may end with one of these names, and all non-ASCII names. */
const endingWith = (names: readonly string[]): RegExp =>
  new RegExp(
    String.raw`(?:^|\.)(?:${names.map((name) => RegExp.escape(name)).join('|')})$|[^\0-\x7F]`,
    'i',
  );

/** Reads only as many path elements as the rule has names: paths may be long. */
function endsWith(path: MemberPath, names: readonly string[]): boolean {
  let at = path;
  let left = namesOf(path).length;
  for (const name of names.toReversed()) {
    if (left === 0) {
      if (!at.parent) return false;
      at = at.parent;
      left = namesOf(at).length;
    }
    left -= 1;
    if (name !== '*' && name !== namesOf(at)[left]) return false;
  }
  return true;
}
