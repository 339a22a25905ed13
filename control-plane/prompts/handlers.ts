import { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import type { PromptContent } from '#contract/prompt-content.ts';
import { promptRoutes } from '#contract/prompts.ts';
import { withAudit } from '../audit/changing.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/handler.ts';
import { nameOf } from '../identity/is-sub-user.ts';
import { roundedCost } from '../llm-calls/rules.ts';
import {
  changePrompt,
  deleteLabel,
  deletePrompt,
  findPromptByName,
  findVersion,
  insertLabel,
  insertPrompt,
  listPrompts,
  listVersionUsage,
  nextVersion,
  type PromptKey,
} from './queries.ts';
import {
  resolveVersion,
  labelsByPrompt,
  labelsByVersion,
  promptDetail,
  promptNotFound,
  requirePrompt,
  requireVersion,
  versionSummaries,
} from './reading.ts';
import { contentMismatch, labelProblem, totalUsage } from './rules.ts';
import { storeVersion } from './version.ts';

export const promptHandlers: Handlers<typeof promptRoutes> = {
  async listPrompts({ storage: { db } }, { caller }) {
    const prompts = await listPrompts(db, caller.tenantId);
    const labels = await labelsByPrompt(db, caller.tenantId);
    const results = prompts.map((prompt) => ({ ...prompt, labels: labels(prompt.id) }));
    return { results, count: results.length };
  },

  async createPrompt(context, call) {
    const { caller, body } = call;
    const { content, config, commit_message, ...prompt } = body;
    const key = { tenant_id: caller.tenantId, prompt_id: context.newId('prm') };
    requireType(prompt.prompt_type, content);
    const created_at = context.now();
    const versionFields = { version: 1, content, config, commit_message };
    const created = await withUniqueName(context, call, prompt.name, async (db, audit) => {
      await insertPrompt(db, {
        ...prompt,
        tenant_id: key.tenant_id,
        id: key.prompt_id,
        tags: JSON.stringify(prompt.tags),
        metadata: JSON.stringify(prompt.metadata),
        latest_version: 1,
        created_at,
        updated_at: created_at,
      });
      await storeVersion(db, key, { ...versionFields, created_by: nameOf(caller), created_at });
      const detail = await promptDetail(db, key);
      await audit({ action: 'prompt.create', ...promptOf(key), after: promptView(detail) });
      return detail;
    });
    announceVersion(context, key);
    return created;
  },

  getPrompt: (context, { caller, params }) =>
    promptDetail(context.storage.db, keyOf(caller, params)),

  async updatePrompt(context, call) {
    const { caller, params, body } = call;
    const key = keyOf(caller, params);
    const { name, description, tags, metadata } = body;
    const change = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(tags && { tags: JSON.stringify(tags) }),
      ...(metadata && { metadata: JSON.stringify(metadata) }),
    };
    return withUniqueName(context, call, name ?? '', async (db, audit) => {
      const before = promptView(await promptDetail(db, key));
      if (!(await changePrompt(db, key, context.now(), change))) throw promptNotFound(key);
      const changed = await promptDetail(db, key);
      await audit({
        action: 'prompt.update',
        ...promptOf(key),
        before,
        after: promptView(changed),
      });
      return changed;
    });
  },

  async deletePrompt(context, call) {
    const key = keyOf(call.caller, call.params);
    await withAudit(context, call, async (db, audit) => {
      const before = promptView(await promptDetail(db, key));
      if (!(await deletePrompt(db, key))) throw promptNotFound(key);
      await audit({ action: 'prompt.delete', ...promptOf(key), before });
    });
    return undefined;
  },

  async listPromptVersions({ storage: { db } }, { caller, params }) {
    const key = keyOf(caller, params);
    await requirePrompt(db, key);
    const results = await versionSummaries(db, key);
    return { results, count: results.length };
  },

  async createPromptVersion(context, call) {
    const { caller, params, body } = call;
    const key = keyOf(caller, params);
    const created_at = context.now();
    const created = await withAudit(context, call, async (db, audit) => {
      const prompt = await nextVersion(db, key, created_at);
      if (!prompt) throw promptNotFound(key);
      requireType(prompt.prompt_type, body.content);
      const version = prompt.latest_version;
      const before = await findVersion(db, key, version - 1);
      const config = { ...(JSON.parse(before?.config ?? '{}') as object), ...body.config };
      const versionFields = { version, created_by: nameOf(caller), created_at };
      const stored = await storeVersion(db, key, { ...body, ...versionFields, config });
      const after = z.encode(promptRoutes.createPromptVersion.response, stored);
      await audit({ action: 'prompt.create_version', ...promptOf(key), after });
      return stored;
    });
    announceVersion(context, key);
    return created;
  },

  async getPromptVersion({ storage: { db } }, { caller, params }) {
    const key = keyOf(caller, params);
    const { name, prompt_type } = await requirePrompt(db, key);
    const { content, ...version } = await requireVersion(db, key, params.version_num);
    const labels = await labelsByVersion(db, key);
    return {
      ...version,
      prompt_id: key.prompt_id,
      prompt_name: name,
      prompt_type,
      content: JSON.parse(content) as PromptContent,
      labels: labels(version.version),
    };
  },

  async putPromptLabel(context, call) {
    const { caller, params, body } = call;
    const { version } = body;
    const key = keyOf(caller, params);
    const { label } = params;
    const problem = labelProblem(label);
    if (problem) throw new ApiError('validation_error', problem);
    const before = await withAudit(context, call, async (db, audit) => {
      if (!(await changePrompt(db, key, context.now()))) throw promptNotFound(key);
      await requireVersion(db, key, version);
      const before = await deleteLabel(db, key, label);
      await insertLabel(db, { ...key, label, version });
      const after = { label, version };
      await audit({ action: 'prompt.set_label', ...promptOf(key), before, after });
      return before;
    });
    return { label, version, prompt_id: key.prompt_id, created: !before };
  },

  async deletePromptLabel(context, call) {
    const { caller, params } = call;
    const key = keyOf(caller, params);
    await withAudit(context, call, async (db, audit) => {
      if (!(await changePrompt(db, key, context.now()))) throw promptNotFound(key);
      const before = await deleteLabel(db, key, params.label);
      if (!before) throw new ApiError('not_found', `the prompt has no label "${params.label}"`);
      await audit({ action: 'prompt.delete_label', ...promptOf(key), before });
    });
    return undefined;
  },

  async getPromptMetrics({ storage: { db } }, { caller, params }) {
    const key = keyOf(caller, params);
    const { name } = await requirePrompt(db, key);
    const versions = await listVersionUsage(db, key);
    return {
      prompt_id: key.prompt_id,
      prompt_name: name,
      totals: totalUsage(versions),
      versions: versions.map((used) => ({ ...used, total_cost: roundedCost(used.total_cost) })),
    };
  },

  async fetchPrompt({ storage: { db } }, { caller, params: { name }, query }) {
    const prompt = await findPromptByName(db, caller.tenantId, name);
    if (!prompt) throw new ApiError('not_found', `there is no prompt named "${name}"`);
    const key = { tenant_id: caller.tenantId, prompt_id: prompt.id };
    const version = await requireVersion(db, key, await resolveVersion(db, prompt, key, query));
    const labels = await labelsByVersion(db, key);
    return {
      name,
      version: version.version,
      prompt_type: prompt.prompt_type,
      content: JSON.parse(version.content) as PromptContent,
      config: version.config,
      labels: labels(version.version),
      content_hash: version.content_hash,
    };
  },
};

