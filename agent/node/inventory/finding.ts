import { confidenceOf, isSufficient, type Signal } from '#agent/core/recognition/signals.ts';
import type { AppReport } from '#contract/inventory.ts';
import { riskFlags, type RiskFlag } from '#agent/core/risk-flags.ts';

/** A detector's finding at one path. It is reported if its signals are sufficient. */
export interface Finding {
  kind: AppReport['kind'];
  name: string;
  catalogId: string | null;
  version: string | null;
  path: string;
  /** The file that declares it, if it is not `path`. */
  source?: string;
  user: string | null;
  signals: readonly Signal[];
  /** Further evidence that does not count for the app's existence. */
  notes?: readonly string[];
  flags?: readonly RiskFlag[];
}

const MAX_EVIDENCE = 20;
const truncate = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

const keyOf = (finding: Finding) =>
  JSON.stringify([
    finding.kind,
    finding.name,
    finding.path,
    finding.user ?? '',
    finding.catalogId ?? '',
  ]);

function merge(all: readonly Finding[]): Finding {
  const [first] = all as [Finding];
  return {
    ...first,
    version: all.map((finding) => finding.version).find((version) => version !== null) ?? null,
    signals: all.flatMap((finding) => finding.signals),
    notes: all.flatMap((finding) => finding.notes ?? []),
    flags: all.flatMap((finding) => finding.flags ?? []),
  };
}

function toReport(finding: Finding): AppReport {
  const lines = [...finding.signals.map((signal) => signal.text), ...(finding.notes ?? [])];
  const version = finding.version?.trim() || null;
  return {
    kind: finding.kind,
    name: truncate(finding.name, 200),
    catalog_id: finding.catalogId,
    version: version && truncate(version, 100),
    path: truncate(finding.path, 4096),
    user: finding.user && truncate(finding.user, 256),
    confidence: confidenceOf(finding.signals),
    evidence: [...new Set(lines)].slice(0, MAX_EVIDENCE).map((line) => truncate(line, 1000)),
    risk_flags: riskFlags.filter((flag) => finding.flags?.includes(flag)),
  };
}

/** An app to report, and the file in which it was found. */
export interface FoundApp {
  app: AppReport;
  source: string;
}

/**
 * Merges the findings of several detectors for one app into one report, and drops apps without two
 * agreeing kinds of signals. Sorted by kind, name, path and user.
 */
export function toReports(findings: readonly Finding[]): FoundApp[] {
  const groups = Map.groupBy(findings, keyOf);
  return [...groups.keys()]
    .toSorted()
    .map((key) => merge(groups.get(key) ?? []))
    .filter((finding) => isSufficient(finding.signals))
    .map((finding) => ({ app: toReport(finding), source: finding.source ?? finding.path }));
}
