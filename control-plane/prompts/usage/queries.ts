import type { Transaction } from 'kysely';
import type { Bulk } from '../../storage/bulk.ts';
import type { Db, Storage } from '../../storage/open.ts';
import type { Tables } from '../../storage/tables.ts';
import { rollups } from '../../usage/rollups.ts';

/** By tenant. */
type Texts = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Which of these texts, told by their hashes, are versions of prompts. Only their calls are counted:
 * every other text would be a row of its own.
 */
export async function findPromptTexts(
  { trx, bulk }: { trx: Transaction<Tables>; bulk: Bulk },
  texts: Texts,
): Promise<Texts> {
  const found = new Map<string, Set<string>>();
  for (const [tenantId, hashes] of texts) {
    const where = { tenantId, by: 'content_hash', values: [...hashes] } as const;
    const rows = await bulk.find(trx, 'prompt_usage', ['content_hash'], where);
    found.set(tenantId, new Set(rows.map(({ content_hash }) => content_hash)));
  }
  return found;
}

/** Tenants with prompts whose earlier calls are still to be counted. */
export async function listUncounted(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('prompt_usage')
    .select('tenant_id')
    .distinct()
    .where('uncounted_below', '>', 0)
    .execute();
  return rows.map(({ tenant_id }) => tenant_id);
}

/** How much a step looks through, and how much of it it counts at most. */
export interface StepSize {
  ids: number;
  calls: number;
}

/**
 * Counts calls that were recorded before their text was a version of a prompt, newest first. Answers
 * whether there may be more.
 */
export async function countEarlier(
  storage: Storage,
  tenantId: string,
  { ids, calls }: StepSize,
): Promise<boolean> {
  const { reader, bulk } = storage;
  const texts = await reader
    .selectFrom('prompt_usage')
    .select(['content_hash', 'uncounted_below'])
    .where('tenant_id', '=', tenantId)
    .where('uncounted_below', '>', 0)
    .execute();
  if (texts.length === 0) return false;
  const hashes = texts.map(({ content_hash }) => content_hash);
  const below = Math.min(
    Math.max(...texts.map(({ uncounted_below }) => uncounted_below)),
    (await lastCall(reader, tenantId)) + 1,
  );
  const found = await reader
    .selectFrom('llm_calls')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '>=', below - ids)
    .where('id', '<', below)
    .where('prompt_hash', 'in', bulk.list(hashes))
    .where('prompt_counted', '=', 0)
    .orderBy('id', 'desc')
    .limit(calls)
    .execute();
  const isFull = found.length === calls;
  const to = Math.max(0, isFull ? (found.at(-1)?.id ?? 0) : below - ids);
  await storage.db.transaction().execute(async (trx) => {
    await addCalls(
      trx,
      bulk,
      tenantId,
      found.map(({ id }) => id),
    );
    await trx
      .updateTable('prompt_usage')
      .set({ uncounted_below: to })
      .where('tenant_id', '=', tenantId)
      .where('content_hash', 'in', bulk.list(hashes))
      .where('uncounted_below', '>', to)
      .execute();
  });
  return to > 0;
}

async function lastCall(db: Db, tenantId: string): Promise<number> {
  const last = await db
    .selectFrom('llm_calls')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return last?.id ?? 0;
}

/** Those that somebody else has counted meanwhile, or deleted, are left out. */
async function addCalls(
  trx: Transaction<Tables>,
  bulk: Bulk,
  tenant_id: string,
  ids: readonly number[],
): Promise<void> {
  const calls = await trx
    .updateTable('llm_calls')
    .set({ prompt_counted: 1 })
    .where('tenant_id', '=', tenant_id)
    .where('id', 'in', bulk.list(ids))
    .where('prompt_counted', '=', 0)
    .returning(['prompt_hash', 'total_tokens', 'cost'])
    .execute();
  const byText = [...Map.groupBy(calls, ({ prompt_hash }) => prompt_hash)];
  const rows = byText
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([content_hash, ofText]) => ({
      tenant_id,
      content_hash,
      call_count: ofText.length,
      total_tokens: ofText.reduce((sum, call) => sum + call.total_tokens, 0),
      total_cost: ofText.reduce((sum, call) => sum + call.cost, 0),
    }));
  await bulk.add(trx, 'prompt_usage', rollups.prompt_usage, rows);
}
