import { promptUsageLock } from '../storage/locks.ts';
import type { Db, Storage } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import { valueList } from '../storage/value-list.ts';
import type { Tx } from '../storage/transaction.ts';
import { rollups } from '../usage/rollups.ts';

/** Hashes of texts by tenant. */
type Texts = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns those of these hashes that belong to prompt versions. Only their calls are counted,
 * because counting all texts would need a row for each.
 */
export async function findPromptTexts(tx: Tx, texts: Texts): Promise<Texts> {
  const versions = new Map<string, Set<string>>();
  for (const [tenantId, hashes] of texts) {
    const where = { tenantId, by: 'content_hash', values: [...hashes] } as const;
    const rows = await tx.bulk.find('prompt_usage', ['content_hash'], where);
    versions.set(tenantId, new Set(rows.map(({ content_hash }) => content_hash)));
  }
  return versions;
}

/** The initial value of `uncounted_below`, with which any call may be uncounted. */
export const ANY_CALL = Number.MAX_SAFE_INTEGER;

/** Lists the hashes whose earlier calls are not counted yet, by tenant. */
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
 * Starts counting these texts at the newest stored call. All transactions that began before the
 * texts became versions must have committed; later ones count their calls themselves.
 */
export async function startCounting(
  { reader, transaction }: Storage,
  tenantId: string,
  hashes: ReadonlySet<string>,
): Promise<void> {
  const last = await reader
    .selectFrom('llm_calls')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  await transaction((tx) => startBelow(tx, tenantId, hashes, (last?.id ?? -1) + 1));
}

async function startBelow(
  tx: Tx,
  tenantId: string,
  hashes: ReadonlySet<string>,
  id: number,
): Promise<void> {
  await tx.db
    .updateTable('prompt_usage')
    .set({ uncounted_below: id })
    .where('tenant_id', '=', tenantId)
    .where('content_hash', 'in', valueList([...hashes]))
    .where('uncounted_below', '=', ANY_CALL)
    .execute();
}

/** The number of ids to scan per step, and the maximum number of calls to count. */
export interface StepSize {
  ids: number;
  calls: number;
}

/**
 * Counts calls that were recorded before their text became a prompt version, newest first. Returns
 * whether there may be more.
 */
export async function countEarlier(
  storage: Storage,
  tenantId: string,
  size: StepSize,
): Promise<boolean> {
  const { reader } = storage;
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
  const uncounted = await reader
    .selectFrom('llm_calls')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '>=', below - size.ids)
    .where('id', '<', below)
    .where('prompt_hash', 'in', valueList(hashes))
    .where('prompt_counted', '=', 0)
    .orderBy('id', 'desc')
    .limit(size.calls)
    .execute();
  const isFull = uncounted.length === size.calls;
  const to = Math.max(0, isFull ? (uncounted.at(-1)?.id ?? 0) : below - size.ids);
  await storage.transaction(async (tx) => {
    await tx.lock(promptUsageLock(tenantId));
    const calls = await markCounted(
      tx,
      tenantId,
      uncounted.map(({ id }) => id),
    );
    // All rows to be changed are locked in the order of their keys, which prevents deadlocks.
    const where = { tenantId, by: 'content_hash', values: hashes, lock: 'no key update' } as const;
    await tx.bulk.find('prompt_usage', ['content_hash'], where);
    await tx.bulk.add('prompt_usage', rollups.prompt_usage, usageOf(tenantId, calls));
    await tx.db
      .updateTable('prompt_usage')
      .set({ uncounted_below: to })
      .where('tenant_id', '=', tenantId)
      .where('content_hash', 'in', valueList(hashes))
      .where('uncounted_below', '>', to)
      .where('uncounted_below', '<', ANY_CALL)
      .execute();
  });
  return to > 0;
}

type Counted = Pick<Tables['llm_calls'], 'prompt_hash' | 'total_tokens' | 'cost'>;

/** Marks calls as counted. Calls that were counted or deleted in the meantime are skipped. */
async function markCounted(tx: Tx, tenantId: string, ids: readonly number[]): Promise<Counted[]> {
  await tx.bulk.find('llm_calls', ['id'], {
    tenantId,
    by: 'id',
    values: ids,
    lock: 'no key update',
  });
  return tx.db
    .updateTable('llm_calls')
    .set({ prompt_counted: 1 })
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', valueList(ids))
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
