import { MAX_EXPORTED } from '#contract/filters.ts';
import type { inventoryRoutes } from '#contract/inventory.ts';
import type { Handlers } from '../handler.ts';
import { EXPORTED_AT_ONCE, refuseTooMany, listFile } from '../lib/list-file.ts';
import { type AppFilter, type AppSort, countApps, eachApp } from './app-queries.ts';
import { countGroups, eachGroup, type GroupFilter, type GroupSort } from './group-list-queries.ts';
import { groupColumns } from './group-queries.ts';
import { lastKnownOf } from './last-known-line.ts';
import type { Db } from '../storage/open.ts';

type Exports = Pick<Handlers<typeof inventoryRoutes>, 'exportApps' | 'exportAppGroups'>;

export const inventoryExports: Exports = {
  async exportApps({ storage: { reader } }, { caller: { tenantId }, query }) {
    const { format, sort, ...filter } = query;
    refuseTooMany((await countApps(reader, tenantId, filter, MAX_EXPORTED)).count, 'apps');
    const batches = exportedApps(reader, tenantId, filter, sort);
    return listFile({ format, name: 'inventory', fields: appFields, batches });
  },

  async exportAppGroups({ storage: { reader } }, { caller: { tenantId }, query }) {
    const { format, sort, ...filter } = query;
    refuseTooMany(await countGroups(reader, tenantId, filter), 'apps');
    const batches = exportedGroups(reader, tenantId, filter, sort);
    return listFile({ format, name: 'apps', fields: groupColumns, batches });
  },
};

const appFields = [
  'hostname',
  'device_id',
  'user',
  'kind',
  'name',
  'version',
  'catalog_id',
  'path',
  'present',
  'risk_flags',
  'confidence',
  'first_seen',
  'last_seen',
  'last_known',
  'group_id',
  'id',
] as const;

const iso = (ms: number): string => new Date(ms).toISOString();

async function* exportedApps(db: Db, tenantId: string, filter: AppFilter, sort: AppSort) {
  const options = { filter, sort, size: EXPORTED_AT_ONCE, max: MAX_EXPORTED };
  for await (const rows of eachApp(db, tenantId, options))
    yield rows.map((row) => {
      const unseen = lastKnownOf(JSON.parse(row.evidence) as string[]);
      return {
        ...row,
        present: row.last_seen === row.scanned_at,
        risk_flags: JSON.parse(row.risk_flags) as string[],
        first_seen: iso(row.first_seen),
        last_seen: iso(unseen?.seen_at ?? row.last_seen),
        last_known: unseen?.why ?? null,
      };
    });
}

async function* exportedGroups(db: Db, tenantId: string, filter: GroupFilter, sort: GroupSort) {
  const options = { filter, sort, size: EXPORTED_AT_ONCE, max: MAX_EXPORTED };
  for await (const rows of eachGroup(db, tenantId, options))
    yield rows.map((row) => ({
      ...row,
      risk_flags: (JSON.parse(row.risk_flags) as { flag: string }[]).map(({ flag }) => flag),
      first_seen: iso(row.first_seen),
      last_seen: iso(row.last_seen),
    }));
}
