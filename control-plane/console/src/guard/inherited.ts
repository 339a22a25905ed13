import type { GuardConfig, GuardFields, GuardLevel } from '#contract/guard.ts';
import type { Resolved } from '../data/sources.ts';
import { type DraftField, draftFields } from './layer-draft.ts';

type Source = Resolved['sources'][string];

/** The values that apply if this layer does not set a field, and the layers they come from. */
export type Inherited = Pick<GuardFields, DraftField> & {
  sources: Record<DraftField, Source | undefined>;
};

type Fields = Pick<Inherited, DraftField>;

const defaults: { effective: Fields; sources: Resolved['sources'] } = {
  effective: {
    capture_enabled: false,
    intercept_hosts: [],
    enforce_policies: false,
    pause_minutes: 0,
  },
  sources: {},
};

/**
 * A field that the layer does not set inherits the effective value, which includes the device's
 * profile. A field that it sets would inherit from the broader layers. Below the global layer are
 * only profiles, which differ by device, so the defaults stand in for them.
 */
export function inheritedBy(
  level: GuardLevel,
  config: GuardConfig,
  here: Resolved,
  broader: Resolved,
): Inherited {
  const below = level === 'global' ? defaults : broader;
  const originOf = (field: DraftField): typeof defaults =>
    config[field] === undefined ? here : below;
  const of = <F extends DraftField>(field: F): Fields[F] => originOf(field).effective[field];
  return {
    capture_enabled: of('capture_enabled'),
    intercept_hosts: of('intercept_hosts'),
    enforce_policies: of('enforce_policies'),
    pause_minutes: of('pause_minutes'),
    sources: Object.fromEntries(
      draftFields.map((field) => [field, originOf(field).sources[field]]),
    ) as Inherited['sources'],
  };
}
