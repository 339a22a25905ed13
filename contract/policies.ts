import { z } from 'zod';
import { idParam, jsonObject, page, paging, timestamp } from './fields.ts';
import { policyDocument, policyFields, policyRecord } from './policy.ts';
import { policySimulation, simulationRequest } from './policy-simulation.ts';
import { phases } from './policy-words.ts';
import { routes } from './route.ts';

/** What goes with a change without being part of the policy. */
const change = {
  note: z.string().max(2000).default('').meta({ description: 'why; kept with the version' }),
  version: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'change the policy only if it still is of this version' }),
};

const categoryRecord = z.object({
  name: z.string(),
  aliases: z.array(z.string()),
  summary: z.string(),
  phases: z.array(z.enum(phases)),
  rules: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of the rules' }),
  defaults: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'the rules of a policy that sets none; null where some are required' }),
});

const versionSummary = z.object({
  policy_id: z.string(),
  version: z.int().min(1),
  change: z.enum(['create', 'update', 'delete', 'restore']),
  name: z.string().meta({ description: 'of the policy, then' }),
  actor_type: z.enum(['user', 'agent']),
  actor_id: z.string().meta({ description: 'of the user, or of the API key' }),
  note: z.string(),
  created_at: timestamp,
});

const shownThen = (when: string) => jsonObject.nullable().meta({ description: when });

const versionRecord = versionSummary.extend({
  before: shownThen('the policy before; null where there was none'),
  after: shownThen('the policy since; null where it was deleted'),
});

const base = '/svc/v1/policies/';
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
    path: base,
    summary: 'Policies, in the order in which they are asked',
    query: z.object({
      ...paging,
      category: z.string().optional(),
      enabled: z.enum(['true', 'false']).optional(),
    }),
    response: page(policyRecord),
  },
  createPolicy: {
    ...writing,
    ...coded,
    method: 'POST',
    path: base,
    summary: 'Create a policy',
    body: policyDocument.extend({ note: change.note }),
    status: 201,
    response: policyRecord,
  },
  listPolicyCategories: {
    ...reading,
    ...coded,
    method: 'GET',
    path: `${base}categories/`,
    summary: 'The categories of policies, with the rules that each has',
    response: z.object({ results: z.array(categoryRecord), count: z.int() }),
  },
  simulatePolicy: {
    ...reading,
    ...coded,
    role: 'analyst',
    method: 'POST',
    path: `${base}simulate/`,
    summary: 'What a policy would have done with the runs that were recorded; changes nothing',
    refuses: [404],
    body: simulationRequest,
    response: policySimulation,
  },
  getPolicy: {
    ...reading,
    ...coded,
    method: 'GET',
    path: `${base}{id}/`,
    summary: 'One policy',
    params: policyPath,
    response: policyRecord,
  },
  replacePolicy: {
    ...writing,
    ...coded,
    method: 'PUT',
    path: `${base}{id}/`,
    summary: 'Replace a policy; what is left out gets its default',
    params: policyPath,
    body: policyDocument.extend(change),
    response: policyRecord,
  },
  updatePolicy: {
    ...writing,
    ...coded,
    method: 'PATCH',
    path: `${base}{id}/`,
    summary: 'Change a policy; rules and scope are merged, null takes a rule away (RFC 7396)',
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
    path: `${base}{id}/`,
    summary: 'Delete a policy; its versions stay',
    params: policyPath,
    query: z.object({ note: z.string().max(2000).default('') }),
    status: 204,
    response: z.undefined(),
  },
  listPolicyVersions: {
    ...reading,
    ...coded,
    method: 'GET',
    path: `${base}{id}/versions/`,
    summary: 'Who changed a policy, newest first; also of a policy that was deleted',
    params: policyPath,
    query: z.object(paging),
    response: page(versionSummary),
  },
  getPolicyVersion: {
    ...reading,
    ...coded,
    method: 'GET',
    path: `${base}{id}/versions/{version}/`,
    summary: 'One change with the policy before and after it',
    params: versionPath,
    response: versionRecord,
  },
  restorePolicyVersion: {
    ...writing,
    ...coded,
    method: 'POST',
    path: `${base}{id}/versions/{version}/restore/`,
    summary: 'Make a policy what it was, also one that was deleted',
    params: versionPath,
    body: z.strictObject({ note: change.note }).prefault({}),
    response: policyRecord,
  },
});
