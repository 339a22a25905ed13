import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** Creates a new secret for a webhook, in the form of Standard Webhooks. */
export const newSigningSecret = (): string => PREFIX + randomBytes(24).toString('base64');

/**
 * Returns the headers with which a receiver verifies a request. They have one signature for each
 * secret.
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, time, body }: { id: string; time: number; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(time / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
