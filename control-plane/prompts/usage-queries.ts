import type { Transaction } from 'kysely';
import type { Bulk } from '../storage/bulk.ts';
import type { Db, Storage } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import { rollups } from '../usage/rollups.ts';

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

/** Where nobody has looked yet: all calls may be uncounted. */
export const ANY_CALL = Number.MAX_SAFE_INTEGER;

/** Texts whose earlier calls are still to be counted, by tenant. */
export async function listUncounted(db: Db): Promise<Texts> {
  const rows = await db
    .selectFrom('prompt_usage')
    .select(['tenant_id', 'content_hash'])
    .where('uncounted_below', '>', 0)
    .execute();
  const texts = new Map<string, Set<string>>();
  for (const { tenant_id, content_hash } of rows)
    texts.set(tenant_id, (texts.get(tenant_id) ?? new Set()).add(content_hash));
  return texts;
}

/**
 * Counting of these texts starts with the newest call that is there. Whoever began to record before
 * they were versions must have committed: later ones count themselves.
 */
export async function startCounting(
  { db, reader, bulk }: Storage,
  tenantId: string,
  hashes: ReadonlySet<string>,
): Promise<void> {
  const last = await reader
    .selectFrom('llm_calls')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  await db
    .updateTable('prompt_usage')
    .set({ uncounted_below: (last?.id ?? -1) + 1 })
    .where('tenant_id', '=', tenantId)
    .where('content_hash', 'in', bulk.list([...hashes]))
    .where('uncounted_below', '=', ANY_CALL)
    .execute();
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
  size: StepSize,
): Promise<boolean> {
  const { reader, bulk } = storage;
  const texts = await reader
    .selectFrom('prompt_usage')
    .select(['content_hash', 'uncounted_below'])
    .where('tenant_id', '=', tenantId)
    .where('uncounted_below', '>', 0)
    .where('uncounted_below', '<', ANY_CALL)
    .execute();
  if (texts.length === 0) return false;
  const hashes = texts.map(({ content_hash }) => content_hash);
  const below = Math.max(...texts.map(({ uncounted_below }) => uncounted_below));
  const found = await reader
    .selectFrom('llm_calls')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '>=', below - size.ids)
    .where('id', '<', below)
    .where('prompt_hash', 'in', bulk.list(hashes))
    .where('prompt_counted', '=', 0)
    .orderBy('id', 'desc')
    .limit(size.calls)
    .execute();
  const isFull = found.length === size.calls;
  const to = Math.max(0, isFull ? (found.at(-1)?.id ?? 0) : below - size.ids);
  await storage.db.transaction().execute(async (trx) => {
    await storage.lock(trx, `prompts ${tenantId}`);
    const calls = await markCounted(
      trx,
      bulk,
      tenantId,
      found.map(({ id }) => id),
    );
    // All rows that change, in the order of their keys, before any does.
    const where = { tenantId, by: 'content_hash', values: hashes, lock: 'change' } as const;
    await bulk.find(trx, 'prompt_usage', ['content_hash'], where);
    await bulk.add(trx, 'prompt_usage', rollups.prompt_usage, usageOf(tenantId, calls));
    await trx
      .updateTable('prompt_usage')
      .set({ uncounted_below: to })
      .where('tenant_id', '=', tenantId)
      .where('content_hash', 'in', bulk.list(hashes))
      .where('uncounted_below', '>', to)
      .where('uncounted_below', '<', ANY_CALL)
      .execute();
  });
  return to > 0;
}

type Counted = Pick<Tables['llm_calls'], 'prompt_hash' | 'total_tokens' | 'cost'>;

/** Those that somebody else has counted meanwhile, or deleted, are left out. */
async function markCounted(
  trx: Transaction<Tables>,
  bulk: Bulk,
  tenantId: string,
  ids: readonly number[],
): Promise<Counted[]> {
  await bulk.find(trx, 'llm_calls', ['id'], { tenantId, by: 'id', values: ids, lock: 'change' });
  return trx
    .updateTable('llm_calls')
    .set({ prompt_counted: 1 })
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', bulk.list(ids))
    .where('prompt_counted', '=', 0)
    .returning(['prompt_hash', 'total_tokens', 'cost'])
    .execute();
}

const usageOf = (tenant_id: string, calls: readonly Counted[]) =>
  [...Map.groupBy(calls, ({ prompt_hash }) => prompt_hash)].map(([content_hash, ofText]) => ({
    tenant_id,
    content_hash,
    call_count: ofText.length,
    total_tokens: ofText.reduce((sum, call) => sum + call.total_tokens, 0),
    total_cost: ofText.reduce((sum, call) => sum + call.cost, 0),
  }));
