import { z } from 'zod';
import {
  count,
  idParam,
  jsonObject,
  jsonStrings,
  page,
  paging,
  period,
  timestamp,
  wholeNumber,
} from './fields.ts';
import { promptConfig, promptContent, promptType } from './prompt-content.ts';
import { routes } from './route.ts';

/** The name is also a path segment of the URL from which agents fetch the prompt. */
export const promptName = z
  .string()
  .max(200)
  .regex(
    /^(?!\.{1,2}$)(?! )[^/\\\p{Cc}]+(?<! )$/u,
    'expected 1 to 200 characters without slashes and control characters, not beginning or ending with a space',
  );

export const promptLabel = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
    'expected up to 100 letters, digits, dots, hyphens and underscores, the first a letter or digit',
  );

const version = z.int().min(1);
const message = z.string().max(2000);
const object = z.record(z.string(), z.unknown());
const notAllowed = (error: string) => z.never({ error }).optional();

const described = {
  description: z.string().max(10_000),
  tags: z.array(z.string().min(1).max(200)).max(100),
  metadata: object,
};

export const promptSummary = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  prompt_type: promptType,
  tags: jsonStrings,
  latest_version: version,
  version_count: count,
  labels: z.array(z.string()),
  created_at: timestamp,
  updated_at: timestamp,
  archived_at: timestamp.nullable().meta({
    description: 'since when it gets no new versions and its labels stay; agents still fetch it',
  }),
});

const versionFields = {
  version,
  config: jsonObject,
  content_hash: z.string().meta({ description: 'SHA-256 of the content, in hexadecimal' }),
  commit_message: z.string(),
  created_by: z.string().meta({ description: 'email of the creator' }),
  labels: z.array(z.string()),
  created_at: timestamp,
};

export const promptVersionSummary = z.object({
  ...versionFields,
  content_preview: z.string().meta({ description: 'at most 200 characters of the content' }),
});

const prompt = promptSummary.extend({
  metadata: jsonObject,
  versions: z.array(promptVersionSummary).meta({ description: 'newest first' }),
});

const usage = {
  call_count: count,
  total_tokens: z.number().min(0),
  total_cost: z.number().meta({ description: 'USD' }),
};

const duration = count
  .nullable()
  .meta({ description: 'ms; null if no call reported its duration' });

/** The totals of a version's calls in a period, or in one part of it. */
const performance = {
  call_count: count,
  failed_count: count.meta({
    description: 'calls that ended with the finish reason `error`, or whose run failed',
  }),
  total_tokens: z.number().min(0),
  total_cost: z.number().meta({ description: 'USD' }),
  latency_p50: duration,
  latency_p95: duration,
  scores: z.array(z.object({ name: z.string(), count, avg: z.number() })).meta({
    description:
      'averages of scores on the calls, and on their runs as a whole; a boolean counts as 0 or 1',
  }),
};

const labelMove = z.object({
  id: z.string(),
  label: z.string(),
  from_version: version.nullable().meta({ description: 'null if the label was created' }),
  to_version: version.nullable().meta({ description: 'null if the label was removed' }),
  moved_by: z.string().meta({ description: 'email of the user' }),
  moved_at: timestamp,
});

const BASE = '/api/v1/prompts/';
const reading = { auth: 'session', role: 'viewer', errors: 'text' } as const;
const writing = { auth: 'session', role: 'analyst', errors: 'text' } as const;
const promptPath = z.object({ prompt_id: z.string() });
const versionPath = promptPath.extend({ version_num: idParam });
const labelPath = promptPath.extend({ label: z.string() });
const nothing = { status: 204, response: z.undefined() } as const;

