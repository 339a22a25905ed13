import { z } from 'zod';
import { count, idParam, page, paging, timestamp } from './fields.ts';
import { routes } from './route.ts';
import { runStatus } from './run-list.ts';

export const MAX_QUEUE_SCORES = 20;
export const MAX_SCORE_VALUES = 50;
/** The maximum number of runs that one request can add. */
export const MAX_ADDED = 1000;

const scoreName = z.string().trim().min(1, 'expected a name').max(200);
/** A range of scores that exceeds any real one. */
const number = z.number().min(-1e15).max(1e15);
const category = z.string().trim().min(1, 'expected a value').max(200);

const configOf = {
  name: scoreName,
  description: z.string().max(1000).default('').meta({ description: 'shown beside the score' }),
  required: z.boolean().default(true).meta({ description: 'an item is not completed without it' }),
};

const numericConfig = z.strictObject({
  ...configOf,
  data_type: z.literal('numeric'),
  min: number.nullable().default(null),
  max: number.nullable().default(null),
});

const booleanConfig = z.strictObject({ ...configOf, data_type: z.literal('boolean') });

const categoricalConfig = z.strictObject({
  ...configOf,
  data_type: z.literal('categorical'),
  values: z
    .array(category)
    .min(1)
    .max(MAX_SCORE_VALUES)
    .meta({ description: 'in the order shown' }),
});

/** A score that reviewers give, with its possible values. */
export const scoreConfig = z.discriminatedUnion('data_type', [
  numericConfig,
  booleanConfig,
  categoricalConfig,
]);
export type ScoreConfig = z.output<typeof scoreConfig>;

const firstRepeated = (texts: readonly string[]): string | undefined =>
  texts.find((text, index) => texts.indexOf(text) !== index);

const scoreConfigs = z
  .array(scoreConfig)
  .min(1, 'expected at least one score')
  .max(MAX_QUEUE_SCORES)
  .check(
    z.superRefine<ScoreConfig[]>((configs, context) => {
      const problem = (index: number, field: string, message: string): void =>
        context.addIssue({ code: 'custom', path: [index, field], message });
      const repeated = firstRepeated(configs.map(({ name }) => name));
      if (repeated !== undefined)
        problem(
          configs.findLastIndex(({ name }) => name === repeated),
          'name',
          `expected each name once; "${repeated}" is there twice`,
        );
      configs.forEach((config, index) => {
        if (config.data_type === 'numeric' && (config.min ?? -Infinity) > (config.max ?? Infinity))
          problem(index, 'min', 'expected a number not above max');
        if (config.data_type !== 'categorical') return;
        const value = firstRepeated(config.values);
        if (value !== undefined)
          problem(index, 'values', `expected each value once; "${value}" is there twice`);
      });
    }),
  );

const progress = z.object({ pending: count, completed: count, skipped: count });
export type Progress = z.output<typeof progress>;

export const annotationQueue = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  scores: z.array(scoreConfig).meta({ description: 'what reviewers give, in the order shown' }),
  progress,
  created_at: timestamp,
  updated_at: timestamp,
});

export const itemStates = ['pending', 'completed', 'skipped'] as const;
const itemState = z.enum(itemStates);

export const annotationItem = z.object({
  run_id: z.int(),
  agent_name: z.string(),
  workflow_name: z.string(),
  run_status: runStatus,
  run_started_at: timestamp,
  status: itemState,
  reviewer: z.string().nullable().meta({
    description:
      'email of the user who completed, skipped or last claimed it; null: none, or deleted',
  }),
  claim_expires_at: timestamp.nullable().meta({
    description: 'until then, no other reviewer gets the item; null unless it is claimed',
  }),
  added_at: timestamp,
  done_at: timestamp.nullable().meta({ description: 'when it was completed or skipped' }),
  comment: z.string().nullable(),
});

const givenValue = z.union([number, category, z.boolean()], {
  error: 'expected a number between -1e15 and 1e15, a text of 1 to 200 characters or a boolean',
});

const givenScore = z.strictObject({
  name: scoreName,
  value: givenValue.meta({
    description: 'number for numeric, string for categorical, boolean for boolean',
  }),
});
export type GivenScore = z.output<typeof givenScore>;

const claimedItem = annotationItem.extend({
  scores: z.array(givenScore).meta({
    description: 'what was given before the item was reopened; completing it replaces them',
  }),
});

const BASE_PATH = '/api/v1/evaluations/annotation-queues/';
const reading = { auth: 'admin', role: 'viewer', errors: 'text' } as const;
const adding = { auth: 'admin', role: 'analyst', errors: 'text' } as const;
const managing = { auth: 'admin', role: 'admin', errors: 'text' } as const;
/** Only people can review, because the author of a score is their user. */
const reviewing = { auth: 'session', role: 'analyst', errors: 'text' } as const;

