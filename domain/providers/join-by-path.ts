import type { StreamEvent } from './api.ts';
import { joinPatches } from './json-patches.ts';
import { field, isObject } from './json-fields.ts';
import { valueTree, type ValueTree } from './value-tree.ts';

/**
 * Joins the events of an unknown stream format into one object. Events of one kind are merged path
 * by path, and text pieces at the same path are concatenated.
 */
export function joinByPath(events: readonly StreamEvent[]): object | null {
  const { documents, others } = joinPatches(events);
  const kinds = new Map<string, ValueTree>();
  const hasObjects = others.some((event) => kindOf(event) === UNKNOWN && isObject(event.data));
  for (const event of others) {
    const isText = hasObjects && typeof event.data === 'string';
    const kind = isText && kindOf(event) === UNKNOWN ? TEXT : kindOf(event);
    const tree = kinds.get(kind) ?? valueTree();
    kinds.set(kind, tree);
    tree.add(event.data);
  }
  const joined: (readonly [string, unknown])[] = [...kinds].map(([kind, tree]) => [
    kind,
    tree.value(),
  ]);
  if (documents.length > 0)
    joined.push(['documents', documents.length === 1 ? documents[0] : documents]);
  const [only] = joined;
  if (!only) return null;
  return joined.length === 1 && isObject(only[1]) ? only[1] : Object.fromEntries(joined);
}

/** The kind of events that name none, and of texts between such events. */
const UNKNOWN = 'events';
const TEXT = 'text';

/** Members that usually name the kind of an event. Long values are content instead. */
const KIND_MEMBERS = ['type', 'event', 'kind', 'object'];
const MAX_KIND_LENGTH = 100;

function kindOf({ name, data }: StreamEvent): string {
  const members = KIND_MEMBERS.map((member) => field(data, member));
  const isKind = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= MAX_KIND_LENGTH;
  const kind = members.find(isKind);
  const words = new Set([name, kind].filter((word) => word !== null && word !== undefined));
  return [...words].join(' ') || UNKNOWN;
}
