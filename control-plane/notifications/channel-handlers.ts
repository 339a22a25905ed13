import type { z } from 'zod';
import { ApiError } from '#contract/errors.ts';
import type { notificationRoutes } from '#contract/notifications.ts';
import { withAudit } from '../audit/with-audit.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../handler.ts';
import { DAY_MS } from '#lib/time-units.ts';
import type { Db } from '../storage/open.ts';
import type { Tx } from '../storage/transaction.ts';
import { notificationsLock } from '../storage/locks.ts';
import {
  type Channel,
  deleteChannel,
  findChannel,
  insertChannel,
  listChannels,
  updateChannel,
} from './channel-queries.ts';
import type { Message } from './notification-message.ts';
import { listRules } from './rule-queries.ts';
import { send } from './sending/send.ts';
import { encryptTarget, type SealedTarget, shownTarget, decryptTarget } from './sealed-target.ts';
import { newSigningSecret } from './webhook-signature.ts';
import { NO_SMTP } from './sending/smtp.ts';

const MAX_CHANNELS = 20;
/** The time that receivers have to replace a secret. */
const OVERLAP_MS = DAY_MS;

type ChannelRoutes = Pick<
  typeof notificationRoutes,
  | 'listChannels'
  | 'createChannel'
  | 'updateChannel'
  | 'rotateChannelSecret'
  | 'testChannel'
  | 'deleteChannel'
>;

export const channelHandlers: Handlers<ChannelRoutes> = {
  async listChannels(context, { caller }) {
    const channels = await listChannels(context.storage.db, caller.tenantId);
    return { results: channels.map((channel) => shown(context, channel)) };
  },

  async createChannel(context, request) {
    const { caller, body } = request;
    const secret = body.kind === 'webhook' ? newSigningSecret() : null;
    const now = context.now();
    const target = body.kind === 'email' ? {} : { url: body.url };
    const channel: Channel = {
      tenant_id: caller.tenantId,
      id: context.newId('nch'),
      name: body.name,
      kind: body.kind,
      ...facts(body),
      sealed: encryptTarget(context, { ...target, ...(secret && { secret }) }),
      created_at: now,
      updated_at: now,
    };
    await withAudit(context, request, async (tx, audit) => {
      await tx.lock(notificationsLock(caller.tenantId));
      const all = await listChannels(tx.db, caller.tenantId);
      if (all.length >= MAX_CHANNELS)
        throw new ApiError(
          'count_limit_reached',
          `a tenant can have at most ${MAX_CHANNELS} channels: delete one`,
        );
      refuseTakenName(all, channel);
      await insertChannel(tx, channel);
      audit({ ...changeOf('create', channel.id), after: audited(channel) });
    });
    return { ...shown(context, channel), secret };
  },

  updateChannel: (context, request) =>
    change(context, request, 'update', (before) => {
      const { name = before.name, url, recipients } = request.body;
      if (before.kind === 'email' ? url !== undefined : recipients !== undefined)
        throw new ApiError(
          'validation_error',
          before.kind === 'email'
            ? 'url: an email channel has recipients'
            : `recipients: a ${before.kind} channel has a URL`,
        );
      const target = decryptTarget(context, before.sealed);
      return {
        ...before,
        name,
        ...(recipients && facts({ kind: 'email', recipients })),
        ...(url !== undefined &&
          before.kind !== 'email' && {
            ...facts({ kind: before.kind, url }),
            sealed: encryptTarget(context, { ...target, url }),
          }),
      };
    }),

  async rotateChannelSecret(context, request) {
    const secret = newSigningSecret();
    await change(context, request, 'rotate_secret', (before) => {
      if (before.kind !== 'webhook')
        throw new ApiError('validation_error', `a ${before.kind} channel has no signing secret`);
      const target = decryptTarget(context, before.sealed);
      return { ...before, sealed: encryptTarget(context, rotated(target, secret, context.now())) };
    });
    return { secret };
  },

  async testChannel(context, request) {
    const { tenantId } = request.caller;
    const channel = await requireChannel(context.storage.db, tenantId, request.params.id);
    const addresses = JSON.parse(channel.recipients) as string[];
    const results: { delivered: boolean; answer: string }[] = [];
    for (const recipient of channel.kind === 'email' ? addresses : ['']) {
      const outcome = await send(
        context,
        channel,
        recipient,
        testMessage(context),
        request.disconnectSignal(),
      );
      const who = addresses.length > 1 ? `${recipient}: ` : '';
      results.push(
        outcome.kind === 'delivered'
          ? { delivered: true, answer: who + outcome.answer }
          : { delivered: false, answer: who + outcome.error },
      );
    }
    const failed = results.find(({ delivered }) => !delivered);
    const result = failed ?? results[0];
    if (!result) throw new Error(`channel ${channel.id} has no recipient`);
    await withAudit(context, request, (_tx, audit) =>
      audit({
        ...changeOf('test', channel.id),
        metadata: { channel: channel.name, delivered: result.delivered, answer: result.answer },
      }),
    );
    return result;
  },

  deleteChannel: (context, request) =>
    withAudit(context, request, async (tx, audit) => {
      const { tenantId } = request.caller;
      await tx.lock(notificationsLock(tenantId));
      const before = await requireChannel(tx.db, tenantId, request.params.id);
      const users = (await listRules(tx.db, tenantId)).filter((rule) =>
        (JSON.parse(rule.channel_ids) as string[]).includes(before.id),
      );
      if (users.length > 0)
        throw new ApiError(
          'invalid_state',
          `channel ${before.name} is used by ${users.map(({ name }) => name).join(', ')}: remove it there first`,
        );
      await deleteChannel(tx, tenantId, before.id);
      audit({ ...changeOf('delete', before.id), before: audited(before) });
      return undefined;
    }),
};

