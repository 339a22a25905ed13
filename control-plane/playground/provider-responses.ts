import { z } from 'zod';
import { describeIssues } from '#contract/errors.ts';

// This is far beyond any real call, and low enough that sums are exact integers.
const MAX_TOKENS = 1_000_000_000;

/** A token count. Invalid counts are treated as missing. */
export const tokenCount = z.int().min(0).max(MAX_TOKENS).nullish().catch(0);

const missing: z.core.$ZodErrorMap = ({ input }) =>
  input === undefined ? 'is missing' : undefined;

const isText = (type: string): boolean => type === 'text' || type === 'output_text';

const textPart = z
  .object({ type: z.string().refine(isText).default('text'), text: z.string() })
  .transform(({ text }) => text);

/** Reasoning, tool calls and other parts that are not output text. */
const otherPart = z
  .object({ type: z.string().refine((type) => !isText(type)) })
  .transform(() => '');

/** The output text of a model, which some servers return in parts. */
export const outputText = z.union(
  [z.string(), z.array(z.union([textPart, otherPart])).transform((parts) => parts.join(''))],
  {
    error: (issue) =>
      missing(issue) ?? 'expected a text, or an array of parts that each name their `type`',
  },
);

/** An error of the provider that arrived with a success status. */
class ErrorResponse extends Error {
  readonly status = 200;
  /** As the provider reported it. */
  readonly error: unknown;

  constructor(error: unknown) {
    super(JSON.stringify(error));
    this.error = error;
  }
}

/**
 * Validates a response or chunk of a provider, because many servers are only roughly compatible
 * with an API.
 */
export function readProviderResponse<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const { error: reported } = (answer ?? {}) as { error?: unknown };
  if (reported) throw new ErrorResponse(reported);
  const { success, data, error } = schema.safeParse(answer, { error: missing });
  if (success) return data;
  throw new Error(describeIssues(error, 'the answer'));
}

/**
 * Whether the response is JSON rather than a stream, as it is for errors and for servers without
 * streaming.
 */
export const isJsonResponse = ({ headers }: Response): boolean =>
  /^application\/json\b/i.test(headers.get('content-type') ?? '');
