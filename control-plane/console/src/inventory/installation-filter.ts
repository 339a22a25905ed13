import { appKinds } from '#contract/inventory.ts';
import type { AppFilter } from '../data/inventory-sources.ts';
import { rangedTimeOf } from '../lists/list-times.ts';
import type { Filters } from '../use-filters.ts';
import { appTimes } from './inventory-fields.tsx';

const sorts = ['kind', '-kind', 'first_seen', '-first_seen', 'last_seen', '-last_seen'] as const;
export const FIRST_INSTALLATION_SORT = 'kind';

/** Filter from the URL. Drops values that the service would reject: URLs can be edited by hand. */
export function installationFilterOf({ get }: Pick<Filters, 'get'>): AppFilter {
  const kind = appKinds.find((one) => one === get('kind'));
  const sort = sorts.find((one) => one === get('sort'));
  const [search, version, user] = [get('search').trim(), get('version'), get('user')];
  const risk_flag = get('risk').slice(0, 100);
  return {
    ...(kind && { kind }),
    ...(sort && { sort }),
    ...(search && { search }),
    ...(version && { version }),
    ...(user && { user }),
    ...(risk_flag && { risk_flag }),
    ...presence(get('present')),
    ...rangedTimeOf({ get }, appTimes),
  };
}

const presence = (value: string): Pick<AppFilter, 'present'> =>
  value === 'any' ? {} : { present: value === 'false' ? 'false' : 'true' };
