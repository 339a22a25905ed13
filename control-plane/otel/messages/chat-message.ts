import { storable } from '../attributes.ts';
import type { Json } from '../attributes.ts';

/** One message of a conversation, in the same form for all instrumentations. */
export interface Message {
  role: string;
  content: string;
  reasoning?: string;
  tool_calls?: ToolCall[];
}

export interface ToolCall {
  id?: string;
  name: string;
  arguments: Json;
}

const MAX_LENGTH = 1_000_000;

/**
 * Returns a preview of messages: the text of a single message with the expected role, or else
 * compact JSON with sorted members, so that it hashes like a chat prompt with the same messages.
 */
export function preview(messages: readonly Message[], role: 'user' | 'assistant'): string {
  const [first, ...others] = messages;
  if (!first) return '';
  const isPlain = others.length === 0 && first.role === role && !first.tool_calls;
  const text =
    isPlain && first.reasoning === undefined ? first.content : JSON.stringify(messages.map(sorted));
  return shortened(text);
}

/** Makes text storable, and truncates it if it is too long. */
export const shortened = (text: string): string => storable(text.slice(0, MAX_LENGTH));

const sorted = ({ content, reasoning, role, tool_calls }: Message) => ({
  content,
  ...(reasoning !== undefined && { reasoning }),
  role,
  ...(tool_calls && { tool_calls }),
});
