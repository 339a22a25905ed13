import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import {
  type GuardConfig,
  type GuardFields,
  guardFieldNames,
  type GuardLevel,
  type guardPreview,
} from '#contract/guard.ts';
import { type GuardLayer, resolveGuard } from '#domain/guard/cascade.ts';

export interface PreviewDevice {
  id: string;
  hostname: string;
  user_group: string | null;
  profileHosts: readonly string[];
}

interface NewLayer {
  layer: GuardLevel;
  scope: string | null;
  /** Null removes the layer. */
  config: GuardConfig | null;
}

type Preview = z.output<typeof guardPreview>;
type Setting = Preview['settings'][number];

const LISTED_DEVICES = 20;

/**
 * Returns the differences between the effective configurations of devices before and after a
 * change.
 */
export function previewChange(
  layers: readonly GuardLayer[],
  update: NewLayer,
  devices: readonly PreviewDevice[],
): Preview {
  const others = layers.filter(
    ({ layer, scope }) => layer !== update.layer || scope !== update.scope,
  );
  const { config } = update;
  const changed = config === null ? others : [...others, { ...update, config }];
  const [before, after] = [resolverOf(layers), resolverOf(changed)];
  const hosts = counter<Omit<Preview['hosts'][number], 'device_count'>>();
  const settings = counter<Omit<Setting, 'device_count'>>();
  const affected = devices.filter((device) => {
    const [was, is] = [before(device), after(device)];
    for (const host of hostChanges(was, is)) hosts.add(host);
    for (const setting of settingChanges(was, is)) settings.add(setting);
    return !isDeepStrictEqual(was, is);
  });
  return {
    device_count: devices.length,
    changed_count: affected.length,
    changed_devices: affected
      .slice(0, LISTED_DEVICES)
      .map(({ id, hostname }) => ({ id, hostname })),
    hosts: hosts.all().toSorted((a, b) => (a.host < b.host ? -1 : 1)),
    settings: settings.all(),
  };
}

/**
 * Creates a function that resolves the configuration of devices. Devices without their own layer
 * share the result of their group and profile.
 */
function resolverOf(layers: readonly GuardLayer[]) {
  const own = new Set(layers.flatMap(({ layer, scope }) => (layer === 'device' ? [scope] : [])));
  const resolved = new Map<string, GuardFields>();
  return ({ id, user_group, profileHosts }: PreviewDevice): GuardFields => {
    const key = JSON.stringify([own.has(id) ? id : null, user_group, profileHosts]);
    const known = resolved.get(key);
    if (known) return known;
    const { effective } = resolveGuard(layers, { device: id, user_group }, profileHosts);
    // The order of the hosts has no effect. While capture is off, the hosts themselves have none
    // either.
    const { capture_enabled, intercept_hosts } = effective;
    const hosts = capture_enabled ? intercept_hosts.toSorted() : [];
    const inForce = { ...effective, intercept_hosts: hosts };
    resolved.set(key, inForce);
    return inForce;
  };
}

function hostChanges(was: GuardFields, is: GuardFields) {
  const [had, has] = [new Set(was.intercept_hosts), new Set(is.intercept_hosts)];
  return [
    ...[...has.difference(had)].map((host) => ({ host, on: true })),
    ...[...had.difference(has)].map((host) => ({ host, on: false })),
  ];
}

const settingChanges = (was: GuardFields, is: GuardFields): Omit<Setting, 'device_count'>[] =>
  guardFieldNames
    .filter((field) => field !== 'intercept_hosts' && !isDeepStrictEqual(was[field], is[field]))
    .map((field) => ({ field, before: was[field], after: is[field] }));

/** Counts equal values. */
function counter<T extends object>() {
  const counts = new Map<string, T & { device_count: number }>();
  return {
    add(value: T): void {
      const key = JSON.stringify(value);
      const count = counts.get(key)?.device_count ?? 0;
      counts.set(key, { ...value, device_count: count + 1 });
    },
    all: () => [...counts.values()],
  };
}
