import { z } from 'zod';

const text = z.string().min(1).max(1_000_000);

const textPart = z.strictObject({ type: z.literal('text'), text });

/** Images and other provider-specific parts, which are passed through unchanged. */
const otherPart = z.looseObject({
  type: z
    .string()
    .min(1)
    .max(100)
    .refine((type) => type !== 'text', 'a text part has `type` and `text`'),
});

const messageRoles = ['system', 'developer', 'user', 'assistant'] as const;

export const chatMessage = z.strictObject({
  role: z.enum(messageRoles),
  content: z.union(
    [
      text,
      z
        .array(z.union([textPart, otherPart]))
        .min(1)
        .max(1000),
    ],
    {
      error: 'expected some text, or an array of parts that each name their `type`',
    },
  ),
  name: z.string().min(1).max(200).optional(),
});
export type ChatMessage = z.output<typeof chatMessage>;

export const chatContent = z.array(chatMessage).min(1).max(1000);

/** A text, or the messages of a chat. Errors refer to the type of the input. */
export const promptContent = z.union([text, chatContent], {
  error: ({ input }) => {
    if (input === undefined) return 'is required';
    const schema = Array.isArray(input) ? chatContent : text;
    const issue = schema.safeParse(input).error?.issues[0];
    if (!issue || typeof input === 'number') return 'expected text or an array of chat messages';
    const [message, ...within] = issue.path;
    if (message === undefined) return issue.message;
    return [`message ${String(message)}`, ...within.map(String), issue.message].join(': ');
  },
});
export type PromptContent = z.output<typeof promptContent>;

export const promptType = z.enum(['text', 'chat']);
export type PromptType = z.output<typeof promptType>;

/** The default model settings. Other members are stored as well. */
export const promptConfig = z.looseObject({
  model: z.string().min(1).max(200).optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().min(1).max(1_000_000).optional(),
});