const keyOf = (caller: { tenantId: string }, params: { prompt_id: string }): PromptKey => ({
  tenant_id: caller.tenantId,
  prompt_id: params.prompt_id,
});

const promptOf = ({ prompt_id }: PromptKey) => ({
  resource_type: 'prompt',
  resource_id: prompt_id,
});

/** The prompt as the API returns it. */
const promptView = (prompt: Awaited<ReturnType<typeof promptDetail>>) =>
  z.encode(promptRoutes.getPrompt.response, prompt);

/** @throws ApiError `conflict` if another prompt of the tenant has this name */
async function withUniqueName<T>(
  context: Context,
  call: Parameters<typeof withAudit>[1],
  name: string,
  work: Parameters<typeof withAudit<T>>[2],
): Promise<T> {
  try {
    return await withAudit(context, call, work);
  } catch (error) {
    if (!context.storage.isUnique(error)) throw error;
    throw new ApiError('conflict', `name: another prompt is named "${name}"`);
  }
}

/** Triggers the counting of earlier calls with the same text. */
const announceVersion = ({ storage }: Context, { tenant_id }: PromptKey): void =>
  storage.signals.publish({ tenant_id, topic: 'prompts' });

function requireType(type: 'text' | 'chat', content: PromptContent): void {
  const problem = contentMismatch(type, content);
  if (problem) throw new ApiError('validation_error', problem);
}
