import { compilePrompt } from '#contract/prompt-template.ts';

export interface ChatMessage {
  role: 'system' | 'developer' | 'user' | 'assistant';
  content: string | { type: string; [field: string]: unknown }[];
  name?: string;
}
export type PromptContent = string | ChatMessage[];

/**
 * A managed prompt. The content of a text prompt is a string, and that of a chat prompt its
 * messages.
 */
export interface Prompt<C extends PromptContent = PromptContent> {
  name: string;
  /** The version number; 0 for a fallback. */
  version: number;
  promptType: 'text' | 'chat';
  content: C;
  config: Record<string, unknown>;
  labels: string[];
  /** Assigns a call to this version's metrics, if the prompt is passed to `recordCall`. */
  contentHash: string;
  /** The content with variables replaced. Variables without a value stay unchanged. */
  compile(variables?: Record<string, unknown>): C;
  /** The variables of the content without a value. */
  missingVariables(variables?: Record<string, unknown>): string[];
}

export interface PromptQuery {
  /** Selects the version that this label points to. */
  label?: string;
  /** Selects a version. Takes precedence over `label`. Default: the newest version. */
  version?: number;
  /** Used if the prompt does not exist, the server is unavailable or the SDK is disabled. */
  fallback?: PromptContent;
}

export type GetPrompt = (name: string, query?: PromptQuery) => Promise<Prompt>;

/** A prompt could not be fetched, and there is no fallback. */
export class PromptError extends Error {
  /** 404 if the prompt, version or label does not exist. Undefined without a response. */
  readonly status: number | undefined;

  /** The control plane's reason, as listed in its docs/errors.md. Undefined without a response. */
  readonly reason: string | undefined;

  constructor(
    message: string,
    { status, reason }: Partial<Pick<PromptError, 'status' | 'reason'>> = {},
  ) {
    super(message);
    this.name = 'PromptError';
    this.status = status;
    this.reason = reason;
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

/** Creates the prompt from a response. */
export function promptOf(body: unknown): Prompt {
  const { name, version, content, config, labels, content_hash } = body as Record<string, unknown>;
  if (typeof content !== 'string' && !Array.isArray(content))
    throw new PromptError('the response of the server is not a prompt');
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
