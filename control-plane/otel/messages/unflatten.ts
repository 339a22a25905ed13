import { type Attributes, type Json, MAX_DEPTH } from '../attributes.ts';

interface Node {
  value?: Json;
  members?: Map<string, Node>;
}

/**
 * Restores a list that was flattened into attributes such as `gen_ai.prompt.0.role`. Returns the
 * items below the prefix in numeric order; an empty list if there are none. Beyond the maximum
 * depth, the rest of a name is one member.
 */
export function unflatten(attributes: Attributes, prefix: string): Json[] {
  let root: Node | undefined;
  // Most spans have no such attributes, so objects are created only when one is found.
  for (const name in attributes) {
    if (!name.startsWith(prefix) || name[prefix.length] !== '.') continue;
    const path = name.slice(prefix.length + 1).split('.');
    if (path.length > MAX_DEPTH) path.push(path.splice(MAX_DEPTH - 1).join('.'));
    if (isNumber(path[0] as string)) insert((root ??= {}), path, attributes[name] as Json);
  }
  if (!root) return [];
  const list = build(root);
  return Array.isArray(list) ? list : [];
}

const isNumber = (text: string): boolean => /^\d{1,6}$/.test(text);

function insert(root: Node, path: readonly string[], value: Json): void {
  let node = root;
  for (const key of path) {
    node.members ??= new Map<string, Node>();
    let next = node.members.get(key);
    if (!next) node.members.set(key, (next = {}));
    node = next;
  }
  node.value = value;
}

function build({ value, members }: Node): Json {
  if (!members) return value ?? null;
  const entries = [...members].map(([key, node]) => [key, build(node)] as const);
  if (!entries.every(([key]) => isNumber(key))) return Object.fromEntries(entries);
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner);
}
