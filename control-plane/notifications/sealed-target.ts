import type { Context } from '../context.ts';

/** The secret part of a channel, which is stored encrypted and never shown again. */
export interface SealedTarget {
  /** Not set for email. */
  url?: string;
  /** The secret with which requests of a webhook are signed. */
  secret?: string;
  /** The previous secret, and until when requests are signed with it as well. */
  previous?: { secret: string; until: number };
}

type Sealing = Pick<Context, 'secrets'>;

export const encryptTarget = ({ secrets }: Sealing, target: SealedTarget): string =>
  secrets.encrypt(JSON.stringify(target));

export const decryptTarget = ({ secrets }: Sealing, sealed: string): SealedTarget =>
  JSON.parse(secrets.decrypt(sealed)) as SealedTarget;

/** Returns the part of a URL that may be shown. The paths of Slack and Teams are secrets. */
export function shownTarget(kind: 'webhook' | 'slack' | 'teams', url: string): string {
  const { origin, pathname } = new URL(url);
  return kind === 'webhook' ? `${origin}${pathname}` : `${origin}/…`;
}
