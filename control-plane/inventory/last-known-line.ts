import type { NotRead } from '#contract/inventory.ts';

/**
 * The reason why an app counts as present although it was missing in the latest scan of its device.
 */
export interface LastKnown {
  /** In milliseconds since 1970. */
  seen_at: number;
  why: string;
}

const LINE = /^last known \(seen (\d{4}-\d\d-\d\dT[\d:.]+Z)\): (.+)$/s;

/** Reads this from the evidence of an app; null if the app was in the latest scan. */
export function lastKnownOf(evidence: readonly string[]): LastKnown | null {
  const [, seen = '', why = ''] = LINE.exec(evidence.at(-1) ?? '') ?? [];
  const seen_at = Date.parse(seen);
  return Number.isNaN(seen_at) ? null : { seen_at, why };
}

/** Returns the evidence with a last line that says since when the app has not been seen. */
export function withLastKnown(evidence: readonly string[], { seen_at, why }: LastKnown): string[] {
  const before = lastKnownOf(evidence);
  const own = before ? evidence.slice(0, -1) : evidence;
  const seen = new Date(before?.seen_at ?? seen_at).toISOString();
  return [...own, `last known (seen ${seen}): ${why}`];
}

interface Placed {
  kind: string;
  path: string;
  evidence: readonly string[];
}

/** Returns why a report may lack the app; null if it would contain it. */
export function reasonMissing(app: Placed, notRead: readonly NotRead[]): string | null {
  const source = notRead.find(
    ({ kind, path }) => (kind === null || kind === app.kind) && isFrom(app, path),
  );
  if (!source) return null;
  const { path, reason } = source;
  return path === null ? reason : `${path}: ${reason}`;
}

/**
 * Whether an app is from this source. The path of an MCP server may be the folder of its project,
 * in which case its evidence names the file.
 */
function isFrom({ path, evidence }: Placed, source: string | null): boolean {
  if (source === null) return true;
  if (source.endsWith('/')) return path.startsWith(source);
  const starts = [`in ${source}, `, `in ${source} for `];
  return path === source || evidence.some((line) => starts.some((start) => line.startsWith(start)));
}
