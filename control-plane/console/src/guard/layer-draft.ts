import type { GuardConfig, GuardFields } from '#contract/guard.ts';
import { withHostOverrides } from '#contract/host-overrides.ts';

/** The fields of a layer that the page edits. Absent fields are inherited. */
export const draftFields = [
  'capture_enabled',
  'intercept_hosts',
  'enforce_policies',
  'pause_minutes',
  'coding_agents',
  'tool_checks',
] as const;
export type DraftField = (typeof draftFields)[number];

const editedFields = [...draftFields, 'host_overrides'] as const;
export type Draft = Pick<GuardConfig, DraftField | 'host_overrides'>;

type Inherited = Pick<GuardFields, DraftField>;

export const draftOf = (config: GuardConfig): Draft =>
  Object.fromEntries(
    editedFields.flatMap((field) => (config[field] === undefined ? [] : [[field, config[field]]])),
  );

/** The effective values after applying the draft. */
export const effectiveOf = (draft: Draft, inherited: Inherited): Inherited => ({
  capture_enabled: draft.capture_enabled ?? inherited.capture_enabled,
  intercept_hosts: hostsOf(draft, inherited),
  enforce_policies: draft.enforce_policies ?? inherited.enforce_policies,
  pause_minutes: draft.pause_minutes ?? inherited.pause_minutes,
  coding_agents: draft.coding_agents ?? inherited.coding_agents,
  tool_checks: draft.tool_checks ?? inherited.tool_checks,
});

const hostsOf = (draft: Draft, inherited: Inherited): string[] => [
  ...withHostOverrides(draft.intercept_hosts ?? inherited.intercept_hosts, draft.host_overrides),
];

/**
 * Switches one host. All other hosts keep following the broader layers. A layer that already sets
 * the whole list keeps doing so. Switching a host on while capture is off also switches capture on:
 * otherwise the switch would have no effect.
 */
export function switchHost(draft: Draft, inherited: Inherited, host: string, on: boolean): Draft {
  const { capture_enabled, intercept_hosts } = effectiveOf(draft, inherited);
  const capture = on && !capture_enabled ? { capture_enabled: true } : {};
  if (draft.intercept_hosts === undefined)
    return { ...withOverride(draft, inherited, host, on), ...capture };
  const others = intercept_hosts.filter((one) => one !== host);
  const hosts = on ? [...others, host].sort() : others;
  return { ...clearField(draft, 'host_overrides'), ...capture, intercept_hosts: hosts };
}

function withOverride(draft: Draft, inherited: Inherited, host: string, on: boolean): Draft {
  const { [host]: _, ...others } = draft.host_overrides ?? {};
  const isInherited = inherited.intercept_hosts.includes(host) === on;
  const overrides = isInherited ? others : { ...others, [host]: on };
  const rest = clearField(draft, 'host_overrides');
  return Object.keys(overrides).length > 0 ? { ...rest, host_overrides: overrides } : rest;
}

/** Resets a host to its state in the broader layers. */
export function resetHost(draft: Draft, inherited: Inherited, host: string): Draft {
  return withOverride(draft, inherited, host, inherited.intercept_hosts.includes(host));
}

/**
 * Converts a whole list to the differences from the inherited hosts, so that all others follow the
 * broader layers.
 */
export function asOverrides(draft: Draft, inherited: Inherited): Draft {
  const hosts = effectiveOf(draft, inherited).intercept_hosts;
  const all = new Set([...hosts, ...inherited.intercept_hosts]);
  const rest = clearHosts(draft);
  return [...all].reduce<Draft>(
    (draft, host) => withOverride(draft, inherited, host, hosts.includes(host)),
    rest,
  );
}

export const clearHosts = (draft: Draft): Draft =>
  clearField(clearField(draft, 'intercept_hosts'), 'host_overrides');

export const setsHosts = (draft: Draft): boolean =>
  draft.intercept_hosts !== undefined || draft.host_overrides !== undefined;

export function clearField(draft: Draft, field: keyof Draft): Draft {
  const { [field]: _, ...rest } = draft;
  return rest;
}

/**
 * The layer's configuration with the draft applied. Keeps the fields that the page does not edit.
 */
export function configWith(config: GuardConfig, draft: Draft): GuardConfig {
  const others = Object.entries(config).filter(([field]) => !isEdited(field));
  return { ...Object.fromEntries(others), ...draft };
}

/** Compares two drafts, ignoring the order of hosts. */
export function isSameDraft(a: Draft, b: Draft): boolean {
  return (
    a.capture_enabled === b.capture_enabled &&
    a.enforce_policies === b.enforce_policies &&
    a.pause_minutes === b.pause_minutes &&
    a.coding_agents === b.coding_agents &&
    a.tool_checks === b.tool_checks &&
    sorted(a) === sorted(b) &&
    sortedOverrides(a) === sortedOverrides(b)
  );
}

const sorted = ({ intercept_hosts }: Draft): string | undefined =>
  intercept_hosts && JSON.stringify(intercept_hosts.toSorted());

const sortedOverrides = ({ host_overrides }: Draft): string | undefined =>
  host_overrides &&
  JSON.stringify(Object.entries(host_overrides).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const isEdited = (field: string): boolean => editedFields.some((one) => one === field);
