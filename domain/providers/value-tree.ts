import { isObject, setMember } from './json-fields.ts';

/** Texts at the same path of consecutive events. */
export interface TextRun {
  add(text: string): void;
  /** The joined text. */
  text(): string;
}

/** Members whose repeated values are alternatives or repetitions, never continuations. */
const FACT =
  /^(?:id|uuid|type|role|status|state|model|object|event|kind|time|timestamp|date)$|(?:_id|Id|ID|_at|At|_type|Type|_status|Status|_time|Time|_model|Model)$/;

/**
 * Joins the texts. Most streams send pieces, which are concatenated. Some repeat the whole text so
 * far in each event, so the last text is complete. A constant value is kept once.
 *
 * @param name the name of the member with these texts
 */
export function textRun(name: string): TextRun {
  let joined = '';
  let last: string | undefined;
  let isSame = true;
  let isGrowing = true;
  return {
    add(text) {
      if (text === '') return;
      joined += text;
      // Compares no more than the new text, so the total work is linear.
      isGrowing &&= last === undefined || text.startsWith(last);
      isSame &&= last === undefined || text === last;
      last = text;
    },
    text: () => (isSame || isGrowing || FACT.test(name) ? (last ?? '') : joined),
  };
}

/** JSON values that are merged by path. */
export interface ValueTree {
  add(value: unknown): void;
  /** The union of all objects and lists; values at the same path are merged. */
  value(): unknown;
}

/**
 * @param name the name of the member that holds the values, or that holds the list of which they
 *   are items
 */
export function valueTree(name = ''): ValueTree {
  // Created on demand: most paths have a single text or number.
  let members: Map<string, ValueTree> | undefined;
  let items: ValueTree[] | undefined;
  let text: TextRun | undefined;
  let lines: TextRun | undefined;
  let last: unknown = null;

  const addMembers = (object: object): void => {
    members ??= new Map();
    for (const [member, inner] of Object.entries(object)) {
      const tree = members.get(member) ?? valueTree(member);
      members.set(member, tree);
      tree.add(inner);
    }
  };
  const addItems = (list: readonly unknown[]): void => {
    // Such a list nearly always holds consecutive pieces of one text rather than independent texts.
    if (list.length > 0 && list.every((item) => typeof item === 'string')) {
      (lines ??= textRun(name)).add(list.join(''));
      return;
    }
    items ??= [];
    for (const [index, item] of list.entries()) (items[index] ??= valueTree(name)).add(item);
  };

  return {
    add(value) {
      if (typeof value === 'string') (text ??= textRun(name)).add(value);
      else if (Array.isArray(value)) addItems(value);
      else if (isObject(value)) addMembers(value);
      if (value !== null) last = value;
    },
    value() {
      if (members && members.size > 0) return objectOf(members);
      if (items && items.length > 0) return items.map((item) => item.value());
      if (text) return text.text();
      return lines && Array.isArray(last) ? linesOf(lines.text(), last) : last;
    },
  };
}

/** The last list, if the items are only repetitions of it. */
const linesOf = (text: string, last: readonly unknown[]): readonly unknown[] =>
  text === last.join('') ? last : [text];

function objectOf(members: ReadonlyMap<string, ValueTree>): object {
  const object = {};
  for (const [name, tree] of members) setMember(object, name, tree.value());
  return object;
}
