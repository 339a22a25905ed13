import { createHash } from 'node:crypto';
import { type EpisodicWrite, MAX_LIST_ITEMS, type SemanticWrite } from '#contract/memory-slot.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../storage/transaction.ts';
import { toBytes, unitVector } from './recall-rules.ts';
import { append, episodicName, factName, isExpired, itemsOf, previewOf } from './rules.ts';
import { changeSlot, removeIfStale, type NamedSlot } from './change-slot.ts';
import { insertSlot, removeItems, type SlotRow, updateSlot } from './write-queries.ts';

interface Writer {
  tenantId: string;
  runId: number;
}

type Written = Omit<SlotRow, 'tenant_id' | 'id' | 'identity' | 'run_id' | `${string}ated_at`>;

/** Replaces a dict or a value, or appends to a list. */
export function writeEpisodic(context: Context, writer: Writer, write: EpisodicWrite) {
  const identity = hashOf(episodicName(write));
  const now = context.now();
  return changeSlot(context, { ...writer, identity }, async (tx, named) => {
    const existing = await removeIfStale(
      tx,
      writer.tenantId,
      named,
      (slot) => slot.memory_type === write.memory_type && !isExpired(slot, now),
    );
    const id = existing?.id ?? context.newId('mem');
    const content =
      write.memory_type === 'list'
        ? await appendItems(tx, { tenantId: writer.tenantId, id }, existing, write)
        : replaced(write);
    const requested = write.ttl_seconds ? now + write.ttl_seconds * 1000 : null;
    // Replacing resets the expiry. Appending keeps it unless the write sets one.
    const previous = write.memory_type === 'list' ? (existing?.expires_at ?? null) : null;
    const expires_at = requested ?? previous;
    await put(
      tx,
      writer,
      { id, identity, now, isNew: !existing },
      {
        type: 'episodic',
        memory_type: write.memory_type,
        scope_key: write.scope_key,
        slot_name: write.slot_name,
        tags: '[]',
        expires_at,
        ...content,
      },
    );
    return { slot_id: id, created: !existing, item_count: content.item_count, expires_at };
  });
}

/** Stores a fact, or updates the one with its `fact_key`. */
export function writeSemantic(context: Context, writer: Writer, write: SemanticWrite) {
  const name = factName(write);
  const slot = factOf(write);
  const now = context.now();
  const newId = context.newId('mem');
  const store = async (tx: Tx, identity: string, existing?: NamedSlot) => {
    const id = existing?.id ?? newId;
    await put(tx, writer, { id, identity, now, isNew: !existing }, slot);
    return { slot_id: id, created: !existing };
  };
  if (name === null) return context.storage.transaction((tx) => store(tx, newId));
  const identity = hashOf(name);
  return changeSlot(context, { ...writer, identity }, (tx, existing) =>
    store(tx, identity, existing),
  );
}

interface MemoryKey {
  id: string;
  identity: string;
  now: number;
  isNew: boolean;
}

async function put(tx: Tx, writer: Writer, key: MemoryKey, written: Written): Promise<void> {
  const { tenantId, runId } = writer;
  const { id, identity, now } = key;
  const slot = { ...written, run_id: runId, updated_at: now };
  if (key.isNew)
    await insertSlot(tx, { tenant_id: tenantId, id, identity, created_at: now, ...slot });
  else await updateSlot(tx, { tenantId, id }, slot);
}

const replaced = ({ data }: EpisodicWrite) => {
  const text = JSON.stringify(data);
  return {
    data: text,
    preview: previewOf(text),
    size_bytes: Buffer.byteLength(text),
    item_count: null,
  };
};

async function appendItems(
  tx: Tx,
  key: { tenantId: string; id: string },
  existing: NamedSlot | undefined,
  { data, max_items }: EpisodicWrite,
) {
  const items = itemsOf(data).map((item) => JSON.stringify(item));
  const list = { item_count: existing?.item_count ?? 0, appended: existing?.appended ?? 0 };
  const limit = max_items ?? existing?.max_items ?? null;
  const change = append(list, items.length, limit ?? MAX_LIST_ITEMS);
  const first = list.appended + items.length - change.stored + 1;
  const rows = items.slice(items.length - change.stored).map((text, index) => ({
    tenant_id: key.tenantId,
    slot_id: key.id,
    position: first + index,
    size_bytes: Buffer.byteLength(text),
    data: text,
  }));
  const removed = await removeItems(tx, key, change.oldest);
  await tx.bulk.insert('memory_items', rows);
  const added = rows.reduce((sum, row) => sum + row.size_bytes, 0);
  return {
    item_count: change.item_count,
    appended: change.appended,
    max_items: limit,
    preview: previewOf(rows.at(-1)?.data ?? existing?.preview ?? ''),
    size_bytes: (existing?.size_bytes ?? 0) - removed + added,
  };
}

const factOf = (write: SemanticWrite): Written => ({
  type: 'semantic',
  scope_key: write.scope_key,
  slot_name: write.slot_name,
  content: write.content,
  preview: previewOf(write.content),
  size_bytes: Buffer.byteLength(write.content + textOf(write.metadata)),
  embedding: toBytes(unitVector(write.content_embedding)),
  importance: write.importance,
  tags: JSON.stringify(write.tags ?? []),
  fact_key: write.fact_key || null,
  source_tool: write.source_tool ?? null,
  metadata: textOf(write.metadata) || null,
});

const textOf = (metadata: SemanticWrite['metadata']): string =>
  metadata ? JSON.stringify(metadata) : '';

const hashOf = (name: string): string => createHash('sha256').update(name).digest('base64url');