export const promptRoutes = routes({
  listPrompts: {
    ...reading,
    method: 'GET',
    path: BASE,
    summary: 'List prompts, last changed first',
    response: z.object({ results: z.array(promptSummary), count }),
  },
  createPrompt: {
    ...writing,
    method: 'POST',
    path: BASE,
    summary: 'Create a prompt with its version 1',
    body: z
      .strictObject({
        name: promptName,
        content: promptContent,
        description: described.description.default(''),
        prompt_type: promptType.default('text'),
        config: promptConfig.default({}),
        tags: described.tags.default([]),
        metadata: described.metadata.default({}),
        commit_message: message.default('Initial version'),
      })
      .meta({
        examples: [
          {
            name: 'support-answer',
            prompt_type: 'chat',
            content: [
              { role: 'system', content: 'You answer for {{company}}.' },
              { role: 'user', content: '{{question}}' },
            ],
            config: { model: 'gpt-4o-mini', temperature: 0.2 },
          },
        ],
      }),
    status: 201,
    response: prompt,
  },
  getPrompt: {
    ...reading,
    method: 'GET',
    path: `${BASE}{prompt_id}/`,
    summary: 'One prompt with all its versions and labels',
    params: promptPath,
    response: prompt,
  },
  updatePrompt: {
    ...writing,
    method: 'PUT',
    path: `${BASE}{prompt_id}/`,
    summary: 'Change the name, description, tags or metadata of a prompt, archive it or restore it',
    params: promptPath,
    body: z.strictObject({
      name: promptName.optional(),
      description: described.description.optional(),
      tags: described.tags.optional(),
      metadata: described.metadata.optional(),
      archived: z.boolean().optional().meta({
        description: 'true: no new versions, and labels stay; agents still fetch it',
      }),
      content: notAllowed(
        `content cannot be changed: POST a new version to ${BASE}{prompt_id}/versions/`,
      ),
      config: notAllowed(
        `config belongs to a version: POST a new one to ${BASE}{prompt_id}/versions/`,
      ),
      prompt_type: notAllowed('the type cannot be changed: create another prompt'),
    }),
    response: prompt,
  },
  deletePrompt: {
    ...writing,
    ...nothing,
    method: 'DELETE',
    path: `${BASE}{prompt_id}/`,
    summary: 'Delete a prompt with all its versions and labels, permanently',
    params: promptPath,
  },
  listPromptVersions: {
    ...reading,
    method: 'GET',
    path: `${BASE}{prompt_id}/versions/`,
    summary: 'List the versions of a prompt, newest first',
    params: promptPath,
    response: z.object({ results: z.array(promptVersionSummary), count }),
  },
  createPromptVersion: {
    ...writing,
    method: 'POST',
    path: `${BASE}{prompt_id}/versions/`,
    summary: 'Add a version with the next number',
    params: promptPath,
    body: z.strictObject({
      content: promptContent,
      config: promptConfig
        .default({})
        .meta({ description: 'merged over the config of the previous version' }),
      replace_config: z
        .boolean()
        .default(false)
        .meta({ description: 'the config replaces that of the previous version' }),
      commit_message: message.default(''),
    }),
    status: 201,
    response: promptVersionSummary.pick({
      version: true,
      content_hash: true,
      commit_message: true,
      created_by: true,
      created_at: true,
    }),
  },
  getPromptVersion: {
    ...reading,
    method: 'GET',
    path: `${BASE}{prompt_id}/versions/{version_num}/`,
    summary: 'One version with its content',
    params: versionPath,
    response: z.object({
      prompt_id: z.string(),
      prompt_name: z.string(),
      prompt_type: promptType,
      content: promptContent,
      ...versionFields,
    }),
  },
  putPromptLabel: {
    ...writing,
    method: 'PUT',
    path: `${BASE}{prompt_id}/labels/{label}/`,
    summary: 'Point a label to a version',
    params: labelPath,
    body: z.strictObject({
      version,
      expected_version: version.nullish().meta({
        description:
          'refused with 409 unless the label points to this version; null: unless it does not exist',
      }),
    }),
    response: z.object({ label: z.string(), version, prompt_id: z.string(), created: z.boolean() }),
  },
  deletePromptLabel: {
    ...writing,
    ...nothing,
    method: 'DELETE',
    path: `${BASE}{prompt_id}/labels/{label}/`,
    summary: 'Remove a label',
    params: labelPath,
  },
  listPromptLabelMoves: {
    ...reading,
    method: 'GET',
    path: `${BASE}{prompt_id}/label-moves/`,
    summary: 'List when labels were set, moved and removed, and by which user, newest first',
    params: promptPath,
    query: z.object(paging),
    response: page(labelMove),
  },
  getPromptMetrics: {
    ...reading,
    method: 'GET',
    path: `${BASE}{prompt_id}/metrics/`,
    summary: 'Calls and costs of each version',
    params: promptPath,
    response: z.object({
      prompt_id: z.string(),
      prompt_name: z.string(),
      totals: z.object(usage).meta({ description: 'versions with the same content count once' }),
      versions: z.array(z.object({ version, content_hash: z.string(), ...usage })),
    }),
  },
  getPromptPerformance: {
    ...reading,
    method: 'GET',
    path: `${BASE}{prompt_id}/performance/`,
    summary: 'Calls, cost, latency, errors and scores of each version over a period',
    params: promptPath,
    query: z.object({ period: period.default('7d') }),
    response: z.object({
      period,
      since: timestamp,
      bucket: z.enum(['hour', 'day']).meta({ description: 'length of a point; days are UTC' }),
      versions: z
        .array(
          z.object({
            version,
            content_hash: z.string(),
            ...performance,
            points: z
              .array(z.object({ at: timestamp, ...performance }))
              .meta({ description: 'oldest first, only those with calls' }),
          }),
        )
        .meta({
          description: 'newest first; versions with the same content have the same calls',
        }),
    }),
  },
  fetchPrompt: {
    auth: 'api-key',
    permission: 'record',
    errors: 'text',
    method: 'GET',
    path: '/api/v1/observe/prompts/{name}/',
    summary: 'Fetch a prompt for use by agents: a version, else that of a label, else the newest',
    params: z.object({ name: z.string() }),
    query: z.object({
      version: wholeNumber(1).optional(),
      label: z.string().optional(),
    }),
    response: z.object({
      name: z.string(),
      version,
      prompt_type: promptType,
      content: promptContent,
      config: jsonObject,
      labels: z.array(z.string()),
      content_hash: versionFields.content_hash,
    }),
  },
});
