import type { Signal } from '#agent/core/recognition/signals.ts';
import type { BuiltInFeature } from '#domain/app-catalog/loaded-entry.ts';
import type { Finding } from '../finding.ts';

interface FeatureEvidence {
  path: string;
  user: string | null;
  signals: readonly Signal[];
  version?: string | null;
  notes?: readonly string[];
}

/** Creates a finding for an AI feature that a program includes. */
export const findingOfFeature = (
  { id, name }: BuiltInFeature,
  { path, user, signals, version = null, notes = [] }: FeatureEvidence,
): Finding => ({
  kind: 'built_in_feature',
  name,
  catalogId: id,
  version,
  path,
  user,
  signals,
  notes,
});
