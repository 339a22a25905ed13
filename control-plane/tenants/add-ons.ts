import type { AddOnCode } from '#contract/route.ts';
import type { Storage } from '../storage/open.ts';
import { listActiveCodes } from './queries.ts';

export const activeAddOns = async (
  { storage }: { storage: Pick<Storage, 'db'> },
  tenantId: string,
): Promise<ReadonlySet<AddOnCode>> => new Set(await listActiveCodes(storage.db, tenantId));
