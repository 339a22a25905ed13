import { z } from 'zod';
import { datasetPath, itemInput, reading, writing } from './datasets.ts';
import { evaluatorList, evaluatorScore } from './evaluators.ts';
import { count, jsonObject, jsonOf, jsonStrings, page, paging, timestamp } from './fields.ts';
import { toolCall } from './playground.ts';
import { promptContent } from './prompt-content.ts';
import { routes } from './route.ts';

export const MAX_CONCURRENCY = 10;
/** The maximum number of experiments of a tenant that run at the same time. */
export const MAX_RUNNING = 5;

export const experimentStatus = z.enum(['running', 'completed', 'cancelled']);
const resultStatus = z.enum(['pending', 'completed', 'failed']);

const milliseconds = z.number().min(0).nullable();

const summary = {
  id: z.string(),
  dataset_id: z.string(),
  name: z.string(),
  status: experimentStatus,
  prompt_id: z.string().nullable().meta({ description: 'null: the prompt was given inline' }),
  prompt_name: z.string().nullable(),
  prompt_version: z.int().min(1).nullable(),
  model: z.string(),
  item_count: count,
  completed_count: count.meta({ description: 'items with an output' }),
  failed_count: count.meta({ description: 'items without one, because of an error' }),
  avg_latency_ms: milliseconds.meta({ description: 'average over items with an output' }),
  tokens_in: z.number().min(0),
  tokens_out: z.number().min(0),
  cost: z.number().meta({ description: 'USD, for the outputs' }),
  evaluation_cost: z.number().meta({ description: 'USD, for model judges' }),
  scores: z
    .array(
      z.object({
        name: z.string(),
        count: count.meta({ description: 'items with a score' }),
        avg: z.number().nullable().meta({ description: 'null without a score' }),
        error_count: count.meta({ description: 'items that the evaluator could not score' }),
      }),
    )
    .meta({ description: 'one for each evaluator, in its order' }),
  created_by: z.string().meta({ description: 'email of the creator' }),
  created_at: timestamp,
  completed_at: timestamp.nullable(),
};
const listedExperiment = z.object(summary);
const namedExperiment = z.object({ id: summary.id, name: summary.name });

export const experiment = z.object({
  ...summary,
  content: jsonOf(promptContent)
    .nullable()
    .meta({ description: 'null: the messages of each item are sent as they are' }),
  config: jsonObject,
  evaluators: jsonOf(evaluatorList),
  concurrency: count,
});

const listedResult = z.object({
  item_id: z.string(),
  position: z.int(),
  status: resultStatus,
  input_preview: z.string(),
  expected_preview: z.string().nullable(),
  output_preview: z.string(),
  latency_ms: count.nullable(),
  tokens_in: count,
  tokens_out: count,
  cost: z.number().meta({ description: 'USD' }),
  evaluation_cost: z.number().meta({ description: 'USD' }),
  error: z.string().nullable().meta({ description: 'why there is no output' }),
  scores: z.array(evaluatorScore),
  completed_at: timestamp.nullable(),
});
export type ListedResult = z.output<typeof listedResult>;

const result = listedResult.extend({
  input: jsonOf(itemInput).meta({ description: 'as of the start of the experiment' }),
  expected_output: jsonOf(z.unknown()).nullable(),
  output: z.string(),
  tool_calls: jsonOf(z.array(toolCall)),
  missing_variables: jsonStrings,
  ignored_settings: jsonStrings,
});

const comparedItem = z.object({
  item_id: z.string(),
  position: z.int(),
  differs: z.boolean().meta({
    description:
      'the item was changed between the two experiments: input or expected output differ',
  }),
  a: listedResult.nullable().meta({ description: 'null: not an item of this experiment' }),
  b: listedResult.nullable(),
});

const BASE = '/api/v1/datasets/{dataset_id}/experiments/';
const experimentPath = datasetPath.extend({ experiment_id: z.string() });
const nothing = { status: 204, response: z.undefined() } as const;

