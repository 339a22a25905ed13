import type { GuardConfig, GuardFields, GuardLevel } from '#contract/guard.ts';
import type { Resolved } from '../data/sources.ts';
import type { DraftField } from './layer-draft.ts';

type Source = Resolved['sources'][string];

/** What holds where this layer sets nothing, and which layer says so. */
export type Inherited = Pick<GuardFields, DraftField> & {
  sources: Record<DraftField, Source | undefined>;
};

const nothing = { capture_enabled: false, intercept_hosts: [], enforce_policies: false };

/**
 * For a field that the layer leaves open, that is what is in force here, the device's profile
 * included. For one that it sets, it is what the broader layers say; below the global layer lie
 * only the profiles, which differ from device to device.
 */
export function inheritedBy(
  level: GuardLevel,
  config: GuardConfig,
  here: Resolved,
  broader: Resolved,
): Inherited {
  const below =
    level === 'global' ? { effective: nothing, sources: {} as Resolved['sources'] } : broader;
  const capture = config.capture_enabled === undefined ? here : below;
  const hosts = config.intercept_hosts === undefined ? here : below;
  const enforcement = config.enforce_policies === undefined ? here : below;
  return {
    capture_enabled: capture.effective.capture_enabled,
    intercept_hosts: hosts.effective.intercept_hosts,
    enforce_policies: enforcement.effective.enforce_policies,
    sources: {
      capture_enabled: capture.sources['capture_enabled'],
      intercept_hosts: hosts.sources['intercept_hosts'],
      enforce_policies: enforcement.sources['enforce_policies'],
    },
  };
}
