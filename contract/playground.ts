import { z } from 'zod';
import { count } from './fields.ts';
import { promptContent } from './prompt-content.ts';
import { routes } from './route.ts';

/**
 * The maximum length in characters after variables are filled in, which a short prompt can repeat
 * any number of times.
 */
export const MAX_PROMPT_LENGTH = 2_000_000;

const penalty = z.number().min(-2).max(2).nullish();

/** The config of a stored prompt. Other members are reported and not sent. */
export const playgroundConfig = z.looseObject({
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
  tools: z.array(z.record(z.string(), z.unknown())).max(200).nullish().meta({
    description: "in OpenAI's form, which is converted for Anthropic, or the provider's own",
  }),
  response_format: z
    .looseObject({ type: z.string().min(1) })
    .nullish()
    .meta({ description: "in OpenAI's form: type `text`, `json_object` or `json_schema`" }),
});

const variant = {
  content: promptContent.meta({
    description: `at most ${MAX_PROMPT_LENGTH} characters in all messages, with variables filled in`,
  }),
  config: playgroundConfig.prefault({}),
  variables: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({ description: 'values for {{ name }} placeholders' }),
};

/** A tool call that the model requested. The playground calls no tools. */
export const toolCall = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.string().meta({ description: 'JSON, as the model wrote it' }),
});
export type PlaygroundToolCall = z.output<typeof toolCall>;

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
  tool_calls: z
    .array(toolCall)
    .meta({ description: 'tools that the model wants to be called', examples: [[]] }),
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

/** The events of a stream: parts of the output, then the complete result or an error. */
const playgroundEvent = z.union([
  result,
  z.strictObject({ delta: z.string() }),
  z.strictObject({ error: z.string(), reason: z.string() }),
]);
export type PlaygroundEvent = z.output<typeof playgroundEvent>;

const common = { auth: 'session', role: 'analyst', errors: 'text', method: 'POST' } as const;

const provider = z.object({
  provider: z.enum(['openai', 'anthropic']),
  host: z.string().meta({ description: 'host of the address that requests are sent to' }),
  problem: z
    .string()
    .nullable()
    .meta({ description: 'why nothing can be run, naming the setting; null if configured' }),
  models: z
    .array(z.string())
    .meta({ description: 'models that the provider lists; others may work, too' }),
  models_problem: z
    .string()
    .nullable()
    .meta({ description: 'why the provider listed no models, such as a rejected key' }),
});
export type PlaygroundProvider = z.output<typeof provider>;

export const playgroundRoutes = routes({
  getPlaygroundProvider: {
    ...common,
    method: 'GET',
    path: '/api/v1/prompts/playground/',
    summary: 'The model provider that prompts are run on, and its models',
    response: provider,
  },
  runPlayground: {
    ...common,
    path: '/api/v1/prompts/playground/',
    summary: 'Run a prompt on a model; with `stream`, the output arrives as server-sent events',
    errorStatuses: [404, 502, 504],
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
    events: playgroundEvent,
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