const onePrompt = z.refine<{
  prompt_id?: string | undefined;
  prompt_version?: number | undefined;
  content?: unknown;
}>(
  ({ prompt_id, prompt_version, content }) =>
    (prompt_id === undefined) === (prompt_version === undefined) &&
    (prompt_id === undefined || (content ?? null) === null),
  {
    path: ['prompt_id'],
    error: 'expected `prompt_id` with `prompt_version`, or `content`, or none of them',
  },
);

export const experimentRoutes = routes({
  listExperiments: {
    ...reading,
    method: 'GET',
    path: BASE,
    summary: 'List the experiments of a dataset with their averages, newest first',
    params: datasetPath,
    query: z.object(paging),
    response: page(listedExperiment),
  },
  listExperimentNames: {
    ...reading,
    method: 'GET',
    path: `${BASE}names/`,
    summary: 'List the ids and names of the experiments of a dataset, newest first',
    params: datasetPath,
    query: z.object(paging),
    response: page(namedExperiment),
  },
  startExperiment: {
    ...writing,
    method: 'POST',
    path: BASE,
    summary: 'Run a prompt and a model over all items of a dataset, in the background',
    params: datasetPath,
    body: z
      .strictObject({
        name: z.string().trim().min(1, 'expected a name').max(200),
        prompt_id: z.string().optional(),
        prompt_version: z.int().min(1).optional(),
        content: promptContent.nullish().meta({
          description:
            'an inline prompt instead of a stored one; without either, the messages of each item are sent as they are',
        }),
        config: z.record(z.string(), z.unknown()).default({}).meta({
          description: 'as in the playground; merged over the config of the prompt version',
        }),
        evaluators: evaluatorList.default([]),
        concurrency: z
          .int()
          .min(1)
          .max(MAX_CONCURRENCY)
          .default(4)
          .meta({ description: 'number of items that run at the same time' }),
      })
      .check(onePrompt)
      .meta({
        examples: [
          {
            name: 'shorter answers',
            content: 'Answer in one word: {{question}}',
            config: { model: 'gpt-4o-mini', temperature: 0 },
            evaluators: [{ type: 'contains', name: 'has the answer', ignore_case: true }],
          },
        ],
      }),
    status: 201,
    response: experiment,
  },
  getExperiment: {
    ...reading,
    method: 'GET',
    path: `${BASE}{experiment_id}/`,
    summary: 'One experiment with its progress and averages',
    params: experimentPath,
    response: experiment,
  },
  cancelExperiment: {
    ...writing,
    method: 'POST',
    path: `${BASE}{experiment_id}/cancel/`,
    summary: 'Cancel an experiment: items without a result are not run any more',
    params: experimentPath,
    response: experiment,
  },
  retryExperiment: {
    ...writing,
    method: 'POST',
    path: `${BASE}{experiment_id}/retry/`,
    summary:
      'Run the items of an experiment that have no output again, and judge again where a judge failed; costs add up',
    params: experimentPath,
    response: experiment,
  },
  deleteExperiment: {
    ...writing,
    ...nothing,
    method: 'DELETE',
    path: `${BASE}{experiment_id}/`,
    summary: 'Delete an experiment with its results, permanently',
    params: experimentPath,
  },
  listExperimentResults: {
    ...reading,
    method: 'GET',
    path: `${BASE}{experiment_id}/results/`,
    summary: 'List the results of an experiment, item by item; texts are cut to 500 characters',
    params: experimentPath,
    query: z.object({ ...paging, status: resultStatus.optional() }),
    response: page(listedResult),
  },
  getExperimentResult: {
    ...reading,
    method: 'GET',
    path: `${BASE}{experiment_id}/results/{item_id}/`,
    summary: 'The result of one item in full',
    params: experimentPath.extend({ item_id: z.string() }),
    response: result,
  },
  compareExperiments: {
    ...reading,
    method: 'GET',
    path: `${BASE}{experiment_id}/comparison/`,
    summary: 'Two experiments of a dataset, item by item',
    params: experimentPath,
    query: z.object({
      ...paging,
      other: z.string().meta({ description: 'id of the experiment to compare with' }),
    }),
    response: page(comparedItem),
  },
});
