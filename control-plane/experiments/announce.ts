import type { Storage } from '../storage/open.ts';

/** Announces a change to the processes that run experiments and the consoles that show them. */
export const announce = ({ signals }: Pick<Storage, 'signals'>, tenant_id: string): void =>
  signals.publish({ tenant_id, topic: 'experiments' });
