import { isObject, setMember } from './json-fields.ts';

/** Texts that stand at one place of events that follow each other. */
export interface TextRun {
  add(text: string): void;
  /** What they say together. */
  text(): string;
}

/** Members that say the same again, or something else instead, but never go on. */
const FACT =
  /^(?:id|uuid|type|role|status|state|model|object|event|kind|time|timestamp|date)$|(?:_id|Id|ID|_at|At|_type|Type|_status|Status|_time|Time|_model|Model)$/;

/**
 * Nearly all streams send pieces, which are put together. Some send at each event all that there
 * is so far, of which the last holds everything; and what never changes is said once.
 *
 * @param name of the member that they are of
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
      // Each comparison is of no more than the text that came, so all of them are linear.
      isGrowing &&= last === undefined || text.startsWith(last);
      isSame &&= last === undefined || text === last;
      last = text;
    },
    text: () => (isSame || isGrowing || FACT.test(name) ? (last ?? '') : joined),
  };
}

/** JSON values that are laid over each other. */
export interface ValueTree {
  add(value: unknown): void;
  /** Objects and lists with all that stood in any of them; a place that several have is one. */
  value(): unknown;
}

/** @param name of the member that the values are of, or that the list is of which they are items */
export function valueTree(name = ''): ValueTree {
  // Made when they are needed: most places hold one text or number.
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
    // Nearly always the next pieces of one text, and not texts that go on each on its own.
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

/** The list as it was sent last, where nothing else was sent. */
const linesOf = (text: string, last: readonly unknown[]): readonly unknown[] =>
  text === last.join('') ? last : [text];

function objectOf(members: ReadonlyMap<string, ValueTree>): object {
  const object = {};
  for (const [name, tree] of members) setMember(object, name, tree.value());
  return object;
}
