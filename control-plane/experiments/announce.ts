import type { Storage } from '../storage/open.ts';

/** Tells the processes that run experiments, and the consoles that show them, of a change. */
export const announce = ({ signals }: Pick<Storage, 'signals'>, tenant_id: string): void =>
  signals.publish({ tenant_id, topic: 'experiments' });
