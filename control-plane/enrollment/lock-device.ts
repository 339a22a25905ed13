import type { Context } from '../context.ts';
import type { Trx } from '../storage/open.ts';

/**
 * Serializes enrollment, renewal, approval and revocation of a device until the transaction ends.
 */
export const lockDevice = (
  { storage }: Pick<Context, 'storage'>,
  trx: Trx,
  tenantId: string,
  hardwareId: string,
): Promise<void> => storage.lock(trx, `device ${tenantId} ${hardwareId}`);
