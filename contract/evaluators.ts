import { z } from 'zod';

export const MAX_EVALUATORS = 10;

const name = z.string().trim().min(1, 'expected a name').max(100);
const ignore_case = z.boolean().default(false);

const exactMatch = z.strictObject({ type: z.literal('exact_match'), name, ignore_case });

const contains = z.strictObject({
  type: z.literal('contains'),
  name,
  text: z
    .string()
    .trim()
    .min(1, 'expected a text that is not blank')
    .max(10_000)
    .nullish()
    .meta({ description: 'what the output must contain; default: the expected output' }),
  ignore_case,
});

const regex = z.strictObject({
  type: z.literal('regex'),
  name,
  pattern: z.string().min(1).max(500).meta({
    description: 'a regular expression in RE2 syntax that matches somewhere in the output',
  }),
});

const jsonEqual = z.strictObject({ type: z.literal('json_equal'), name });

/** The maximum length of a schema as JSON. */
export const MAX_SCHEMA_CHARACTERS = 50_000;

const jsonSchema = z.strictObject({
  type: z.literal('json_schema'),
  name,
  schema: z
    .union([z.boolean(), z.record(z.string(), z.unknown())], {
      error: 'expected a JSON Schema: an object, true or false',
    })
    .refine((schema) => JSON.stringify(schema).length <= MAX_SCHEMA_CHARACTERS, {
      error: `expected a schema of at most ${MAX_SCHEMA_CHARACTERS} characters of JSON`,
    })
    .meta({
      description:
        'a JSON Schema, draft 2020-12: the output must be JSON that is valid against it; patterns are in RE2 syntax, and a `$ref` refers to a place within the schema',
    }),
});

export const judge = z.strictObject({
  type: z.literal('llm_judge'),
  name,
  prompt: z.string().min(1).max(100_000).meta({
    description:
      'contains {{output}}, and {{input}} and {{expected}} where they are needed; no other placeholders',
  }),
  model: z.string().min(1).max(200),
  scale: z
    .enum(['score', 'pass_fail'])
    .default('score')
    .meta({ description: 'the model answers a number between 0 and 1, or pass or fail' }),
  temperature: z.number().min(0).max(2).default(0),
  max_tokens: z.int().min(1).max(100_000).default(1024),
});
export type Judge = z.output<typeof judge>;

/** Scores one output. The score is between 0 and 1. Evaluators that pass or fail give 1 or 0. */
export const evaluator = z.discriminatedUnion('type', [
  exactMatch,
  contains,
  regex,
  jsonEqual,
  jsonSchema,
  judge,
]);
export type Evaluator = z.output<typeof evaluator>;

export const evaluatorList = z
  .array(evaluator)
  .max(MAX_EVALUATORS)
  .refine((list) => new Set(list.map((one) => one.name)).size === list.length, {
    error: 'expected a different name for each evaluator',
  });

/** The result of an evaluator for one output. */
export const evaluatorScore = z.object({
  name: z.string().meta({ description: 'name of the evaluator' }),
  value: z.number().nullable().meta({ description: '0 to 1; null if there is an error' }),
  passed: z
    .boolean()
    .nullable()
    .meta({ description: 'null if the evaluator gives a number, or has an error' }),
  reason: z.string().nullable(),
  error: z.string().nullable().meta({
    description: 'why there is no score, such as an unusable response of the judge model',
  }),
});
export type EvaluatorScore = z.output<typeof evaluatorScore>;
