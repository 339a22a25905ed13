import type { Context } from '../context.ts';
import type { Trx } from '../storage/open.ts';

/** Nobody else enrolls, renews, approves or revokes this device before the transaction ends. */
export const lockDevice = (
  { storage }: Pick<Context, 'storage'>,
  trx: Trx,
  tenantId: string,
  hardwareId: string,
): Promise<void> => storage.lock(trx, `device ${tenantId} ${hardwareId}`);
