import type { StreamEvent } from './api.ts';
import { joinByPath } from './join-by-path.ts';
import { field, setMember, textOf } from './json-fields.ts';

const textEvent = /^(text|reasoning)-(?:start|delta|end)$/;
const toolEvent = /^tool-(?:input|output)-/;

/**
 * The message that a UI message stream of the AI SDK forms: its parts in order, and all other
 * events. Deltas belong to the part with their id. Null for other streams. Facts from
 * https://github.com/vercel/ai/blob/014f443/packages/ai/src/ui-message-stream/ui-message-chunks.ts
 */
export function joinAiSdkStream(events: readonly StreamEvent[]): object | null {
  if (!events.some(isDelta)) return null;
  const parts = new Map<string, Record<string, unknown>>();
  const others: StreamEvent[] = [];
  const partOf = (type: string, member: string, id: string): Record<string, unknown> => {
    const key = JSON.stringify([type, id]);
    const part = parts.get(key) ?? { type, ...(id !== '' && { [member]: id }) };
    parts.set(key, part);
    return part;
  };
  for (const event of events) {
    const type = typeOf(event);
    const kind = textEvent.exec(type)?.[1];
    const callId = field(event.data, 'toolCallId');
    if (kind !== undefined) addText(partOf(kind, 'id', idOf(event)), event.data);
    else if (toolEvent.test(type) && typeof callId === 'string')
      addToCall(partOf('tool', 'toolCallId', callId), event.data);
    else others.push(event);
  }
  const rest = joinByPath(others);
  return { parts: [...parts.values()], ...(rest && { events: rest }) };
}

const typeOf = ({ data }: StreamEvent): string => textOf(field(data, 'type')) ?? '';

function idOf({ data }: StreamEvent): string {
  const id = field(data, 'id');
  return typeof id === 'string' ? id : '';
}

const isDelta = (event: StreamEvent): boolean =>
  (textEvent.test(typeOf(event)) &&
    typeof field(event.data, 'id') === 'string' &&
    typeof field(event.data, 'delta') === 'string') ||
  typeof field(event.data, 'inputTextDelta') === 'string';

function addText(part: Record<string, unknown>, data: unknown): void {
  const delta = field(data, 'delta');
  if (typeof delta === 'string') part['text'] = textSoFar(part['text']) + delta;
}

/** The input arrives in pieces and then, unless the stream is cut, as a whole. */
function addToCall(part: Record<string, unknown>, data: unknown): void {
  const piece = field(data, 'inputTextDelta');
  if (typeof piece === 'string') part['input'] = textSoFar(part['input']) + piece;
  else
    for (const [name, value] of Object.entries(data as object))
      if (name !== 'type') setMember(part, name, value);
}

const textSoFar = (known: unknown): string => (typeof known === 'string' ? known : '');
