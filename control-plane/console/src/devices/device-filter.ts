import { t } from '@lingui/core/macro';
import { deviceSorts, deviceStates } from '#contract/devices.ts';
import type { DeviceFilter } from '../data/device-sources.ts';
import { rangedTimeOf } from '../lists/list-times.ts';
import type { Filters } from '../use-filters.ts';

/** The times of a device that the list can filter by. */
export const deviceTimes = [
  { id: 'last_seen', name: t`Last seen`, within: t`last seen` },
  { id: 'enrolled_at', name: t`Enrolled`, within: t`enrolled` },
] as const;

/** Names of filters in the URL. They are those of the service, except for `risk`. */
const texts = ['os', 'user_group', 'agent_version', 'problem', 'app'] as const;

/** Filter from the URL. Drops values that the service would reject: URLs can be edited by hand. */
export function deviceFilterOf({ get }: Pick<Filters, 'get'>): DeviceFilter {
  const [search, risk_flag] = [get('search').trim(), get('risk').slice(0, 100)];
  const state = deviceStates.find((one) => one === get('state'));
  const config = (['applied', 'pending'] as const).find((one) => one === get('config'));
  const named = texts.flatMap((name) => (get(name) ? [[name, get(name)]] : []));
  return {
    ...(search && { search }),
    ...(state && { state }),
    ...(config && { config }),
    ...(risk_flag && { risk_flag }),
    ...(get('problems') === 'true' && { with_problems: 'true' as const }),
    ...(Object.fromEntries(named) as DeviceFilter),
    ...rangedTimeOf({ get }, deviceTimes),
  };
}

export const FIRST_DEVICE_SORT = '-last_seen';

export const deviceSortOf = ({ get }: Pick<Filters, 'get'>) =>
  deviceSorts.flatMap((name) => [name, `-${name}`] as const).find((sort) => sort === get('sort')) ??
  FIRST_DEVICE_SORT;

const collapsed = [
  'app',
  'os',
  'user_group',
  'agent_version',
  'problem',
  'config',
  'risk_flag',
] as const;

/** How many of the filters that the toolbar collapses are set. */
export const collapsedFilterCount = (filter: DeviceFilter): number =>
  collapsed.filter((name) => filter[name] !== undefined).length;
