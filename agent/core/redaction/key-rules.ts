export interface KeyRule {
  /** A member name, or the end of a path such as `customer.email`; `*` stands for any one name. */
  key: string;
  type: string;
}

/** Names from the outermost member inwards, in lower case; the items of a list have none. */
export type KeyPath = readonly string[];

/** A member named `user.email` counts like a member `email` within one named `user`. */
export const pathTo = (path: KeyPath, member: string): KeyPath => [
  ...path,
  ...member.toLowerCase().split('.'),
];

export interface KeyRules {
  /** Whether there is any rule: without one no path need be kept. */
  some: boolean;
  /** The type of what stands at a path, if a rule says so: the first rule that does. */
  typeAt(path: KeyPath): string | undefined;
}

/** Rules by key, made ready to be asked often. */
export function keyRules(rules: readonly KeyRule[]): KeyRules {
  const parts = rules.map(({ key, type }) => ({ names: key.toLowerCase().split('.'), type }));
  const byLast = Map.groupBy(parts, ({ names }) => names.at(-1) ?? '');
  const forAny = byLast.get('*') ?? [];
  return {
    some: rules.length > 0,
    typeAt(path) {
      const candidates = [...(byLast.get(path.at(-1) ?? '') ?? []), ...forAny];
      return candidates.find(({ names }) => endsWith(path, names))?.type;
    },
  };
}

const endsWith = (path: KeyPath, names: readonly string[]): boolean =>
  path.length >= names.length &&
  names.every((name, index) => name === '*' || name === path[path.length - names.length + index]);
