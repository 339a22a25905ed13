import { compilePrompt } from '#contract/prompt-template.ts';

export interface ChatMessage {
  role: 'system' | 'developer' | 'user' | 'assistant';
  content: string | { type: string; [field: string]: unknown }[];
  name?: string;
}
export type PromptContent = string | ChatMessage[];

/** A text prompt has a string as content, a chat prompt its messages. */
export interface Prompt<C extends PromptContent = PromptContent> {
  name: string;
  /** 0 for a fallback. */
  version: number;
  promptType: 'text' | 'chat';
  content: C;
  config: Record<string, unknown>;
  labels: string[];
  /** With the prompt given to `recordCall`, the call counts towards this version's metrics. */
  contentHash: string;
  /** The content with the variables put in. A variable without a value stays as it is. */
  compile(variables?: Record<string, unknown>): C;
  /** The variables of the content that are not among these. */
  missingVariables(variables?: Record<string, unknown>): string[];
}

export interface PromptQuery {
  /** The version that this label points to. */
  label?: string;
  /** Wins over `label`. Without either: the newest version. */
  version?: number;
  /** Used when the prompt cannot be had: there is none, the server is away, observation is off. */
  fallback?: PromptContent;
}

export type GetPrompt = (name: string, query?: PromptQuery) => Promise<Prompt>;

/** A prompt could not be had, and no fallback was given. */
export class PromptError extends Error {
  /** 404 when there is no such prompt, version or label; undefined without an answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.name = 'PromptError';
    this.status = status;
  }
}

type PromptFields = Omit<Prompt, 'compile' | 'missingVariables' | 'promptType'>;

const withTemplate = (fields: PromptFields): Prompt => ({
  ...fields,
  promptType: typeof fields.content === 'string' ? 'text' : 'chat',
  compile: (variables) => compile(fields.content, variables).content,
  missingVariables: (variables) => compile(fields.content, variables).missing_variables,
});

const compile = (content: PromptContent, variables: Record<string, unknown> | undefined) =>
  compilePrompt(content, variables);

/** What the server answered. */
export function promptOf(body: unknown): Prompt {
  const { name, version, content, config, labels, content_hash } = body as Record<string, unknown>;
  if (typeof content !== 'string' && !Array.isArray(content))
    throw new PromptError('the server answered something that is no prompt');
  return withTemplate({
    name: String(name),
    version: Number(version),
    content: content as PromptContent,
    config: (config ?? {}) as Record<string, unknown>,
    labels: (labels ?? []) as string[],
    contentHash: typeof content_hash === 'string' ? content_hash : '',
  });
}

export const fallbackOf = (name: string, content: PromptContent): Prompt =>
  withTemplate({ name, version: 0, content, config: {}, labels: [], contentHash: '' });