const changeOf = (action: string, id: string) => ({
  action: `notification_channel.${action}`,
  resource_type: 'notification_channel',
  resource_id: id,
});

type NewTarget =
  | { kind: 'email'; recipients: readonly string[] }
  | { kind: 'webhook' | 'slack' | 'teams'; url: string };

/** Returns the columns that show the target. */
function facts(target: NewTarget): Pick<Channel, 'target' | 'recipients'> {
  if (target.kind !== 'email')
    return { target: shownTarget(target.kind, target.url), recipients: '[]' };
  const addresses = [...new Set(target.recipients.map((address) => address.toLowerCase()))];
  return { target: addresses.join(', '), recipients: JSON.stringify(addresses) };
}

const audited = ({ name, kind, target }: Channel) => ({ name, kind, target });

type Shown = z.output<typeof notificationRoutes.updateChannel.response>;

const shown = ({ config }: Context, channel: Channel): Shown => ({
  ...channel,
  problem: channel.kind === 'email' && !config.smtp ? NO_SMTP : null,
});

/** Replaces the secret. Only the last secret stays valid for a while. */
const rotated = (target: SealedTarget, secret: string, now: number): SealedTarget => ({
  ...target,
  secret,
  ...(target.secret && { previous: { secret: target.secret, until: now + OVERLAP_MS } }),
});

async function requireChannel(db: Db, tenantId: string, id: string): Promise<Channel> {
  const channel = await findChannel(db, tenantId, id);
  if (!channel) throw new ApiError('not_found', `there is no channel ${id}`);
  return channel;
}

function refuseTakenName(all: readonly Channel[], { id, name }: Channel): void {
  if (all.some((one) => one.name === name && one.id !== id))
    throw new ApiError('already_exists', `there is another channel with the name ${name}`);
}

type ChangeRequest = Parameters<typeof withAudit>[1] & { params: { id: string } };

function change(
  context: Context,
  request: ChangeRequest,
  action: string,
  changed: (before: Channel) => Channel,
): Promise<Shown> {
  const { tenantId } = request.caller;
  return withAudit(context, request, async (tx: Tx, audit) => {
    await tx.lock(notificationsLock(tenantId));
    const before = await requireChannel(tx.db, tenantId, request.params.id);
    const after = { ...changed(before), updated_at: context.now() };
    refuseTakenName(await listChannels(tx.db, tenantId), after);
    await updateChannel(tx, after);
    const entry = { before: audited(before), after: audited(after) };
    audit({ ...changeOf(action, after.id), ...entry });
    return shown(context, after);
  });
}

function testMessage(context: Context): Message {
  const url = new URL('/notifications', context.urls.public).href;
  const item = {
    id: context.newId('nev'),
    created_at: context.now(),
    url,
    decide_url: null,
    decided: null,
    facts: {
      title: `Test message from ${context.config.app.name}`,
      text: 'This channel works: notifications of its rules will arrive here.',
      severity: null,
      agent: null,
      policy: null,
      device: null,
      path: '/notifications',
      approval_id: null,
      threshold: null,
      details: {},
    },
  };
  return { id: context.newId('msg'), event: 'test', rule: null, count: 1, items: [item] };
}
