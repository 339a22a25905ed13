import type { DeviceConfig } from '#contract/device.ts';

/** Since when each host is captured, in ms: a host that stays keeps its time. */
export function capturedSince(
  before: Readonly<Record<string, number>>,
  { capture_enabled, intercept_hosts }: DeviceConfig,
  now: number,
): Record<string, number> {
  const hosts = capture_enabled ? intercept_hosts : [];
  return Object.fromEntries(hosts.map((host) => [host, before[host] ?? now]));
}
