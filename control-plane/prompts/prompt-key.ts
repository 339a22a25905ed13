import { ApiError } from '#contract/errors.ts';
import type { PromptKey } from './queries.ts';

export const keyOf = (caller: { tenantId: string }, params: { prompt_id: string }): PromptKey => ({
  tenant_id: caller.tenantId,
  prompt_id: params.prompt_id,
});

/** Returns the fields that name a prompt in the audit log. */
export const promptOf = ({ prompt_id }: PromptKey) => ({
  resource_type: 'prompt',
  resource_id: prompt_id,
});

/** @throws ApiError `invalid_state` if the prompt is archived */
export function requireChangeable({ archived_at }: { archived_at: number | null }): void {
  if (archived_at !== null)
    throw new ApiError('invalid_state', 'the prompt is archived: restore it to change it');
}
