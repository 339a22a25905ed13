/** What was stored of an app before a scan. */
export interface KnownApp {
  id: string;
  group_id: string;
  version: string | null;
  risk_flags: string;
  last_seen: number;
}

/** What a scan says of it. */
export type ScannedApp = Omit<KnownApp, 'last_seen'>;

export interface ScanOfDevice {
  known: readonly KnownApp[];
  /** When the latest scan was stored; null before the first. */
  scannedAt: number | null;
  /** Since then it enrolled again, perhaps as of another user group. */
  enrolledAgain: boolean;
  scanned: readonly ScannedApp[];
}

/**
 * The groups of which a scan changes something that the fleet's list shows or that a rule asks for: an
 * app that is new, back, gone, of another version, or with other risk flags.
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
