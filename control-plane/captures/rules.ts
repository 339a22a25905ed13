import { type GuardLayer, resolveGuard } from '#domain/guard/cascade.ts';
import { normalizeHost } from '#domain/hosts/host-catalog.ts';

/** A change of a Guard layer; `before` is null if the layer did not exist. */
export interface LayerChange {
  layer: GuardLayer['layer'];
  scope: string | null;
  before: GuardLayer['config'] | null;
  /** In milliseconds since 1970, like all times here. */
  changed_at: number;
}

/** The data that determines the captured hosts of one device, up to now. */
export interface CaptureHistory {
  device: { id: string; user_group: string | null; enrolled_at: number };
  /** The hosts in the profile of the latest enrollment. */
  profileHosts: readonly string[];
  /** The current layers. */
  layers: readonly GuardLayer[];
  /** All changes since the earliest relevant time, latest first. */
  changes: readonly LayerChange[];
}

const keyOf = ({ layer, scope }: Pick<GuardLayer, 'layer' | 'scope'>): string =>
  `${layer} ${scope ?? ''}`;

/** Returns the layers at a time by reverting every later change. */
export function layersAt({ layers, changes }: CaptureHistory, at: number): GuardLayer[] {
  const then = new Map(layers.map((layer) => [keyOf(layer), layer]));
  for (const { layer, scope, before, changed_at } of changes) {
    if (changed_at <= at) continue;
    if (before) then.set(keyOf({ layer, scope }), { layer, scope, config: before });
    else then.delete(keyOf({ layer, scope }));
  }
  return [...then.values()];
}

/** Returns the hosts with capture enabled at that time. */
export function capturedHostsAt(history: CaptureHistory, at: number): ReadonlySet<string> {
  const { device, profileHosts } = history;
  // The profile of an earlier enrollment is unknown, so it does not enable any host.
  const base = at < device.enrolled_at ? [] : profileHosts;
  const target = { device: device.id, user_group: device.user_group };
  const { effective } = resolveGuard(layersAt(history, at), target, base);
  return new Set(effective.capture_enabled ? effective.intercept_hosts.map(normalizeHost) : []);
}

export interface SplitCaptures<C> {
  admitted: C[];
  refused: { id: string; reason: string }[];
}

/** Splits captures by whether capture was enabled for the host when they began. */
export function admitCaptures<C extends { id: string; host: string; started_at: number }>(
  captures: readonly C[],
  history: CaptureHistory,
): SplitCaptures<C> {
  const times = new Map<number, ReadonlySet<string>>();
  const hostsAt = (at: number): ReadonlySet<string> => {
    const hosts = times.get(at) ?? capturedHostsAt(history, at);
    times.set(at, hosts);
    return hosts;
  };
  const isAllowed = ({ host, started_at }: C): boolean =>
    hostsAt(started_at).has(normalizeHost(host));
  return {
    admitted: captures.filter(isAllowed),
    refused: captures
      .filter((capture) => !isAllowed(capture))
      .map(({ id, host, started_at }) => ({
        id,
        reason: `capture was not enabled for ${host} on this device at ${new Date(started_at).toISOString()}`,
      })),
  };
}
