import type { GuardConfig, GuardFields } from '#contract/guard.ts';

/** The fields of a layer that the page edits. Absent fields are inherited. */
export const draftFields = [
  'capture_enabled',
  'intercept_hosts',
  'enforce_policies',
  'pause_minutes',
] as const;
export type DraftField = (typeof draftFields)[number];
export type Draft = Pick<GuardConfig, DraftField>;

/** Unsaved changes by layer, kept while the user views another level. */
export type Drafts = Readonly<Record<string, Draft | undefined>>;

type Inherited = Pick<GuardFields, DraftField>;

export const draftOf = (config: GuardConfig): Draft =>
  Object.fromEntries(
    draftFields.flatMap((field) => (config[field] === undefined ? [] : [[field, config[field]]])),
  );

/** The effective values with the draft applied. */
export const effectiveOf = (draft: Draft, inherited: Inherited): Inherited => ({
  capture_enabled: draft.capture_enabled ?? inherited.capture_enabled,
  intercept_hosts: draft.intercept_hosts ?? inherited.intercept_hosts,
  enforce_policies: draft.enforce_policies ?? inherited.enforce_policies,
  pause_minutes: draft.pause_minutes ?? inherited.pause_minutes,
});

/**
 * A list set by a layer replaces the inherited one, so it starts as a copy of it. Switching a host
 * on while capture is off also switches capture on: otherwise the switch would have no effect.
 */
export function switchHost(draft: Draft, inherited: Inherited, host: string, on: boolean): Draft {
  const { capture_enabled, intercept_hosts } = effectiveOf(draft, inherited);
  const others = intercept_hosts.filter((one) => one !== host);
  const hosts = on ? [...others, host].sort() : others;
  const capture = on && !capture_enabled ? { capture_enabled: true } : {};
  return { ...draft, ...capture, intercept_hosts: hosts };
}

export function clearField(draft: Draft, field: DraftField): Draft {
  const { [field]: _, ...rest } = draft;
  return rest;
}

/** The layer's configuration with the draft applied. Fields that the page does not edit stay. */
export function configWith(config: GuardConfig, draft: Draft): GuardConfig {
  const others = Object.entries(config).filter(([field]) => !isDraftField(field));
  return { ...Object.fromEntries(others), ...draft };
}

/** Ignores the order of hosts. */
export function isSame(a: Draft, b: Draft): boolean {
  return (
    a.capture_enabled === b.capture_enabled &&
    a.enforce_policies === b.enforce_policies &&
    a.pause_minutes === b.pause_minutes &&
    sorted(a) === sorted(b)
  );
}

/** Whether a draft differs from the saved layer; a layer that does not exist is empty. */
export const unsavedAmong = (drafts: Drafts, saved: ReadonlyMap<string, GuardConfig>): boolean =>
  Object.entries(drafts).some(
    ([key, draft]) => draft !== undefined && !isSame(draft, draftOf(saved.get(key) ?? {})),
  );

const sorted = ({ intercept_hosts }: Draft): string | undefined =>
  intercept_hosts && JSON.stringify(intercept_hosts.toSorted());

const isDraftField = (field: string): boolean => draftFields.some((one) => one === field);
