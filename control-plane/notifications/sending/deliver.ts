import type { Context } from '../../context.ts';
import { findChannel } from '../channel-queries.ts';
import { composeMessage } from '../compose-message.ts';
import {
  claimDelivery,
  type Delivery,
  listDue,
  storeDeliveryAttempt,
} from '../delivery-queries.ts';
import { delayAfter, type Outcome } from '../retry-rules.ts';
import { send } from './send.ts';

/** Longer than any attempt: an expired lease means that its process has ended. */
const LEASE_MS = 90_000;
const WORKERS = 8;
const CANDIDATES = 100;

/**
 * The messages that this process is sending: one per channel, so that a slow channel does not delay
 * others.
 */
export interface Sender {
  owner: string;
  busy: Set<string>;
}

/** Sends all messages that are due. */
export async function deliverDue(
  context: Context,
  sender: Sender,
  stopping: AbortSignal,
): Promise<void> {
  // While nothing is due, which is most of the time, one query is enough.
  if ((await listDue(context.storage.db, context.now(), 1)).length === 0) return;
  const work = async (): Promise<void> => {
    while (!stopping.aborted && (await deliverNext(context, sender, stopping)));
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
}

/** Sends one message; returns false if none is due. */
async function deliverNext(
  context: Context,
  { owner, busy }: Sender,
  stopping: AbortSignal,
): Promise<boolean> {
  const { db } = context.storage;
  const now = context.now();
  const due = await listDue(db, now, CANDIDATES);
  const next = due.find(({ channel_id }) => !busy.has(channel_id));
  if (!next) return false;
  busy.add(next.channel_id);
  try {
    const lease = { lease_owner: owner, lease_until: now + LEASE_MS };
    const delivery = await context.storage.transaction((tx) => claimDelivery(tx, next, lease, now));
    if (delivery) await attempt(context, delivery, stopping);
    return true;
  } finally {
    busy.delete(next.channel_id);
  }
}

async function attempt(context: Context, delivery: Delivery, stopping: AbortSignal): Promise<void> {
  const outcome = await sendOnce(context, delivery, stopping);
  // An interruption is not a failure, and another process sends the message.
  const isInterrupted = stopping.aborted && outcome.kind === 'refused';
  const change = isInterrupted
    ? { attempts: delivery.attempts - 1 }
    : changeAfter(context, delivery, outcome);
  await context.storage.transaction((tx) => storeDeliveryAttempt(tx, delivery, change));
}

async function sendOnce(
  context: Context,
  delivery: Delivery,
  stopping: AbortSignal,
): Promise<Outcome> {
  const { tenant_id, channel_id, recipient } = delivery;
  const channel = await findChannel(context.storage.db, tenant_id, channel_id);
  if (!channel) return { kind: 'refused', error: 'the channel was deleted', retry: false };
  try {
    const message = await composeMessage(context, delivery, channel);
    return await send(context, channel, recipient, message, stopping);
  } catch (error) {
    if (context.storage.isUnavailable(error)) throw error;
    context.log.error({ err: error }, `notification ${delivery.id} could not be sent`);
    return { kind: 'refused', error: 'internal error: see the log', retry: true };
  }
}

function changeAfter(context: Context, delivery: Delivery, outcome: Outcome): Partial<Delivery> {
  const now = context.now();
  if (outcome.kind === 'delivered')
    return { status: 'sent', sent_at: now, last_answer: outcome.answer, last_error: null };
  const delay = delayAfter(delivery.attempts, outcome, Math.random());
  return {
    ...(delay === null ? { status: 'failed' } : { due_at: now + delay }),
    last_answer: outcome.answer ?? null,
    last_error: outcome.error,
  };
}
