import { compareVersions, versionKey } from '#contract/version-order.ts';
import type { AppGroupTable } from '../storage/tables/inventory.ts';

/** One app of a group on one device. */
export interface Member {
  device_id: string;
  user: string | null;
  version: string | null;
  /** JSON. */
  risk_flags: string;
  first_seen: number;
  last_seen: number;
  /** Whether it was present in its device's latest scan. */
  present: boolean;
}

/** The aggregate of the apps of a group. Counts include only apps that are present. */
export type Summary = Omit<
  AppGroupTable,
  'tenant_id' | 'id' | 'kind' | 'name' | 'catalog_id' | 'revision'
>;

/** The maximum number of versions. An app with more is unlikely to have real versions. */
const MAX_VERSIONS = 200;
const MAX_FLAGS = 50;

export function summarize(members: readonly Member[]): Summary {
  const presentMembers = members.filter(({ present }) => present);
  const devices = devicesOf(presentMembers);
  const all = versionsOf(presentMembers);
  const ordered = all.map(({ version }) => version).filter((one) => versionKey(one) !== null);
  const oldest = ordered.at(-1) ?? null;
  return {
    first_seen: Math.min(...members.map(({ first_seen }) => first_seen)),
    last_seen: Math.max(...members.map(({ last_seen }) => last_seen)),
    device_count: devices.size,
    gone_count: devicesOf(members).size - devices.size,
    user_count: new Set(presentMembers.flatMap(({ user }) => user ?? [])).size,
    version_count: all.length,
    versions: JSON.stringify(all.slice(0, MAX_VERSIONS)),
    oldest_version: oldest,
    newest_version: ordered[0] ?? null,
    oldest_key: versionKey(oldest),
    risk_flags: JSON.stringify(flagsOf(presentMembers).slice(0, MAX_FLAGS)),
  };
}

const devicesOf = (members: readonly Member[]): Set<string> =>
  new Set(members.map(({ device_id }) => device_id));

function versionsOf(members: readonly Member[]) {
  const known = members.filter(({ version }) => version !== null);
  return counted(known.map(({ version, device_id }) => [version as string, device_id]))
    .map(([version, device_count]) => ({ version, device_count }))
    .sort((a, b) => compareVersions(b.version, a.version) || (a.version < b.version ? -1 : 1));
}

function flagsOf(members: readonly Member[]) {
  const flags = members.flatMap(({ risk_flags, device_id }) =>
    (JSON.parse(risk_flags) as string[]).map((flag) => [flag, device_id] as const),
  );
  return counted(flags)
    .map(([flag, device_count]) => ({ flag, device_count }))
    .sort((a, b) => b.device_count - a.device_count || (a.flag < b.flag ? -1 : 1));
}

/** Counts the devices with each value. */
function counted(values: readonly (readonly [value: string, device: string])[]) {
  const devices = new Map<string, Set<string>>();
  for (const [value, device] of values) {
    const on = devices.get(value);
    if (on) on.add(device);
    else devices.set(value, new Set([device]));
  }
  return [...devices].map(([value, on]) => [value, on.size] as const);
}
