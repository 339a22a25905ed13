import { z } from 'zod';
import { count, idParam, jsonObject, page, paging, timestamp } from './fields.ts';
import { policyDocument, policyFields, policyRecord } from './policy-document.ts';
import { policySimulation, simulationRequest } from './policy-simulation.ts';
import { phases } from './policy-actions.ts';
import { routes } from './route.ts';

/** Fields of a change that are not part of the policy. */
const change = {
  note: z
    .string()
    .max(2000)
    .default('')
    .meta({ description: 'reason of the change; stored with the version' }),
  version: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'fails if the policy is not at this version' }),
};

const categoryRecord = z.object({
  name: z.string(),
  aliases: z.array(z.string()),
  summary: z.string(),
  phases: z.array(z.enum(phases)),
  captured_calls: z.boolean().meta({
    description:
      'true: also evaluated before captured calls of devices where Guard enforces policies; ' +
      'otherwise such calls are never refused',
  }),
  rules: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of the rules' }),
  defaults: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'default rules; null if some rules are required' }),
});

/** A policy in a list, with the number of incidents that it opened and that are still stored. */
const listedPolicy = policyRecord.extend({
  hits: count.meta({ description: 'warnings and blocks that opened or repeated an incident' }),
  last_triggered_at: timestamp.nullable(),
});

const versionSummary = z.object({
  policy_id: z.string(),
  version: z.int().min(1),
  change: z.enum(['create', 'update', 'delete', 'restore']),
  name: z.string().meta({ description: 'name of the policy at that time' }),
  actor_type: z.enum(['user', 'agent']),
  actor_id: z.string().meta({ description: 'id of the user or the API key' }),
  note: z.string(),
  created_at: timestamp,
});

const snapshot = (description: string) => jsonObject.nullable().meta({ description });

const versionRecord = versionSummary.extend({
  before: snapshot('the policy before; null if it did not exist'),
  after: snapshot('the policy after; null if it was deleted'),
});

const BASE = '/svc/v1/policies/';
const reading = { auth: 'admin', permission: 'policies:write', role: 'viewer' } as const;
const writing = { auth: 'admin', permission: 'policies:write', role: 'admin' } as const;
const coded = { errors: 'coded' } as const;
const policyPath = z.object({ id: z.string() });
const versionPath = policyPath.extend({ version: idParam });

export const policyRoutes = routes({
  listPolicies: {
    ...reading,
    ...coded,
    method: 'GET',
    path: BASE,
    summary: 'List policies in evaluation order',
    query: z.object({
      ...paging,
      category: z.string().optional(),
      enabled: z.enum(['true', 'false']).optional(),
    }),
    response: page(listedPolicy),
  },
  createPolicy: {
    ...writing,
    ...coded,
    method: 'POST',
    path: BASE,
    summary: 'Create a policy',
    body: policyDocument.extend({ note: change.note }),
    status: 201,
    response: policyRecord,
  },
  listPolicyCategories: {
    ...reading,
    ...coded,
    method: 'GET',
    path: `${BASE}categories/`,
    summary: 'List policy categories with their rules',
    response: z.object({ results: z.array(categoryRecord), count: z.int() }),
  },
  simulatePolicy: {
    ...reading,
    ...coded,
    role: 'analyst',
    method: 'POST',
    path: `${BASE}simulate/`,
    summary: 'Simulate a policy with recorded runs; changes nothing',
    errorStatuses: [404],
    body: simulationRequest,
    response: policySimulation,
  },
  getPolicy: {
    ...reading,
    ...coded,
    method: 'GET',
    path: `${BASE}{id}/`,
    summary: 'One policy',
    params: policyPath,
    response: policyRecord,
  },
  replacePolicy: {
    ...writing,
    ...coded,
    method: 'PUT',
    path: `${BASE}{id}/`,
    summary: 'Replace a policy; omitted fields get their defaults',
    params: policyPath,
    body: policyDocument.extend(change),
    response: policyRecord,
  },
  updatePolicy: {
    ...writing,
    ...coded,
    method: 'PATCH',
    path: `${BASE}{id}/`,
    summary: 'Change a policy; rules and scope are merged, null removes a rule (RFC 7396)',
    params: policyPath,
    body: z.strictObject({
      ...z.object(policyFields).partial().shape,
      scope: z.record(z.string(), z.unknown()).optional(),
      ...change,
    }),
    response: policyRecord,
  },
  deletePolicy: {
    ...writing,
    ...coded,
    method: 'DELETE',
    path: `${BASE}{id}/`,
    summary: 'Delete a policy; its versions are kept',
    params: policyPath,
    query: z.object({ note: z.string().max(2000).default('') }),
    status: 204,
    response: z.undefined(),
  },
  listPolicyVersions: {
    ...reading,
    ...coded,
    method: 'GET',
    path: `${BASE}{id}/versions/`,
    summary: 'List the versions of a policy, newest first; also of a deleted one',
    params: policyPath,
    query: z.object(paging),
    response: page(versionSummary),
  },
  getPolicyVersion: {
    ...reading,
    ...coded,
    method: 'GET',
    path: `${BASE}{id}/versions/{version}/`,
    summary: 'One version, with the policy before and after the change',
    params: versionPath,
    response: versionRecord,
  },
  restorePolicyVersion: {
    ...writing,
    ...coded,
    method: 'POST',
    path: `${BASE}{id}/versions/{version}/restore/`,
    summary: 'Restore a version of a policy, also of a deleted one',
    params: versionPath,
    body: z.strictObject({ note: change.note }).prefault({}),
    response: policyRecord,
  },
});
