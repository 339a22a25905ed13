import { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import type { PromptContent } from '#contract/prompt-content.ts';
import { promptRoutes } from '#contract/prompts.ts';
import { withAudit, withUniqueName } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../handler.ts';
import { displayNameOf } from '../identity/is-sub-user.ts';
import { roundedCost } from '../llm-calls/rules.ts';
import {
  changePrompt,
  deletePrompt,
  findPromptByName,
  findVersion,
  insertPrompt,
  listPrompts,
  listVersionUsage,
  nextVersion,
  type PromptKey,
  storeVersion,
} from './queries.ts';
import { labelHandlers } from './label-handlers.ts';
import { performanceOf } from './performance.ts';
import { keyOf, promptOf, requireChangeable } from './prompt-key.ts';
import {
  resolveVersion,
  labelsByPrompt,
  labelsByVersion,
  promptDetail,
  promptNotFound,
  requirePrompt,
  requireVersion,
  versionSummaries,
} from './prompt-lookup.ts';
import { contentMismatch, totalUsage } from './rules.ts';

export const promptHandlers: Handlers<typeof promptRoutes> = {
  async listPrompts({ storage: { db } }, { caller }) {
    const prompts = await listPrompts(db, caller.tenantId);
    const labels = await labelsByPrompt(db, caller.tenantId);
    const results = prompts.map((prompt) => ({ ...prompt, labels: labels(prompt.id) }));
    return { results, count: results.length };
  },

  async createPrompt(context, request) {
    const { caller, body } = request;
    const { content, config, commit_message, ...prompt } = body;
    const key = { tenant_id: caller.tenantId, prompt_id: context.newId('prm') };
    requireType(prompt.prompt_type, content);
    const created_at = context.now();
    const versionFields = { version: 1, content, config, commit_message };
    const created = await withUniqueName(
      context,
      request,
      { what: 'prompt', name: prompt.name },
      async (tx, audit) => {
        await insertPrompt(tx, {
          ...prompt,
          tenant_id: key.tenant_id,
          id: key.prompt_id,
          tags: JSON.stringify(prompt.tags),
          metadata: JSON.stringify(prompt.metadata),
          latest_version: 1,
          created_at,
          updated_at: created_at,
          archived_at: null,
        });
        await storeVersion(tx, key, {
          ...versionFields,
          created_by: displayNameOf(caller),
          created_at,
        });
        const detail = await promptDetail(tx.db, key);
        audit({ action: 'prompt.create', ...promptOf(key), after: promptView(detail) });
        return detail;
      },
    );
    announceVersion(context, key);
    return created;
  },

  getPrompt: (context, { caller, params }) =>
    promptDetail(context.storage.db, keyOf(caller, params)),

  async updatePrompt(context, request) {
    const { caller, params, body } = request;
    const key = keyOf(caller, params);
    const { name, description, tags, metadata } = body;
    const change = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(tags && { tags: JSON.stringify(tags) }),
      ...(metadata && { metadata: JSON.stringify(metadata) }),
    };
    return withUniqueName(
      context,
      request,
      { what: 'prompt', name: name ?? '' },
      async (tx, audit) => {
        const detail = await promptDetail(tx.db, key);
        const before = promptView(detail);
        const now = context.now();
        const archived_at = body.archived ? (detail.archived_at ?? now) : null;
        const archiving = body.archived === undefined ? {} : { archived_at };
        if (!(await changePrompt(tx, key, now, { ...change, ...archiving })))
          throw promptNotFound(key);
        const changed = await promptDetail(tx.db, key);
        audit({
          action: 'prompt.update',
          ...promptOf(key),
          before,
          after: promptView(changed),
        });
        return changed;
      },
    );
  },

  async deletePrompt(context, request) {
    const key = keyOf(request.caller, request.params);
    await withAudit(context, request, async (tx, audit) => {
      const before = promptView(await promptDetail(tx.db, key));
      if (!(await deletePrompt(tx, key))) throw promptNotFound(key);
      audit({ action: 'prompt.delete', ...promptOf(key), before });
    });
    return undefined;
  },

  async listPromptVersions({ storage: { db } }, { caller, params }) {
    const key = keyOf(caller, params);
    await requirePrompt(db, key);
    const results = await versionSummaries(db, key);
    return { results, count: results.length };
  },

  async createPromptVersion(context, request) {
    const { caller, params, body } = request;
    const key = keyOf(caller, params);
    const created_at = context.now();
    const created = await withAudit(context, request, async (tx, audit) => {
      const prompt = await nextVersion(tx, key, created_at);
      if (!prompt) throw promptNotFound(key);
      requireChangeable(prompt);
      requireType(prompt.prompt_type, body.content);
      const version = prompt.latest_version;
      const { content, commit_message, replace_config } = body;
      const before = replace_config ? undefined : await findVersion(tx.db, key, version - 1);
      const config = { ...(JSON.parse(before?.config ?? '{}') as object), ...body.config };
      const versionFields = { version, created_by: displayNameOf(caller), created_at };
      const stored = await storeVersion(tx, key, {
        content,
        commit_message,
        ...versionFields,
        config,
      });
      const after = z.encode(promptRoutes.createPromptVersion.response, stored);
      audit({ action: 'prompt.create_version', ...promptOf(key), after });
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

  ...labelHandlers,

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

  getPromptPerformance: async (context, { caller, params, query }) => {
    const key = keyOf(caller, params);
    await requirePrompt(context.storage.reader, key);
    return performanceOf(context.storage.reader, key, query.period, context.now());
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

/** Returns a prompt in the form of the API. */
const promptView = (prompt: Awaited<ReturnType<typeof promptDetail>>) =>
  z.encode(promptRoutes.getPrompt.response, prompt);

/** Triggers the counting of earlier calls with the same text. */
const announceVersion = ({ storage }: Context, { tenant_id }: PromptKey): void =>
  storage.signals.publish({ tenant_id, topic: 'prompts' });

function requireType(type: 'text' | 'chat', content: PromptContent): void {
  const problem = contentMismatch(type, content);
  if (problem) throw new ApiError('validation_error', problem);
}
