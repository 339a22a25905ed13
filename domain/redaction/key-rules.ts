export interface KeyRule {
  /** A member name, or the end of a path such as `customer.email`; `*` stands for any one name. */
  key: string;
  type: string;
}

/** A member, and those that it is within; the items of a list have no name. */
export interface KeyPath {
  member: string;
  within: KeyPath | undefined;
  /** Kept once they were asked for. */
  names?: readonly string[];
}

/** A member named `user.email` counts like a member `email` within one named `user`. */
const namesIn = (key: string): readonly string[] => key.toLowerCase().split('.');

const namesOf = (path: KeyPath): readonly string[] => (path.names ??= namesIn(path.member));

export interface KeyRules {
  /** Whether there is any rule: without one no path need be kept. */
  some: boolean;
  /** The type of what stands at a path, if a rule says so: the first rule that does. */
  typeAt(path: KeyPath): string | undefined;
}

interface Rule {
  names: readonly string[];
  type: string;
}

const lastOf = ({ names }: Rule): string => names.at(-1) ?? '';

/** Rules by key, made ready to be asked often. Those that end with a name go before the others. */
export function keyRules(given: readonly KeyRule[]): KeyRules {
  const all = given.map(({ key, type }): Rule => ({ names: namesIn(key), type }));
  const named = all.filter((rule) => lastOf(rule) !== '*');
  const rules = [...named, ...all.filter((rule) => lastOf(rule) === '*')];
  const candidate = rules.length > named.length ? /^/ : endingWith(named.map(lastOf));
  return {
    some: rules.length > 0,
    // Nearly all members end with the candidates, before anything is made of their names.
    typeAt: (path) =>
      candidate.test(path.member)
        ? rules.find(({ names }) => endsWith(path, names))?.type
        : undefined,
  };
}

/** Matches every member that may end with one of these names, and those with unusual letters. */
const endingWith = (names: readonly string[]): RegExp =>
  new RegExp(
    String.raw`(?:^|\.)(?:${names.map((name) => RegExp.escape(name)).join('|')})$|[^\0-\x7F]`,
    'i',
  );

/** Reads no more of the path than there are names: it may be long. */
function endsWith(path: KeyPath, names: readonly string[]): boolean {
  let at = path;
  let left = namesOf(path).length;
  for (const name of names.toReversed()) {
    if (left === 0) {
      if (!at.within) return false;
      at = at.within;
      left = namesOf(at).length;
    }
    left -= 1;
    if (name !== '*' && name !== namesOf(at)[left]) return false;
  }
  return true;
}
