import { type ChannelPush, channelPush } from '#contract/device-protocol.ts';
import { configFor, type DeviceConfigParts } from '../device-config-rules.ts';

/** A device's inputs to the cascade. */
export interface Target {
  deviceId: string;
  user_group: string | null;
  /** JSON of the hosts in the profile with which it enrolled. */
  profile_hosts: string | null;
}

/**
 * Builds the message for each device of a tenant at one version. Devices with the same inputs share
 * one message, so a change for thousands of devices is resolved once per distinct result.
 */
export function pushMessages(parts: DeviceConfigParts): (target: Target) => string {
  const messages = new Map<string, string>();
  const own = new Set(
    parts.layers.filter(({ layer }) => layer === 'device').map(({ scope }) => scope),
  );
  return (target) => {
    const { deviceId, user_group, profile_hosts } = target;
    const blocked = parts.blocks?.get(deviceId);
    const key = JSON.stringify([own.has(deviceId) && deviceId, user_group, profile_hosts, blocked]);
    const message = messages.get(key) ?? messageFor(parts, target);
    messages.set(key, message);
    return message;
  };
}

function messageFor(
  parts: DeviceConfigParts,
  { deviceId, user_group, profile_hosts }: Target,
): string {
  const profileHosts = JSON.parse(profile_hosts ?? '[]') as string[];
  const config = configFor(parts, { device: deviceId, user_group }, profileHosts);
  const message: ChannelPush = { type: 'config', config };
  return JSON.stringify(channelPush.parse(message));
}

interface Grouped<V> {
  key: V;
  ids: string[];
}

/** Groups devices by value, so that each distinct value takes one statement. */
export function groupByValue<V>(values: Iterable<readonly [id: string, value: V]>): Grouped<V>[] {
  const groups = new Map<string, Grouped<V>>();
  for (const [id, key] of values) {
    const text = JSON.stringify(key);
    const group = groups.get(text) ?? { key, ids: [] };
    group.ids.push(id);
    groups.set(text, group);
  }
  return [...groups.values()];
}
