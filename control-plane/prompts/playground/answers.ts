import { z } from 'zod';
import { describeIssues } from '#contract/errors.ts';

// Far beyond any real call, and far enough from the end of exact integers that sums stay exact.
const MOST_TOKENS = 1_000_000_000;

/** What is no count says as little as one that is not there. */
export const tokens = z.int().min(0).max(MOST_TOKENS).nullish().catch(0);

const missing: z.core.$ZodErrorMap = ({ input }) =>
  input === undefined ? 'is missing' : undefined;

const isText = (type: string): boolean => type === 'text' || type === 'output_text';

const textPart = z
  .object({ type: z.string().refine(isText).default('text'), text: z.string() })
  .transform(({ text }) => text);

/** Thoughts, calls of tools and whatever else is not said to whoever asked. */
const otherPart = z
  .object({ type: z.string().refine((type) => !isText(type)) })
  .transform(() => '');

/** What a model said: some servers answer it in parts. */
export const said = z.union(
  [z.string(), z.array(z.union([textPart, otherPart])).transform((parts) => parts.join(''))],
  {
    error: (issue) =>
      missing(issue) ?? 'expected a text, or an array of parts that each name their `type`',
  },
);

/** An error that arrived as if it were an answer. */
class ErrorAnswer extends Error {
  readonly status = 200;
  /** In the provider's words. */
  readonly error: unknown;

  constructor(error: unknown) {
    super(JSON.stringify(error));
    this.error = error;
  }
}

/** A provider's answer, or a piece of one: many servers speak what only resembles an API. */
export function readAnswer<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const { error: told } = (answer ?? {}) as { error?: unknown };
  if (told) throw new ErrorAnswer(told);
  const { success, data, error } = schema.safeParse(answer, { error: missing });
  if (success) return data;
  throw new Error(describeIssues(error, 'the answer'));
}

/** Where a stream was asked for, errors and servers that know no streams still answer whole. */
export const isWhole = ({ headers }: Response): boolean =>
  /^application\/json\b/i.test(headers.get('content-type') ?? '');
