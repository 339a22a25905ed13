import { type ChannelPush, channelPush } from '#contract/device.ts';
import { configFor, type DeviceConfigParts } from '../rules.ts';

/** What the cascade needs to know of a device. */
export interface Target {
  deviceId: string;
  user_group: string | null;
  /** JSON of the hosts of the profile that it enrolled with. */
  profile_hosts: string | null;
}

/**
 * The message for each device of a tenant at one version. Devices that nothing tells apart share
 * one: a change for thousands is resolved as often as there are different answers.
 */
export function pushMessages(told: DeviceConfigParts): (target: Target) => string {
  const known = new Map<string, string>();
  const own = new Set(
    told.layers.filter(({ layer }) => layer === 'device').map(({ scope }) => scope),
  );
  return (target) => {
    const { deviceId, user_group, profile_hosts } = target;
    const blocked = told.blocks?.get(deviceId);
    const key = JSON.stringify([own.has(deviceId) && deviceId, user_group, profile_hosts, blocked]);
    const message = known.get(key) ?? messageFor(told, target);
    known.set(key, message);
    return message;
  };
}

function messageFor(
  told: DeviceConfigParts,
  { deviceId, user_group, profile_hosts }: Target,
): string {
  const profileHosts = JSON.parse(profile_hosts ?? '[]') as string[];
  const config = configFor(told, { device: deviceId, user_group }, profileHosts);
  const message: ChannelPush = { type: 'config', config };
  return JSON.stringify(channelPush.parse(message));
}

interface Grouped<V> {
  key: V;
  ids: string[];
}

/** Devices by what is to be stored of them: as many statements as there are different values. */
export function groupSame<V>(values: Iterable<readonly [id: string, value: V]>): Grouped<V>[] {
  const groups = new Map<string, Grouped<V>>();
  for (const [id, key] of values) {
    const text = JSON.stringify(key);
    const group = groups.get(text) ?? { key, ids: [] };
    group.ids.push(id);
    groups.set(text, group);
  }
  return [...groups.values()];
}
