import { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import { memorySummary } from '#contract/memory-slot.ts';
import type { memoryRoutes } from '#contract/memory.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../handler.ts';
import type { RunRef } from '../usage/count.ts';
import { pageOf } from '../http/pagination.ts';
import { findSlot, findSlots, listSlots } from './queries.ts';
import { withContents, withShortContents } from './slot-contents.ts';
import { recall } from './recall.ts';
import { deleteSlots } from './retention-queries.ts';
import { changeSlotWithin } from './change-slot.ts';
import { findWritingRun, removeSlot } from './write-queries.ts';
import { writeEpisodic, writeSemantic } from './write.ts';

export const memoryHandlers: Handlers<typeof memoryRoutes> = {
  async writeEpisodic(context, { caller, params, body }) {
    const writer = await writerOf(context, caller.tenantId, params.run_id);
    const { mask } = await context.maskerOf(caller.tenantId);
    const written = await writeEpisodic(context, writer, { ...body, ...mask({ data: body.data }) });
    await notify(context, writer);
    return { status: 'ok', ...written };
  },

  async writeSemantic(context, { caller, params, body }) {
    const writer = await writerOf(context, caller.tenantId, params.run_id);
    if (body.content.trim() === '') return { status: 'ok', slot_id: null, created: false };
    const { content, metadata } = body;
    const { mask } = await context.maskerOf(caller.tenantId);
    const written = await writeSemantic(context, writer, {
      ...body,
      ...mask({ content, metadata }),
    });
    await notify(context, writer);
    return { status: 'ok', ...written };
  },

  async readMemory(context, { caller, query, url }) {
    const { reader } = context.storage;
    const slots = await listSlots(reader, caller.tenantId, { ...query, now: context.now() });
    const rows = await withContents(reader, caller.tenantId, slots.rows);
    const page = pageOf(url, query, { rows, count: slots.count });
    if (rows.length === slots.rows.length) return page;
    // The size limit was reached before the page was full, so the next page begins here.
    const next = new URL(url);
    next.searchParams.set('offset', String(query.offset + rows.length));
    return { ...page, next: next.href };
  },

  async searchMemory(context, { caller: { tenantId }, body }) {
    const { reader } = context.storage;
    const scope = { tenantId, scope_key: body.scope_key, slot_name: body.slot_name ?? undefined };
    const query = { embedding: body.embedding, tags: body.tags ?? [], limit: body.limit };
    const { ranked, ...extent } = await recall(reader, scope, query);
    const ids = ranked.map(({ id }) => id);
    const facts = await findSlots(reader, tenantId, ids, context.now());
    const byId = new Map(facts.map((fact) => [fact.id, fact]));
    // Facts may have been deleted since they were ranked.
    const matches = ranked.flatMap((rank) => {
      const fact = byId.get(rank.id);
      return fact ? [{ ...fact, ...rank }] : [];
    });
    return { results: await withContents(reader, tenantId, matches), ...extent };
  },

  async listMemory(context, { caller, query, url }) {
    const { reader } = context.storage;
    const filter = { ...query, now: context.now() };
    const { rows, count } = await listSlots(reader, caller.tenantId, filter);
    const slots = await withShortContents(reader, caller.tenantId, rows);
    return pageOf(url, query, { rows: slots, count });
  },

  async getMemory(context, { caller: { tenantId }, params, query }) {
    const { reader } = context.storage;
    const slot = await requireSlot(context, tenantId, params.id);
    const [memory] = await withContents(reader, tenantId, [slot], query.skip);
    if (!memory) throw slotNotFound(params.id);
    return memory;
  },

  async deleteMemory(context, request) {
    const { tenantId } = request.caller;
    const slot = await requireSlot(context, tenantId, request.params.id);
    const { id, identity } = slot;
    await withAudit(context, request, async (tx, audit) => {
      await changeSlotWithin(tx, { tenantId, identity }, () => removeSlot(tx, { tenantId, id }));
      audit({
        action: 'memory.delete',
        resource_type: 'memory_slot',
        resource_id: id,
        // The content is omitted, because it is to be forgotten.
        before: z.encode(memorySummary.omit({ preview: true }), slot),
      });
    });
    return undefined;
  },
};

/** Returns the run that writes the memory, after deleting a few expired slots. */
async function writerOf(context: Context, tenantId: string, runId: number) {
  const run = await findWritingRun(context.storage.db, tenantId, runId);
  if (!run) throw new ApiError('not_found', `there is no run ${runId}`);
  await deleteExpired(context, tenantId);
  return { tenantId, runId, run };
}

// Each write creates at most one slot that can expire, so deleting a few per write is enough.
const SLOTS_PER_WRITE = 5;
const ROWS_PER_WRITE = 250;

async function deleteExpired(context: Context, tenantId: string): Promise<void> {
  const expired = { tenantId, by: 'expires_at', before: context.now() + 1 } as const;
  await deleteSlots(context.storage, expired, ROWS_PER_WRITE, SLOTS_PER_WRITE);
}

async function requireSlot(context: Context, tenantId: string, id: string) {
  const slot = await findSlot(context.storage.reader, tenantId, id, context.now());
  if (!slot) throw slotNotFound(id);
  return slot;
}

const slotNotFound = (id: string): ApiError =>
  new ApiError('not_found', `there is no memory slot ${id}`);

/** Notifies clients that watch the run, and evaluates its policies. */
async function notify(context: Context, { run }: { run: RunRef }): Promise<void> {
  const { tenant_id, id: run_id } = run;
  context.storage.signals.publish({ tenant_id, topic: 'runs', run_id });
  // The write stays stored even if the evaluation fails.
  await context.governance
    .onTelemetry(run, {})
    .catch((error: unknown) => context.log.error({ err: error }, 'policy evaluation failed'));
}
