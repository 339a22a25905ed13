import type { QuietHours } from '#contract/notifications.ts';
import type { Context } from '../context.ts';
import { notificationsLock } from '../storage/locks.ts';
import type { Tx } from '../storage/transaction.ts';
import { type Channel, listChannels } from './channel-queries.ts';
import { type Delivery, insertDelivery, insertItem, joinDelivery } from './delivery-queries.ts';
import type { EventFacts } from '../notification-event.ts';
import { deleteEvents, listEvents, type StoredEvent } from './event-queries.ts';
import { matches, type Conditions } from './matching-rules.ts';
import { quietUntil } from './quiet-hours-rules.ts';
import { listEnabledRules, type Rule } from './rule-queries.ts';

const EVENTS_PER_STEP = 200;
/** The maximum number of events that a message lists; further events are only counted. */
export const ITEMS_PER_MESSAGE = 50;
/** The time during which dropped events of one cause share one entry in the log. */
const DROPPED_TOGETHER_MS = 3_600_000;

type Routing = Pick<Context, 'storage' | 'now' | 'newId'>;

/**
 * Turns a tenant's events into messages, for each matching rule and its channels. Processes do so
 * one after another, so that each event becomes part of a message once. Returns whether there may
 * be more events.
 */
export function routeEvents(context: Routing, tenantId: string): Promise<boolean> {
  return context.storage.transaction(async (tx) => {
    await tx.lock(notificationsLock(tenantId));
    const events = await listEvents(tx.db, tenantId, EVENTS_PER_STEP);
    if (events.length === 0) return false;
    const rules = (await listEnabledRules(tx.db, tenantId)).map(parsed);
    const channels = new Map(
      (await listChannels(tx.db, tenantId)).map((channel) => [channel.id, channel]),
    );
    for (const event of events) {
      const facts = JSON.parse(event.facts) as EventFacts;
      for (const rule of rules)
        if (matches(rule.conditions, event.event, facts))
          for (const id of rule.channelIds) {
            const channel = channels.get(id);
            if (channel) await routeTo(tx, context, { event, facts, rule, channel });
          }
    }
    await deleteEvents(
      tx,
      tenantId,
      events.map(({ id }) => id),
    );
    return events.length === EVENTS_PER_STEP;
  });
}

interface ParsedRule extends Pick<Rule, 'id' | 'name' | 'group_seconds'> {
  conditions: Conditions;
  channelIds: readonly string[];
  quiet: QuietHours | null;
}

const parsed = (rule: Rule): ParsedRule => ({
  ...rule,
  conditions: conditionsOf(rule),
  channelIds: JSON.parse(rule.channel_ids) as string[],
  quiet: JSON.parse(rule.quiet_hours) as QuietHours | null,
});

export const conditionsOf = (rule: Rule): Conditions => ({
  ...rule,
  events: JSON.parse(rule.events) as Conditions['events'],
  policy_ids: JSON.parse(rule.policy_ids) as string[],
  agents: JSON.parse(rule.agents) as string[],
});

interface Route {
  event: StoredEvent;
  facts: EventFacts;
  rule: ParsedRule;
  channel: Channel;
}

/**
 * Creates the messages of a channel. Each recipient of an email has a separate one, so that a
 * failed message is not sent to the others again.
 */
async function routeTo(tx: Tx, context: Routing, route: Route): Promise<void> {
  const addresses = JSON.parse(route.channel.recipients) as string[];
  for (const recipient of route.channel.kind === 'email' ? addresses : [''])
    await addToMessage(tx, context, route, recipient);
}

async function addToMessage(
  tx: Tx,
  context: Routing,
  { event, facts, rule, channel }: Route,
  recipient: string,
): Promise<void> {
  const now = context.now();
  const isDropped =
    rule.quiet?.during === 'drop' && quietUntil(rule.quiet, event.created_at) !== null;
  const end = event.created_at + rule.group_seconds * 1000;
  const due_at = (rule.quiet?.during === 'hold' && quietUntil(rule.quiet, end)) || end;
  const delivery: Delivery = {
    tenant_id: event.tenant_id,
    id: context.newId('msg'),
    rule_id: rule.id,
    rule_name: rule.name,
    channel_id: channel.id,
    channel_name: channel.name,
    channel_kind: channel.kind,
    recipient,
    event: event.event,
    cause: event.cause,
    subject: facts.title,
    event_count: 1,
    status: isDropped ? 'dropped' : 'waiting',
    attempts: 0,
    created_at: now,
    due_at,
    lease_owner: '',
    lease_until: 0,
    sent_at: null,
    last_answer: null,
    last_error: null,
  };
  const joined = await joinDelivery(tx, delivery, now - DROPPED_TOGETHER_MS);
  if (!joined) await insertDelivery(tx, delivery);
  const { id, event_count } = joined ?? delivery;
  if (isDropped || event_count > ITEMS_PER_MESSAGE) return;
  const { tenant_id, id: event_id, created_at } = event;
  await insertItem(tx, { tenant_id, delivery_id: id, event_id, facts: event.facts, created_at });
}
