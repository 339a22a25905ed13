import type { ChatMessage, PromptContent } from '../data/prompt-sources.ts';

type Role = ChatMessage['role'];
export const roles: readonly Role[] = ['system', 'developer', 'user', 'assistant'];

/** A message as it is edited. */
export interface MessageDraft {
  /** Tells messages apart while they are edited. */
  key: number;
  role: Role;
  text: string;
  /** What this form cannot edit stays as it is: parts that are no text, and names. */
  kept: ChatMessage | undefined;
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
        kept: isText(message) ? undefined : message,
      }));

export const contentOf = (draft: ContentDraft): PromptContent =>
  typeof draft === 'string'
    ? draft
    : draft.map(({ role, text, kept }) => {
        if (!kept) return { role, content: text };
        return { ...kept, role, ...(typeof kept.content === 'string' && { content: text }) };
      });

/** One more message, of the side whose turn it is. */
export function withMessage(messages: readonly MessageDraft[]): MessageDraft[] {
  const key = Math.max(-1, ...messages.map((message) => message.key)) + 1;
  const role = messages.at(-1)?.role === 'user' ? 'assistant' : 'user';
  return [...messages, { key, role, text: '', kept: undefined }];
}
