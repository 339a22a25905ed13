import type { JoinedResult, Message, Part, ToolCallPart, ToolResultPart } from './model.ts';

/**
 * Moves each result into its call, found by id. Results without an id go to the first preceding
 * call without a result. Messages that end up without parts are dropped.
 */
export function joinTools(messages: readonly Message[]): Message[] {
  const results = new Map<ToolCallPart, JoinedResult>();
  const joined = new Set<Part>();
  const waiting: ToolCallPart[] = [];
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === 'tool_call') waiting.push(part);
    if (part.kind !== 'tool_result') continue;
    const at = waiting.findIndex((call) => belongs(part, call));
    const [call] = at === -1 ? [] : waiting.splice(at, 1);
    if (!call) continue;
    results.set(call, { ...part, by: part.id === null ? 'order' : 'id' });
    joined.add(part);
  }
  return messages.flatMap((message) => withResults(message, results, joined) ?? []);
}

function belongs(result: ToolResultPart, call: ToolCallPart): boolean {
  if (result.id !== null) return result.id === call.id;
  return result.name === null || result.name === call.name;
}

function withResults(
  message: Message,
  results: ReadonlyMap<ToolCallPart, JoinedResult>,
  joined: ReadonlySet<Part>,
): Message | undefined {
  const parts = message.parts
    .filter((part) => !joined.has(part))
    .map((part) => {
      const result = part.kind === 'tool_call' && results.get(part);
      return result ? { ...part, result } : part;
    });
  const isEmptied = parts.length === 0 && message.parts.length > 0;
  return isEmptied && message.rest === null ? undefined : { ...message, parts };
}
