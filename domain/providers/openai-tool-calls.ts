import { isObject, listOf, setMember, textOf } from './json-fields.ts';
import { mergeDelta } from './merge-delta.ts';

/**
 * Merges the tool calls of deltas into a message, by index. Google's compatible API gives parallel
 * calls the same index, so a different id starts another call.
 */
export function toolCallMerger(message: object): (calls: unknown) => void {
  const calls: object[] = [];
  const latest = new Map<unknown, object>();
  return (added) => {
    for (const piece of listOf(added)) {
      if (!isObject(piece)) continue;
      const { index, ...rest } = piece;
      const known = index === undefined ? calls.at(-1) : latest.get(index);
      const call = known && !isAnother(known, rest) ? known : {};
      if (call !== known) calls.push(call);
      latest.set(index, call);
      setMember(message, 'tool_calls', calls);
      mergeDelta(call, rest);
    }
  };
}

function isAnother(known: object, piece: { readonly [name: string]: unknown }): boolean {
  const id = textOf((known as { id?: unknown }).id);
  const added = textOf(piece['id']);
  return id !== null && added !== null && id !== added;
}
