import { getApproval } from '../approvals/decision-queries.ts';
import type { Context } from '../context.ts';
import type { Channel } from './channel-queries.ts';
import { decisionUrl } from './decision-link.ts';
import { mayDecideByLink } from './decision-rules.ts';
import { type Delivery, type Item, listItems } from './delivery-queries.ts';
import type { EventFacts } from '../notification-event.ts';
import type { Message, MessageItem } from './notification-message.ts';
import { findRule } from './rule-queries.ts';

type Composing = Pick<Context, 'storage' | 'secrets' | 'urls' | 'now'>;

/**
 * Composes a message with the current state: a request that was decided in the meantime shows the
 * decision, and has no link.
 */
export async function composeMessage(
  context: Composing,
  delivery: Delivery,
  channel: Channel,
): Promise<Message> {
  const { db } = context.storage;
  const rule = await findRule(db, delivery.tenant_id, delivery.rule_id);
  const withLinks = rule?.enabled === 1 && rule.decide_by_link === 1;
  const items: MessageItem[] = [];
  for (const item of await listItems(db, delivery))
    items.push(await itemOf(context, { delivery, channel, item, withLinks }));
  const { id, event, rule_id, rule_name, event_count } = delivery;
  return { id, event, rule: { id: rule_id, name: rule_name }, count: event_count, items };
}

interface ItemSource {
  delivery: Delivery;
  channel: Channel;
  item: Item;
  withLinks: boolean;
}

async function itemOf(context: Composing, source: ItemSource): Promise<MessageItem> {
  const { event_id: id, created_at, facts: text } = source.item;
  const facts = JSON.parse(text) as EventFacts;
  const url = new URL(facts.path, context.urls.public).href;
  const decision = await decisionOf(context, source, facts.approval_id);
  return { id, created_at, facts, url, ...decision };
}

async function decisionOf(
  context: Composing,
  { delivery, channel, withLinks }: ItemSource,
  approvalId: string | null,
): Promise<Pick<MessageItem, 'decide_url' | 'decided'>> {
  const { tenant_id: tenant, rule_id, channel_id, recipient } = delivery;
  const approval =
    approvalId === null
      ? undefined
      : await getApproval(context.storage.db, tenant, approvalId, context.now());
  if (!approval) return { decide_url: null, decided: null };
  if (approval.status !== 'pending') {
    const by = approval.decided_by === null ? '' : ` by ${approval.decided_by}`;
    return { decide_url: null, decided: `Already ${approval.status}${by}` };
  }
  const approvers = JSON.parse(approval.approvers) as string[];
  if (!withLinks || !mayDecideByLink({ ...channel, recipient }, approvers))
    return { decide_url: null, decided: null };
  const decide_url = decisionUrl(context.secrets.decisionLinkKey, context.urls.public, {
    tenant,
    approval: approval.id,
    rule: rule_id,
    channel: channel_id,
    recipient,
    expires: approval.expires_at,
  });
  return { decide_url, decided: null };
}
