import { ApiError } from '#contract/errors.ts';
import type { promptRoutes } from '#contract/prompts.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Handlers } from '../handler.ts';
import { pageOf } from '../http/pagination.ts';
import { displayNameOf } from '../identity/is-sub-user.ts';
import { keyOf, promptOf, requireChangeable } from './prompt-key.ts';
import {
  changePrompt,
  deleteLabel,
  insertLabel,
  insertLabelMove,
  listLabelMoves,
} from './queries.ts';
import { promptNotFound, requirePrompt, requireVersion } from './prompt-lookup.ts';
import { labelProblem } from './rules.ts';

type LabelRoutes = 'putPromptLabel' | 'deletePromptLabel' | 'listPromptLabelMoves';

export const labelHandlers: Pick<Handlers<typeof promptRoutes>, LabelRoutes> = {
  async putPromptLabel(context, request) {
    const { caller, params, body } = request;
    const { version, expected_version } = body;
    const key = keyOf(caller, params);
    const { label } = params;
    const problem = labelProblem(label);
    if (problem) throw new ApiError('validation_error', problem);
    const moved_at = context.now();
    const before = await withAudit(context, request, async (tx, audit) => {
      const prompt = await changePrompt(tx, key, moved_at);
      if (!prompt) throw promptNotFound(key);
      requireChangeable(prompt);
      await requireVersion(tx.db, key, version);
      const before = await deleteLabel(tx, key, label);
      requireExpected(label, before?.version, expected_version);
      await insertLabel(tx, { ...key, label, version });
      const from_version = before?.version ?? null;
      const move = { label, from_version, to_version: version };
      const moved = { id: context.newId('plm'), moved_by: displayNameOf(caller), moved_at };
      if (from_version !== version) await insertLabelMove(tx, { ...key, ...move, ...moved });
      const after = { label, version };
      audit({ action: 'prompt.set_label', ...promptOf(key), before, after });
      return before;
    });
    return { label, version, prompt_id: key.prompt_id, created: !before };
  },

  async deletePromptLabel(context, request) {
    const { caller, params } = request;
    const key = keyOf(caller, params);
    const moved_at = context.now();
    await withAudit(context, request, async (tx, audit) => {
      const prompt = await changePrompt(tx, key, moved_at);
      if (!prompt) throw promptNotFound(key);
      requireChangeable(prompt);
      const before = await deleteLabel(tx, key, params.label);
      if (!before) throw new ApiError('not_found', `the prompt has no label "${params.label}"`);
      const move = { label: before.label, from_version: before.version, to_version: null };
      const moved = { id: context.newId('plm'), moved_by: displayNameOf(caller), moved_at };
      await insertLabelMove(tx, { ...key, ...move, ...moved });
      audit({ action: 'prompt.delete_label', ...promptOf(key), before });
    });
    return undefined;
  },

  async listPromptLabelMoves({ storage: { db } }, { caller, params, query, url }) {
    const key = keyOf(caller, params);
    await requirePrompt(db, key);
    return pageOf(url, query, await listLabelMoves(db, key, query));
  },
};

/** @throws ApiError `version_conflict` if another user has moved the label in the meantime */
function requireExpected(
  label: string,
  found: number | undefined,
  expected: number | null | undefined,
): void {
  if (expected === undefined || expected === (found ?? null)) return;
  const now = found === undefined ? 'does not exist' : `points to version ${found}`;
  const before = expected === null ? 'none' : `version ${expected}`;
  throw new ApiError(
    'version_conflict',
    `the label "${label}" ${now}, not ${before}: it was changed meanwhile`,
  );
}
