import { type GuardLayer, resolveGuard } from '#agent/core/guard.ts';
import { normalizeHost } from '#agent/core/host-catalog.ts';

/** One change of a Guard layer: what it was before; null when there was none. */
export interface LayerChange {
  layer: GuardLayer['layer'];
  scope: string | null;
  before: GuardLayer['config'] | null;
  /** Milliseconds since 1970, like all times here. */
  changed_at: number;
}

/** All that says which hosts capture was on for, on one device, up to now. */
export interface CaptureHistory {
  device: { id: string; user_group: string | null; enrolled_at: number };
  /** Of the profile that it enrolled with last. */
  profileHosts: readonly string[];
  /** As they are now. */
  layers: readonly GuardLayer[];
  /** Since the first moment that will be asked for, latest first. */
  changes: readonly LayerChange[];
}

const placeOf = ({ layer, scope }: Pick<GuardLayer, 'layer' | 'scope'>): string =>
  `${layer} ${scope ?? ''}`;

/** The layers as they were: every later change is taken back. */
export function layersAt({ layers, changes }: CaptureHistory, at: number): GuardLayer[] {
  const then = new Map(layers.map((layer) => [placeOf(layer), layer]));
  for (const { layer, scope, before, changed_at } of changes) {
    if (changed_at <= at) continue;
    if (before) then.set(placeOf({ layer, scope }), { layer, scope, config: before });
    else then.delete(placeOf({ layer, scope }));
  }
  return [...then.values()];
}

/** Which hosts capture was on for at that moment. */
export function capturedHostsAt(history: CaptureHistory, at: number): ReadonlySet<string> {
  const { device, profileHosts } = history;
  // What an earlier enrollment's profile said is not known any more, so it allows nothing.
  const base = at < device.enrolled_at ? [] : profileHosts;
  const target = { device: device.id, user_group: device.user_group };
  const { effective } = resolveGuard(layersAt(history, at), target, base);
  return new Set(effective.capture_enabled ? effective.intercept_hosts.map(normalizeHost) : []);
}

export interface Admission<C> {
  admitted: C[];
  refused: { id: string; reason: string }[];
}

/** Captures of hosts that capture was on for when they began, and why the others are refused. */
export function admitCaptures<C extends { id: string; host: string; started_at: number }>(
  captures: readonly C[],
  history: CaptureHistory,
): Admission<C> {
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
        reason: `capture was not on for ${host} on this device at ${new Date(started_at).toISOString()}`,
      })),
  };
}
