import type { Db } from '../storage/open.ts';

interface PromptFilter {
  prompt?: string | undefined;
  prompt_version?: number | undefined;
}

/**
 * Replaces prompts in the filter by the content hashes of their versions, because calls do not name
 * a prompt.
 */
export async function withPrompts<F extends PromptFilter>(db: Db, tenantId: string, filter: F) {
  const { prompt, prompt_version, ...others } = filter;
  if (!prompt) return { ...others, prompts: undefined };
  const rows = await db
    .selectFrom('prompt_versions')
    .select('content_hash')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where('prompt_id', '=', prompt)
    .$if(prompt_version !== undefined, (query) => query.where('version', '=', prompt_version ?? 0))
    .execute();
  return { ...others, prompts: rows.map(({ content_hash }) => content_hash) };
}
