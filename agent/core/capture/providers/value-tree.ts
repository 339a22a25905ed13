import { isObject, setMember } from './json-fields.ts';
import { type TextRun, textRun } from './text-run.ts';

/** JSON values that are laid over each other. */
export interface ValueTree {
  add(value: unknown): void;
  /** Objects and lists with all that stood in any of them; a place that several have is one. */
  value(): unknown;
}

/** @param name of the member that the values are of, or that the list is of which they are items */
export function valueTree(name = ''): ValueTree {
  const members = new Map<string, ValueTree>();
  const items: ValueTree[] = [];
  let text: TextRun | undefined;
  let last: unknown = null;

  const memberAt = (member: string): ValueTree => {
    const tree = members.get(member) ?? valueTree(member);
    members.set(member, tree);
    return tree;
  };

  return {
    add(value) {
      if (typeof value === 'string') (text ??= textRun(name)).add(value);
      else if (Array.isArray(value))
        for (const [index, item] of value.entries()) (items[index] ??= valueTree(name)).add(item);
      else if (isObject(value))
        for (const [member, inner] of Object.entries(value)) memberAt(member).add(inner);
      if (value !== null) last = value;
    },
    value() {
      if (members.size > 0) return objectOf(members);
      if (items.length > 0) return items.map((item) => item.value());
      return text ? text.text() : last;
    },
  };
}

function objectOf(members: ReadonlyMap<string, ValueTree>): object {
  const object = {};
  for (const [name, tree] of members) setMember(object, name, tree.value());
  return object;
}
