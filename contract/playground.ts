import { z } from 'zod';
import { count } from './fields.ts';
import { promptContent } from './prompt-content.ts';
import { routes } from './route.ts';

/** In characters, with its variables, which a short prompt can repeat without end. */
export const LONGEST_PROMPT = 2_000_000;

const penalty = z.number().min(-2).max(2).nullish();

/** A stored prompt's config as it is: other members than these are named, not sent. */
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
    description: `at most ${LONGEST_PROMPT} characters with its variables, all messages together`,
  }),
  config: playgroundConfig.prefault({}),
  variables: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({ description: 'put in the place of {{ name }}' }),
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
    .meta({ description: 'of the config, what the model was not told', examples: [['top_k']] }),
});
export type PlaygroundResult = z.output<typeof result>;

const comparedResult = result.extend({
  error: z
    .string()
    .nullable()
    .meta({
      description: 'why this variant has no output; the others are not lost',
      examples: [null],
    }),
});
export type ComparedResult = z.output<typeof comparedResult>;

/** While it streams: pieces of the output, last the whole result, or instead what went wrong. */
const playgroundEvent = z.union([
  result,
  z.strictObject({ delta: z.string() }),
  z.strictObject({ error: z.string() }),
]);
export type PlaygroundEvent = z.output<typeof playgroundEvent>;

const trying = { auth: 'session', role: 'analyst', errors: 'text', method: 'POST' } as const;

export const playgroundRoutes = routes({
  runPlayground: {
    ...trying,
    path: '/api/v1/prompts/playground/',
    summary: 'Ask a model; with `stream` the answer arrives as server-sent events',
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
    ...trying,
    path: '/api/v1/prompts/playground/compare/',
    summary: 'Ask several models or with several prompts at once',
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
      results: z
        .array(comparedResult)
        .meta({ description: 'one for each variant, in their order' }),
    }),
  },
});
export type Variant = z.output<
  (typeof playgroundRoutes)['comparePlayground']['body']
>['variants'][number];