const queuePath = z.object({ queue_id: z.string() });
const itemPath = queuePath.extend({ run_id: idParam });

const name = z.string().trim().min(1, 'expected a name').max(200);
const description = z.string().max(2000);
const instructions = z
  .string()
  .max(20_000)
  .meta({ description: 'Markdown, shown to reviewers beside each run' });
const comment = z.string().max(100_000);

export const annotationQueueRoutes = routes({
  listAnnotationQueues: {
    ...reading,
    method: 'GET',
    path: BASE_PATH,
    summary: 'List annotation queues with their progress, by name',
    query: z.object(paging),
    response: page(annotationQueue),
  },
  createAnnotationQueue: {
    ...managing,
    method: 'POST',
    path: BASE_PATH,
    summary: 'Create an annotation queue',
    status: 201,
    body: z.strictObject({
      name,
      description: description.default(''),
      instructions: instructions.default(''),
      scores: scoreConfigs,
    }),
    response: annotationQueue,
  },
  getAnnotationQueue: {
    ...reading,
    method: 'GET',
    path: `${BASE_PATH}{queue_id}/`,
    summary: 'One annotation queue with its progress',
    params: queuePath,
    response: annotationQueue,
  },
  updateAnnotationQueue: {
    ...managing,
    method: 'PATCH',
    path: `${BASE_PATH}{queue_id}/`,
    summary: 'Change an annotation queue; scores that were given stay as they are',
    params: queuePath,
    body: z.strictObject({
      name: name.optional(),
      description: description.optional(),
      instructions: instructions.optional(),
      scores: scoreConfigs.optional(),
    }),
    response: annotationQueue,
  },
  deleteAnnotationQueue: {
    ...managing,
    method: 'DELETE',
    path: `${BASE_PATH}{queue_id}/`,
    summary: 'Delete an annotation queue with its items; the scores stay on the runs',
    params: queuePath,
    status: 204,
    response: z.undefined(),
  },
  listAnnotationItems: {
    ...reading,
    method: 'GET',
    path: `${BASE_PATH}{queue_id}/items/`,
    summary: 'List the runs in a queue, in the order they were added',
    params: queuePath,
    query: z.object({ ...paging, status: itemState.optional() }),
    response: page(annotationItem),
  },
  addAnnotationItems: {
    ...adding,
    method: 'POST',
    path: `${BASE_PATH}{queue_id}/items/`,
    summary: 'Add runs to a queue; a run is in a queue at most once',
    params: queuePath,
    body: z.strictObject({ run_ids: z.array(z.int().min(1)).min(1).max(MAX_ADDED) }),
    response: z.object({
      added: count,
      already_added: count,
      not_found: z.array(z.int()).meta({ description: 'ids without a run' }),
    }),
  },
  removeAnnotationItem: {
    ...adding,
    method: 'DELETE',
    path: `${BASE_PATH}{queue_id}/items/{run_id}/`,
    summary: 'Remove a run from a queue; its scores stay',
    params: itemPath,
    status: 204,
    response: z.undefined(),
  },
  claimAnnotationItem: {
    ...reviewing,
    method: 'POST',
    path: `${BASE_PATH}{queue_id}/claim/`,
    summary:
      'Claim the next pending item for half an hour: the one that the caller has claimed already, else the oldest that no other reviewer has',
    params: queuePath,
    response: z.object({
      item: claimedItem.nullable().meta({ description: 'null: nothing is left to claim' }),
      progress,
    }),
  },
  completeAnnotationItem: {
    ...reviewing,
    method: 'POST',
    path: `${BASE_PATH}{queue_id}/items/{run_id}/complete/`,
    summary: 'Store the scores of an item that the caller has claimed, and complete it',
    params: itemPath,
    body: z.strictObject({
      scores: z.array(givenScore).min(1, 'expected at least one score').max(MAX_QUEUE_SCORES),
      comment: comment.optional().meta({ description: 'also the comment of each score' }),
    }),
    response: annotationItem,
  },
  skipAnnotationItem: {
    ...reviewing,
    method: 'POST',
    path: `${BASE_PATH}{queue_id}/items/{run_id}/skip/`,
    summary: 'Skip an item that the caller has claimed: it is not offered again unless reopened',
    params: itemPath,
    response: annotationItem,
  },
  reopenAnnotationItem: {
    ...reviewing,
    method: 'POST',
    path: `${BASE_PATH}{queue_id}/items/{run_id}/reopen/`,
    summary: 'Make a completed or skipped item pending again, claimed by the caller',
    params: itemPath,
    response: claimedItem,
  },
});
