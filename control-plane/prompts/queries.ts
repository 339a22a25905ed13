import type { Insertable } from 'kysely';
import type { PromptContent } from '#contract/prompt-content.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import { ANY_CALL } from './usage-queries.ts';
import { contentHash } from './content-hash.ts';
import { previewOf } from './rules.ts';

type Row<T extends keyof Tables> = Insertable<Tables[T]>;

/** Identifies a prompt. Every query of its parts filters by both columns. */
export interface PromptKey {
  tenant_id: string;
  prompt_id: string;
}

const columns = [
  'id',
  'name',
  'description',
  'prompt_type',
  'tags',
  'metadata',
  'latest_version',
  'latest_version as version_count',
  'created_at',
  'updated_at',
  'archived_at',
] as const;

const versionColumns = [
  'version',
  'config',
  'content_hash',
  'content_preview',
  'commit_message',
  'created_by',
  'created_at',
] as const;

/** Lists all prompts of a tenant, last changed first. */
export function listPrompts(db: Db, tenantId: string) {
  return db
    .selectFrom('prompts')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Lists the labels of a tenant's prompts, or of one prompt. */
export function listLabels(db: Db, tenantId: string, promptId?: string) {
  return db
    .selectFrom('prompt_labels')
    .select(['prompt_id', 'label', 'version'])
    .where('tenant_id', '=', tenantId)
    .$if(promptId !== undefined, (query) => query.where('prompt_id', '=', promptId ?? ''))
    .execute();
}

export function findPrompt(db: Db, { tenant_id, prompt_id }: PromptKey) {
  return db
    .selectFrom('prompts')
    .select(columns)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', prompt_id)
    .executeTakeFirst();
}

export function findPromptByName(db: Db, tenantId: string, name: string) {
  return db
    .selectFrom('prompts')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Lists versions without their content, newest first. */
export function listVersions(db: Db, { tenant_id, prompt_id }: PromptKey) {
  return db
    .selectFrom('prompt_versions')
    .select(versionColumns)
    .where('tenant_id', '=', tenant_id)
    .where('prompt_id', '=', prompt_id)
    .orderBy('version', 'desc')
    .execute();
}

export function findVersion(db: Db, { tenant_id, prompt_id }: PromptKey, version: number) {
  return db
    .selectFrom('prompt_versions')
    .select([...versionColumns, 'content'])
    .where('tenant_id', '=', tenant_id)
    .where('prompt_id', '=', prompt_id)
    .where('version', '=', version)
    .executeTakeFirst();
}

export async function insertPrompt(tx: Tx, prompt: Row<'prompts'>): Promise<void> {
  await tx.db.insertInto('prompts').values(prompt).execute();
}

/**
 * Inserts a version. From now on, recording counts the calls with its content;
 * `count-earlier-usage.ts` counts earlier calls.
 */
export async function insertVersion(tx: Tx, version: Row<'prompt_versions'>): Promise<void> {
  await tx.db.insertInto('prompt_versions').values(version).execute();
  const { tenant_id, content_hash } = version;
  await tx.db
    .insertInto('prompt_usage')
    .values({
      tenant_id,
      content_hash,
      call_count: 0,
      total_tokens: 0,
      total_cost: 0,
      uncounted_below: ANY_CALL,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

type PromptChange = Partial<
  Pick<Row<'prompts'>, 'name' | 'description' | 'tags' | 'metadata' | 'archived_at'>
>;

/** Updates and locks a prompt; returns undefined if it does not exist. */
export function changePrompt(tx: Tx, key: PromptKey, now: number, change: PromptChange = {}) {
  return tx.db
    .updateTable('prompts')
    .set({ ...change, updated_at: now })
    .where('tenant_id', '=', key.tenant_id)
    .where('id', '=', key.prompt_id)
    .returning(['name', 'prompt_type', 'latest_version', 'archived_at'])
    .executeTakeFirst();
}

/**
 * Increments and returns the version number. Concurrent calls wait for this transaction, so numbers
 * are consecutive, and a number that is rolled back is used again.
 */
export function nextVersion(tx: Tx, key: PromptKey, now: number) {
  return tx.db
    .updateTable('prompts')
    .set((eb) => ({ latest_version: eb('latest_version', '+', 1), updated_at: now }))
    .where('tenant_id', '=', key.tenant_id)
    .where('id', '=', key.prompt_id)
    .returning(['prompt_type', 'latest_version', 'archived_at'])
    .executeTakeFirst();
}

/**
 * Deletes a prompt; returns false if it does not exist. Usage is kept, because other prompts may
 * have the same content.
 */
export async function deletePrompt(tx: Tx, { tenant_id, prompt_id }: PromptKey): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('prompts')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', prompt_id)
    .executeTakeFirst();
  for (const table of ['prompt_versions', 'prompt_labels', 'prompt_label_moves'] as const)
    await tx.db
      .deleteFrom(table)
      .where('tenant_id', '=', tenant_id)
      .where('prompt_id', '=', prompt_id)
      .execute();
  return numDeletedRows > 0n;
}

/** Deletes a label and returns it; undefined if it did not exist. */
export function deleteLabel(tx: Tx, key: PromptKey, label: string) {
  return tx.db
    .deleteFrom('prompt_labels')
    .where('tenant_id', '=', key.tenant_id)
    .where('prompt_id', '=', key.prompt_id)
    .where('label', '=', label)
    .returning(['label', 'version'])
    .executeTakeFirst();
}

type LabelMove = Row<'prompt_label_moves'>;

export async function insertLabelMove(tx: Tx, move: LabelMove): Promise<void> {
  await tx.db.insertInto('prompt_label_moves').values(move).execute();
}

/** Returns one page of label changes, newest first, and their number. */
export async function listLabelMoves(
  db: Db,
  { tenant_id, prompt_id }: PromptKey,
  { limit, offset }: { limit: number; offset: number },
) {
  const moves = db
    .selectFrom('prompt_label_moves')
    .where('tenant_id', '=', tenant_id)
    .where('prompt_id', '=', prompt_id);
  const rows = await moves
    .select(['id', 'label', 'from_version', 'to_version', 'moved_by', 'moved_at'])
    .orderBy('moved_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countOf(moves) };
}

export async function insertLabel(tx: Tx, label: Row<'prompt_labels'>): Promise<void> {
  await tx.db.insertInto('prompt_labels').values(label).execute();
}

/** Lists the usage of versions, newest first. Versions without calls have zeros. */
export function listVersionUsage(db: Db, { tenant_id, prompt_id }: PromptKey) {
  return db
    .selectFrom('prompt_versions')
    .leftJoin('prompt_usage', (join) =>
      join
        .onRef('prompt_usage.tenant_id', '=', 'prompt_versions.tenant_id')
        .onRef('prompt_usage.content_hash', '=', 'prompt_versions.content_hash'),
    )
    .select(['prompt_versions.version', 'prompt_versions.content_hash'])
    .select((eb) =>
      (['call_count', 'total_tokens', 'total_cost'] as const).map((column) =>
        eb.fn.coalesce(`prompt_usage.${column}`, eb.lit(0)).as(column),
      ),
    )
    .where('prompt_versions.tenant_id', '=', tenant_id)
    .where('prompt_versions.prompt_id', '=', prompt_id)
    .orderBy('prompt_versions.version', 'desc')
    .execute();
}

interface NewVersion {
  version: number;
  content: PromptContent;
  config: object;
  commit_message: string;
  created_by: string;
  created_at: number;
}

/** Stores a version, with the hash and preview of its content. */
export async function storeVersion(tx: Tx, key: PromptKey, input: NewVersion) {
  const { content, config, ...rest } = input;
  const version = { ...rest, content_hash: contentHash(content) };
  await insertVersion(tx, {
    ...key,
    ...version,
    config: JSON.stringify(config),
    content: JSON.stringify(content),
    content_preview: previewOf(content),
  });
  return version;
}
