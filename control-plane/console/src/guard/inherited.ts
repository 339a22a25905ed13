import type { GuardConfig, GuardFields, GuardLevel } from '#contract/guard.ts';
import type { Resolved } from '../data/sources.ts';
import { type DraftField, draftFields } from './layer-draft.ts';

type Source = Resolved['sources'][string];

/** What holds where this layer sets nothing, and which layer says so. */
export type Inherited = Pick<GuardFields, DraftField> & {
  sources: Record<DraftField, Source | undefined>;
};

type Given = Pick<Inherited, DraftField>;

const nothing: { effective: Given; sources: Resolved['sources'] } = {
  effective: {
    capture_enabled: false,
    intercept_hosts: [],
    enforce_policies: false,
    pause_minutes: 0,
  },
  sources: {},
};

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
  const below = level === 'global' ? nothing : broader;
  const givenBy = (field: DraftField): typeof nothing =>
    config[field] === undefined ? here : below;
  const of = <F extends DraftField>(field: F): Given[F] => givenBy(field).effective[field];
  return {
    capture_enabled: of('capture_enabled'),
    intercept_hosts: of('intercept_hosts'),
    enforce_policies: of('enforce_policies'),
    pause_minutes: of('pause_minutes'),
    sources: Object.fromEntries(
      draftFields.map((field) => [field, givenBy(field).sources[field]]),
    ) as Inherited['sources'],
  };
}
