import type { devicesRoutes } from '#contract/devices.ts';
import { MAX_EXPORTED } from '#contract/filters.ts';
import type { Handlers } from '../handler.ts';
import { EXPORTED_AT_ONCE, refuseTooMany, listFile } from '../lib/list-file.ts';
import type { Db } from '../storage/open.ts';
import { countDevices, type DeviceSelection, type DeviceSort, eachDevice } from './list-queries.ts';
import { isOnline } from './rules.ts';

const fields = [
  'id',
  'hostname',
  'user',
  'user_group',
  'os',
  'os_version',
  'agent_version',
  'status',
  'online',
  'enrolled_at',
  'last_seen',
  'config_version',
  'applied_version',
  'problems',
  'present_apps',
  'risk_flags',
] as const;

export const exportDevices: Handlers<typeof devicesRoutes>['exportDevices'] = async (
  context,
  { caller: { tenantId }, query: { format, sort, ...filter } },
) => {
  const { reader } = context.storage;
  const selection = { tenantId, filter, now: context.now() };
  refuseTooMany(await countDevices(reader, selection), 'devices');
  return listFile({
    format,
    name: 'devices',
    fields,
    batches: exported(reader, selection, sort),
  });
};

async function* exported(db: Db, selection: DeviceSelection, sort: DeviceSort) {
  const page = { sort, size: EXPORTED_AT_ONCE, max: MAX_EXPORTED };
  for await (const rows of eachDevice(db, selection, page))
    yield rows.map((row) => ({
      ...row,
      online: isOnline(row, selection.now),
      enrolled_at: new Date(row.enrolled_at).toISOString(),
      last_seen: new Date(row.last_seen).toISOString(),
      problems: JSON.parse(row.problems) as string[],
      risk_flags: JSON.parse(row.risk_flags) as string[],
    }));
}
