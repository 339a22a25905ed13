import { api } from '../data/api.ts';
import { describeError } from '../data/describe-error.ts';
import type { BulkAction, Target } from './bulk-targets.ts';

export interface Refused {
  device: Target;
  error: string;
}

/**
 * Applies the decision to one device after another. Returns the failures; all other devices are
 * decided.
 */
export async function decideDevices(
  action: BulkAction,
  devices: readonly Target[],
  onProgress: (count: number) => void,
): Promise<Refused[]> {
  const refused: Refused[] = [];
  for (const [at, device] of devices.entries()) {
    try {
      await decide(action, device);
    } catch (error) {
      refused.push({ device, error: describeError(error) });
    }
    onProgress(at + 1);
  }
  return refused;
}

function decide(action: BulkAction, { id, waiting_key }: Target): Promise<unknown> {
  const params = { id };
  if (action === 'revoke') return api.enrollment.revokeDevice({ params, body: {} });
  if (action === 'restore') return api.enrollment.restoreDevice({ params, body: {} });
  // Approves only the displayed key: meanwhile, the device may have requested a certificate for
  // another.
  const body = waiting_key === null ? {} : { key: waiting_key };
  return api.enrollment.approveDevice({ params, body });
}
