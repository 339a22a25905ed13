import { z } from 'zod';
import { count } from './fields.ts';
import { promptContent } from './prompt-content.ts';
import { routes } from './route.ts';

/**
 * In characters, after variables are filled in, which a short prompt can repeat any number of
 * times.
 */
export const LONGEST_PROMPT = 2_000_000;

const penalty = z.number().min(-2).max(2).nullish();

/** The config of a stored prompt; members other than these are reported, not sent. */
const playgroundConfig = z.looseObject({
  model: z.string().min(1).max(200).default('gpt-4o-mini'),
  temperature: z.number().min(0).max(2).default(0.7),
  max_tokens: z.int().min(1).max(1_000_000).default(1024),
  top_p: z.number().min(0).max(1).nullish(),
  stop: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(100)], {
      error: 'expected a text or an array of texts',
    })
    .nullish(),
  seed: z.int().nullish(),
  frequency_penalty: penalty,
  presence_penalty: penalty,
});

const variant = {
  content: promptContent.meta({
    description: `at most ${LONGEST_PROMPT} characters in all messages, with variables filled in`,
  }),
  config: playgroundConfig.prefault({}),
  variables: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({ description: 'values for {{ name }} placeholders' }),
};

const result = z.object({
  output: z.string().meta({ examples: ['Hello Ada!'] }),
  model: z.string(),
  tokens_in: count,
  tokens_out: count,
  cost: z.number().meta({ description: 'USD; 0 for a model without a known price' }),
  latency_ms: count.meta({ examples: [840] }),
  missing_variables: z.array(z.string()).meta({ examples: [[]] }),
  ignored_settings: z
    .array(z.string())
    .meta({ description: 'config members that were not sent to the model', examples: [['top_k']] }),
});
export type PlaygroundResult = z.output<typeof result>;

const comparedResult = result.extend({
  error: z
    .string()
    .nullable()
    .meta({
      description: 'why this variant has no output; other variants are not affected',
      examples: [null],
    }),
});
export type ComparedResult = z.output<typeof comparedResult>;

/** Events of a stream: deltas of the output, then the whole result, or an error. */
const playgroundEvent = z.union([
  result,
  z.strictObject({ delta: z.string() }),
  z.strictObject({ error: z.string() }),
]);
export type PlaygroundEvent = z.output<typeof playgroundEvent>;

const common = { auth: 'session', role: 'analyst', errors: 'text', method: 'POST' } as const;

export const playgroundRoutes = routes({
  runPlayground: {
    ...common,
    path: '/api/v1/prompts/playground/',
    summary: 'Run a prompt on a model; with `stream`, the output arrives as server-sent events',
    refuses: [404, 502, 504],
    body: z.strictObject({ ...variant, stream: z.boolean().default(false) }).meta({
      examples: [
        {
          content: 'Say hello to {{name}}.',
          variables: { name: 'Ada' },
          config: { model: 'gpt-4o-mini' },
        },
      ],
    }),
    response: result,
    streams: playgroundEvent,
  },
  comparePlayground: {
    ...common,
    path: '/api/v1/prompts/playground/compare/',
    summary: 'Run several prompts or models at once',
    body: z.strictObject({ variants: z.array(z.strictObject(variant)).min(1).max(10) }).meta({
      examples: [
        {
          variants: [
            { content: 'Say hello to {{name}}.', variables: { name: 'Ada' } },
            {
              content: 'Say hello to {{name}}.',
              variables: { name: 'Ada' },
              config: { model: 'gpt-4o', temperature: 0 },
            },
          ],
        },
      ],
    }),
    response: z.object({
      results: z.array(comparedResult).meta({ description: 'one per variant, in the same order' }),
    }),
  },
});
export type Variant = z.output<
  (typeof playgroundRoutes)['comparePlayground']['body']
>['variants'][number];
