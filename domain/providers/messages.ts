import type { ToolCall } from './exchange.ts';
import { field, isObject, joinedOf, listOf, textOf } from './json-fields.ts';

/** The text of a message content: a string, or the text parts of a list. */
export function textOfContent(content: unknown, divider = '\n'): string | null {
  if (typeof content === 'string') return textOf(content);
  const parts = isObject(content) ? [content] : listOf(content);
  return joinedOf(
    parts.map((part) => textOf(part) ?? textOf(field(part, 'text'))),
    divider,
  );
}

/** The last user message that has text. Tool results, which have the same role, have none. */
export function lastUserText(messages: unknown, content = 'content'): string | null {
  if (typeof messages === 'string') return textOf(messages);
  for (const message of listOf(messages).toReversed()) {
    const text = isUserMessage(message) ? textOfContent(field(message, content)) : null;
    if (text !== null) return text;
  }
  return null;
}

const isUserMessage = (message: unknown): boolean => {
  const role = field(message, 'role');
  return role === 'user' || (role === undefined && isObject(message) && !('type' in message));
};

/** The names of the offered tools, found at one of these paths of each tool. */
export const namesOf = (tools: unknown, ...paths: readonly string[]): string[] =>
  listOf(tools).flatMap((tool) => {
    const names = paths.map((path) => textOf(field(tool, ...path.split('.'))));
    return names.find((name) => name !== null) ?? [];
  });

export const toolCall = (name: unknown, args: unknown, id: unknown): ToolCall => ({
  name: textOf(name) ?? '',
  arguments: typeof args === 'string' ? args : (JSON.stringify(args ?? undefined) ?? null),
  id: textOf(id),
});
