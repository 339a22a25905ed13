import { z } from 'zod';
import { ApiError, describeIssues } from '#contract/errors.ts';
import type { policyRoutes } from '#contract/policies.ts';
import {
  type PolicyDocument,
  policyDocument,
  type PolicyRecord,
} from '#contract/policy-document.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { categories, categoryOf } from './categories/index.ts';
import type { Category } from './category.ts';
import { simulatePolicy } from './simulation/handler.ts';
import { changePolicy } from './change-policy.ts';
import {
  findPolicy,
  findVersion,
  forgetPolicy,
  latestVersion,
  listPolicies,
  listVersions,
} from './queries.ts';
import { documentOf, mergePatch, rulesSchema, validateCategory } from './document-rules.ts';

export const policyHandlers: Handlers<typeof policyRoutes> = {
  async listPolicies({ storage: { db } }, { caller, query, url }) {
    const { category, enabled, ...paging } = query;
    const page = await listPolicies(db, caller.tenantId, {
      ...paging,
      category: category && (categoryOf(category)?.name ?? category),
      enabled: enabled && Number(enabled === 'true'),
    });
    return pageOf(url, paging, page);
  },

  async createPolicy(context, request) {
    const { note, ...body } = request.body;
    const document = checked(body);
    const change = { id: context.newId('pol'), change: 'create', note } as const;
    return orThrow(await changePolicy(context, request, change, () => document));
  },

  listPolicyCategories: () => ({
    results: categories.map(categoryView),
    count: categories.length,
  }),

  simulatePolicy,

  async getPolicy({ storage: { db } }, { caller, params }) {
    const key = { tenant_id: caller.tenantId, policy_id: params.id };
    return orNotFound(await findPolicy(db, key), params.id);
  },

  async replacePolicy(context, request) {
    const { note, version, ...body } = request.body;
    const document = checked(body);
    const change = { id: request.params.id, change: 'update', note } as const;
    return orThrow(
      await changePolicy(context, request, change, (before) =>
        assertSameCategory(assertVersion(orNotFound(before, change.id), version), document),
      ),
    );
  },

  async updatePolicy(context, request) {
    const { note, version, ...patch } = request.body;
    const change = { id: request.params.id, change: 'update', note } as const;
    return orThrow(
      await changePolicy(context, request, change, (before) => {
        const policy = assertVersion(orNotFound(before, change.id), version);
        return assertSameCategory(policy, checked(mergePatch(documentOf(policy), patch)));
      }),
    );
  },

  async deletePolicy(context, request) {
    const change = { id: request.params.id, change: 'delete', note: request.query.note } as const;
    await changePolicy(context, request, change, (before) => orNotFound(before, change.id) && null);
    const { tenantId: tenant_id } = request.caller;
    await forgetPolicy(context.storage, { tenant_id, policy_id: change.id });
    return undefined;
  },

  async listPolicyVersions({ storage: { db } }, { caller, params, query, url }) {
    const key = { tenant_id: caller.tenantId, policy_id: params.id };
    if ((await latestVersion(db, key)) === 0) throw notFound(params.id);
    return pageOf(url, query, await listVersions(db, key, query));
  },

  async getPolicyVersion({ storage: { db } }, { caller, params }) {
    const key = { tenant_id: caller.tenantId, policy_id: params.id };
    return versionOrNotFound(await findVersion(db, key, params.version), params);
  },

  async restorePolicyVersion(context, request) {
    const { params, caller } = request;
    const key = { tenant_id: caller.tenantId, policy_id: params.id };
    const change = { id: params.id, change: 'restore', note: request.body.note } as const;
    return orThrow(
      await changePolicy(context, request, change, async (_before, db) => {
        const { after } = versionOrNotFound(await findVersion(db, key, params.version), params);
        if (after !== null) return checked(JSON.parse(after));
        const problem = `version ${params.version} is the deletion of the policy: restore an earlier one`;
        throw new ApiError('not_restorable', problem);
      }),
    );
  },
};

/**
 * The schema of a policy. Fields that an administrator does not set, such as timestamps, are
 * dropped.
 */
const documentSchema = z.object(policyDocument.shape).transform(validateCategory);

/**
 * Validates a document.
 *
 * @throws ApiError that names the field
 */
function checked(document: unknown): PolicyDocument {
  const result = documentSchema.safeParse(document);
  if (result.success) return result.data;
  throw new ApiError('validation_error', describeIssues(result.error, 'body'));
}

const categoryView = (category: Category) => ({
  name: category.name,
  aliases: [...(category.aliases ?? [])],
  summary: category.summary,
  phases: [...category.phases],
  captured_calls: category.appliesToHeldCalls ?? false,
  rules: rulesSchema(category),
  defaults: (category.rules.safeParse({}).data ?? null) as Record<string, unknown> | null,
});

/** Checks that the category is unchanged, because counters have no meaning in another one. */
function assertSameCategory(before: PolicyRecord, document: PolicyDocument): PolicyDocument {
  if (before.category === document.category) return document;
  throw new ApiError(
    'validation_error',
    `category: cannot be changed from ${before.category}: create another policy`,
  );
}

function assertVersion(policy: PolicyRecord, version: number | undefined): PolicyRecord {
  if (version === undefined || version === policy.version) return policy;
  throw new ApiError(
    'version_conflict',
    `version mismatch: the policy is at version ${policy.version}, not ${version}`,
    { version: policy.version },
  );
}

const notFound = (id: string): ApiError => new ApiError('not_found', `there is no policy ${id}`);

function orNotFound<T>(policy: T | undefined, id: string): T {
  if (policy === undefined) throw notFound(id);
  return policy;
}

function versionOrNotFound<T>(version: T | undefined, of: { id: string; version: number }): T {
  if (version !== undefined) return version;
  throw new ApiError('not_found', `policy ${of.id} has no version ${of.version}`);
}

function orThrow(policy: PolicyRecord | null): PolicyRecord {
  if (policy === null) throw new Error('policy missing after its change');
  return policy;
}
