import type { GuardFields } from '#contract/guard.ts';
import type { Resolved } from '../data/guard-sources.ts';
import { type DraftField, draftFields } from './layer-draft.ts';

type Source = Resolved['sources'][string];

/** The values that apply where this layer sets no field, and the layers that they come from. */
export type Inherited = Pick<GuardFields, DraftField> & {
  sources: Record<DraftField, Source | undefined>;
};

/** Extracts the inherited values from a configuration that was resolved without the layer. */
export const inheritedFrom = ({ effective, sources }: Resolved): Inherited => ({
  capture_enabled: effective.capture_enabled,
  intercept_hosts: effective.intercept_hosts,
  enforce_policies: effective.enforce_policies,
  pause_minutes: effective.pause_minutes,
  coding_agents: effective.coding_agents,
  tool_checks: effective.tool_checks,
  sources: Object.fromEntries(
    draftFields.map((field) => [field, sources[field]]),
  ) as Inherited['sources'],
});
