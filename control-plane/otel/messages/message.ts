import { storable } from '../attributes.ts';
import type { Json } from '../attributes.ts';

/** One message of a conversation, whatever instrumentation told of it. */
export interface Message {
  role: string;
  content: string;
  reasoning?: string;
  tool_calls?: ToolCall[];
}

export type ToolCall = { id?: string; name: string; arguments: Json };

const LONGEST = 1_000_000;

/**
 * What is shown of messages: the text of a single one in the expected role, else JSON. Its members
 * are sorted and it has no spaces, so that it hashes as a chat prompt of the same messages does.
 */
export function preview(messages: readonly Message[], role: 'user' | 'assistant'): string {
  const [first, ...others] = messages;
  if (!first) return '';
  const isPlain = others.length === 0 && first.role === role && !first.tool_calls;
  const text =
    isPlain && first.reasoning === undefined ? first.content : JSON.stringify(messages.map(sorted));
  return shortened(text);
}

/** Text as it can be stored, cut where it is too long. */
export const shortened = (text: string): string => storable(text.slice(0, LONGEST));

const sorted = ({ content, reasoning, role, tool_calls }: Message) => ({
  content,
  ...(reasoning !== undefined && { reasoning }),
  role,
  ...(tool_calls && { tool_calls }),
});
