/** Three missed heartbeats, which are thirty seconds apart. */
export const SILENCE_MS = 90_000;

/**
 * Whether a device is online, which it is while it reports. When its channel closes, it is offline
 * at once until it reports again.
 */
export const isOnline = (
  device: { last_seen: number; disconnected_at: number | null },
  now: number,
): boolean =>
  device.last_seen > now - SILENCE_MS && device.last_seen > (device.disconnected_at ?? 0);

/** Returns when a pause of capture ends automatically. */
export const endOfPause = ({
  started_at,
  minutes,
}: {
  started_at: number;
  minutes: number;
}): number => started_at + minutes * 60_000;
