import type { Context } from '../context.ts';

/** The secret part of a channel: stored encrypted, and never shown again. */
export interface SealedTarget {
  /** Absent for email. */
  url?: string;
  /** Of a webhook: signs requests. */
  secret?: string;
  /** The one before it, and until when requests are signed with it as well. */
  previous?: { secret: string; until: number };
}

type Sealing = Pick<Context, 'secrets'>;

export const seal = ({ secrets }: Sealing, target: SealedTarget): string =>
  secrets.encrypt(JSON.stringify(target));

export const unseal = ({ secrets }: Sealing, sealed: string): SealedTarget =>
  JSON.parse(secrets.decrypt(sealed)) as SealedTarget;

/** The part of a URL that may be shown: paths of Slack and Teams are secrets. */
export function shownTarget(kind: 'webhook' | 'slack' | 'teams', url: string): string {
  const { origin, pathname } = new URL(url);
  return kind === 'webhook' ? `${origin}${pathname}` : `${origin}/…`;
}
