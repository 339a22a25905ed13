/** The stored state of an app before a scan. */
export interface KnownApp {
  id: string;
  group_id: string;
  version: string | null;
  risk_flags: string;
  last_seen: number;
}

/** The state of an app in a scan. */
export type ScannedApp = Omit<KnownApp, 'last_seen'>;

export interface ScanOfDevice {
  known: readonly KnownApp[];
  /** When the latest scan was stored; null before the first. */
  scannedAt: number | null;
  /** Whether the device has enrolled again since then, possibly with another user group. */
  enrolledAgain: boolean;
  scanned: readonly ScannedApp[];
}

/**
 * Returns the groups in which a scan changes something that the fleet's list or a rule depends on:
 * an app that is new, back or gone, or whose version or risk flags changed.
 */
export function changedGroups(scan: ScanOfDevice): Set<string> {
  const { known, scannedAt, enrolledAgain, scanned } = scan;
  if (enrolledAgain) return new Set([...known, ...scanned].map(({ group_id }) => group_id));
  const before = new Map(
    known.filter(({ last_seen }) => last_seen === scannedAt).map((app) => [app.id, app]),
  );
  const changed = new Set<string>();
  for (const app of scanned) {
    const was = before.get(app.id);
    before.delete(app.id);
    if (was && isSame(was, app)) continue;
    changed.add(app.group_id);
    if (was) changed.add(was.group_id);
  }
  for (const gone of before.values()) changed.add(gone.group_id);
  return changed;
}

const isSame = (a: ScannedApp, b: ScannedApp): boolean =>
  a.group_id === b.group_id && a.version === b.version && a.risk_flags === b.risk_flags;
