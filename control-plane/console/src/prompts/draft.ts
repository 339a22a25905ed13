import type { ChatMessage, PromptContent } from '../data/prompt-sources.ts';

type Role = ChatMessage['role'];
export const roles: readonly Role[] = ['system', 'developer', 'user', 'assistant'];

/** Form state of a message. */
export interface MessageDraft {
  /** Identifies the message during editing. */
  key: number;
  role: Role;
  text: string;
  /** The stored message, if it has parts that the form cannot edit: non-text content or a name. */
  original: ChatMessage | undefined;
}

export type ContentDraft = string | MessageDraft[];

const isText = (message: ChatMessage) =>
  typeof message.content === 'string' && message.name === undefined;

export const draftOf = (content: PromptContent): ContentDraft =>
  typeof content === 'string'
    ? content
    : content.map((message, key) => ({
        key,
        role: message.role,
        text: typeof message.content === 'string' ? message.content : '',
        original: isText(message) ? undefined : message,
      }));

export const contentOf = (draft: ContentDraft): PromptContent =>
  typeof draft === 'string'
    ? draft
    : draft.map(({ role, text, original }) => {
        if (!original) return { role, content: text };
        return {
          ...original,
          role,
          ...(typeof original.content === 'string' && { content: text }),
        };
      });

/** Adds a message: an assistant message after a user message, otherwise a user message. */
export function withMessage(messages: readonly MessageDraft[]): MessageDraft[] {
  const key = Math.max(-1, ...messages.map((message) => message.key)) + 1;
  const role = messages.at(-1)?.role === 'user' ? 'assistant' : 'user';
  return [...messages, { key, role, text: '', original: undefined }];
}

/** Swaps a message with the previous one (−1) or the next one (1). */
export function withMoved(
  messages: readonly MessageDraft[],
  key: number,
  by: -1 | 1,
): MessageDraft[] {
  const at = messages.findIndex((message) => message.key === key);
  const [message, other] = [messages[at], messages[at + by]];
  if (!message || !other) return [...messages];
  return messages.with(at, other).with(at + by, message);
}
