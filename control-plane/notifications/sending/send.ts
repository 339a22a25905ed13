import { type SealedTarget, decryptTarget } from '../sealed-target.ts';
import { signatureHeaders } from '../webhook-signature.ts';
import type { Context } from '../../context.ts';
import type { Channel } from '../channel-queries.ts';
import type { Message } from '../notification-message.ts';
import type { Outcome } from '../retry-rules.ts';
import { emailContent, slackBody, teamsBody, webhookBody } from './format-rules.ts';
import { post } from './http-post.ts';
import { sendEmail } from './smtp.ts';

const TIMEOUT_MS = 15_000;

type Sending = Pick<Context, 'config' | 'secrets' | 'now'>;

/** Makes one attempt to send a message to a channel. */
export function send(
  context: Sending,
  channel: Pick<Channel, 'kind' | 'sealed'>,
  recipient: string,
  message: Message,
  signal: AbortSignal,
): Promise<Outcome> {
  const { app, smtp, notifyPrivateNetworks: allowed } = context.config;
  if (channel.kind === 'email')
    return sendEmail(smtp, { id: message.id, to: recipient, ...emailContent(message, app.name) });
  const target = decryptTarget(context, channel.sealed);
  const { body, headers } = requestOf(context, channel.kind, target, message);
  const url = new URL(target.url ?? '');
  const common = { 'Content-Type': 'application/json', 'User-Agent': app.name };
  return post(
    { url, body, headers: { ...common, ...headers } },
    { allowed, timeoutMs: TIMEOUT_MS, signal },
  );
}

function requestOf(
  { config, now }: Sending,
  kind: 'webhook' | 'slack' | 'teams',
  { secret = '', previous }: SealedTarget,
  message: Message,
): { body: string; headers: Record<string, string> } {
  if (kind === 'slack') return { body: slackBody(message, config.app.name), headers: {} };
  if (kind === 'teams') return { body: teamsBody(message, config.app.name), headers: {} };
  const body = webhookBody(message);
  const time = now();
  const secrets = previous && previous.until > time ? [secret, previous.secret] : [secret];
  return { body, headers: signatureHeaders(secrets, { id: message.id, time, body }) };
}
