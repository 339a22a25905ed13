import type { GuardConfig } from '#contract/guard.ts';
import { draftFields, draftOf, isSameDraft } from './layer-draft.ts';
import type { Draft } from './layer-draft.ts';

/** An unsaved draft, and the saved layer on which it is based. */
export interface Edit {
  draft: Draft;
  base: Draft;
}

/** Unsaved edits by layer, kept while the user views another level. */
export type Edits = Readonly<Record<string, Edit | undefined>>;

/**
 * Applies the changes of a draft to the layer as it is saved now. Another tab or user may have
 * saved it since the draft was begun, and saving the draft as it is would undo that: for example,
 * it would switch a host on again that was just switched off. Hosts are merged one by one, other
 * fields as a whole.
 */
export function rebaseDraft({ draft, base }: Edit, saved: Draft): Draft {
  const fields = draftFields.map((field) => {
    const isChanged = draft[field] !== base[field];
    return [field, isChanged ? draft[field] : saved[field]] as const;
  });
  const merged = {
    ...Object.fromEntries(fields),
    intercept_hosts: mergeLists(draft.intercept_hosts, base.intercept_hosts, saved.intercept_hosts),
    host_overrides: mergeOverrides(draft.host_overrides, base.host_overrides, saved.host_overrides),
  };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

type Hosts = readonly string[] | undefined;

function mergeLists(draft: Hosts, base: Hosts, saved: Hosts): Hosts {
  // Whether the layer has a list at all is one decision.
  if (!draft || !base || !saved)
    return (draft === undefined) === (base === undefined) ? saved : draft;
  const added = draft.filter((host) => !base.includes(host));
  const kept = saved.filter((host) => draft.includes(host) || !base.includes(host));
  return [...new Set([...kept, ...added])].sort();
}

type Overrides = Readonly<Record<string, boolean>>;

function mergeOverrides(
  draft: Overrides = {},
  base: Overrides = {},
  saved: Overrides = {},
): Overrides | undefined {
  const hosts = [...new Set([...Object.keys(saved), ...Object.keys(draft)])];
  const merged = hosts.flatMap((host) => {
    const on = draft[host] === base[host] ? saved[host] : draft[host];
    return on === undefined ? [] : [[host, on] as const];
  });
  return merged.length > 0 ? Object.fromEntries(merged) : undefined;
}

/** Whether an edit differs from its saved layer. A layer that does not exist counts as empty. */
export const hasUnsavedEdits = (edits: Edits, saved: ReadonlyMap<string, GuardConfig>): boolean =>
  Object.entries(edits).some(([key, edit]) => {
    const layer = draftOf(saved.get(key) ?? {});
    return edit !== undefined && !isSameDraft(rebaseDraft(edit, layer), layer);
  });
