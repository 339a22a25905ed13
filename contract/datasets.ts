import { z } from 'zod';
import { count, jsonObject, jsonOf, page, paging, timestamp } from './fields.ts';
import { chatContent } from './prompt-content.ts';
import { routes } from './route.ts';

export const MAX_ITEMS = 10_000;
export const MAX_ITEMS_ADDED = 1000;
/** The maximum size of an item as JSON: its input, expected output and metadata together. */
export const MAX_ITEM_BYTES = 100_000;
/** The maximum size of a dataset, which limits the time to copy its items for an experiment. */
export const MAX_DATASET_BYTES = 50_000_000;

const variables = z.record(z.string(), z.unknown());

/** Variables for a prompt, or the messages of a chat. Errors refer to the type of the input. */
export const itemInput = z
  .union([chatContent, variables], {
    error: ({ input }) => {
      if (input === undefined) return 'is required';
      const issue = Array.isArray(input) && chatContent.safeParse(input).error?.issues[0];
      if (!issue) return 'expected an object with variables, or an array of chat messages';
      const [message, ...within] = issue.path;
      if (message === undefined) return issue.message;
      return [`message ${String(message)}`, ...within.map(String), issue.message].join(': ');
    },
  })
  .meta({ description: 'variables for a prompt, or the messages of a chat' });
export type ItemInput = z.output<typeof itemInput>;

const expectedOutput = z
  .unknown()
  .meta({ description: 'text or JSON; null or left out: none is expected' });

const llmCallId = z.int().min(1).meta({ description: 'the LLM call that the item was made from' });

export const newItem = z.strictObject({
  input: itemInput,
  expected_output: expectedOutput.optional(),
  metadata: z.record(z.string(), z.unknown()).default({}),
  llm_call_id: llmCallId.nullish(),
});

const name = z.string().trim().min(1, 'expected a name').max(200);
const description = z.string().max(10_000);

const dataset = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  item_count: count.meta({ description: 'without archived items' }),
  archived_count: count.meta({ description: 'archived items' }),
  experiment_count: count,
  created_by: z.string().meta({ description: 'email of the creator' }),
  created_at: timestamp,
  updated_at: timestamp,
});

const listedItem = z.object({
  id: z.string(),
  position: z.int().meta({ description: 'items are in the order in which they were added' }),
  input_preview: z.string().meta({ description: 'the beginning of the input as text' }),
  expected_preview: z
    .string()
    .nullable()
    .meta({ description: 'the beginning of the expected output as text; null: none' }),
  llm_call_id: llmCallId.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  archived_at: timestamp.nullable().meta({ description: 'experiments leave archived items out' }),
});

const item = listedItem.extend({
  dataset_id: z.string(),
  input: jsonOf(itemInput),
  expected_output: jsonOf(z.unknown()).nullable(),
  metadata: jsonObject,
});

const BASE = '/api/v1/datasets/';
/** Access for people with their role, and for programs with the permission `admin`. */
export const reading = { auth: 'admin', role: 'viewer', errors: 'text' } as const;
export const writing = { auth: 'admin', role: 'analyst', errors: 'text' } as const;
export const datasetPath = z.object({ dataset_id: z.string() });
const itemPath = datasetPath.extend({ item_id: z.string() });

export const datasetRoutes = routes({
  listDatasets: {
    ...reading,
    method: 'GET',
    path: BASE,
    summary: 'List datasets, last changed first',
    query: z.object(paging),
    response: page(dataset),
  },
  createDataset: {
    ...writing,
    method: 'POST',
    path: BASE,
    summary: 'Create a dataset without items',
    body: z
      .strictObject({ name, description: description.default('') })
      .meta({ examples: [{ name: 'support-questions', description: 'Real questions of May' }] }),
    status: 201,
    response: dataset,
  },
  getDataset: {
    ...reading,
    method: 'GET',
    path: `${BASE}{dataset_id}/`,
    summary: 'One dataset',
    params: datasetPath,
    response: dataset,
  },
  updateDataset: {
    ...writing,
    method: 'PATCH',
    path: `${BASE}{dataset_id}/`,
    summary: 'Change the name or the description of a dataset',
    params: datasetPath,
    body: z.strictObject({ name: name.optional(), description: description.optional() }),
    response: dataset,
  },
  deleteDataset: {
    ...writing,
    method: 'DELETE',
    path: `${BASE}{dataset_id}/`,
    summary: 'Delete a dataset with its items and experiments, permanently',
    params: datasetPath,
    status: 204,
    response: z.undefined(),
  },
  listDatasetItems: {
    ...reading,
    method: 'GET',
    path: `${BASE}{dataset_id}/items/`,
    summary: 'List the items of a dataset in their order; texts are cut to 500 characters',
    params: datasetPath,
    query: z.object({ ...paging, state: z.enum(['active', 'archived']).default('active') }),
    response: page(listedItem),
  },
  addDatasetItems: {
    ...writing,
    method: 'POST',
    path: `${BASE}{dataset_id}/items/`,
    summary: `Add items to a dataset, all or none: up to ${MAX_ITEMS_ADDED} at once, ${MAX_ITEMS} in total`,
    params: datasetPath,
    body: z.strictObject({ items: z.array(newItem).min(1).max(MAX_ITEMS_ADDED) }).meta({
      examples: [
        {
          items: [
            {
              input: { question: 'What is the capital of France?' },
              expected_output: 'Paris',
              metadata: { topic: 'geography' },
            },
          ],
        },
      ],
    }),
    status: 201,
    response: z.object({ item_ids: z.array(z.string()) }),
  },
  getDatasetItem: {
    ...reading,
    method: 'GET',
    path: `${BASE}{dataset_id}/items/{item_id}/`,
    summary: 'One item in full',
    params: itemPath,
    response: item,
  },
  updateDatasetItem: {
    ...writing,
    method: 'PATCH',
    path: `${BASE}{dataset_id}/items/{item_id}/`,
    summary: 'Change an item, archive it or restore it; experiments keep what they ran with',
    params: itemPath,
    body: z.strictObject({
      input: itemInput.optional(),
      expected_output: expectedOutput.optional(),
      metadata: z.record(z.string(), z.unknown()).optional(),
      archived: z.boolean().optional(),
    }),
    response: item,
  },
});
