import { t } from '@lingui/core/macro';
import type { PolicyMode, Severity } from '#contract/policy-actions.ts';
import type { Policy, PolicyCategory, PolicyDraft } from '../data/policy-sources.ts';
import { groupDraft, groupValue, linesOf } from './rule-draft.ts';
import type { GroupDraft } from './rule-draft.ts';
import type { RuleSchema } from './rule-schema.ts';

export const scopeFields = ['agents', 'workflows', 'user_groups'] as const;
export type ScopeField = (typeof scopeFields)[number];

/** Form state of a policy. */
export interface Draft {
  name: string;
  description: string;
  category: string;
  priority: string;
  enabled: boolean;
  severity: Severity;
  mode: PolicyMode;
  /** One name per line. */
  scope: Record<ScopeField, string>;
  rules: GroupDraft;
  /** Rules typed for categories that were selected earlier. */
  kept: Readonly<Record<string, GroupDraft>>;
}

export const rulesOf = (category: PolicyCategory | undefined): Record<string, RuleSchema> =>
  (category?.rules as RuleSchema | undefined)?.properties ?? {};

export const newDraft = (category: PolicyCategory | undefined): Draft => ({
  name: '',
  description: '',
  category: category?.name ?? '',
  priority: '100',
  enabled: true,
  severity: 'medium',
  mode: 'enforce',
  kept: {},
  scope: { agents: '', workflows: '', user_groups: '' },
  rules: groupDraft(rulesOf(category), category?.defaults ?? {}),
});

/** Changes the category. Its rules are those typed for it earlier, otherwise the defaults. */
export const withCategory = (draft: Draft, category: PolicyCategory): Draft => ({
  ...draft,
  category: category.name,
  kept: { ...draft.kept, [draft.category]: draft.rules },
  rules: draft.kept[category.name] ?? groupDraft(rulesOf(category), category.defaults ?? {}),
});

export const draftOfPolicy = (policy: Policy, category: PolicyCategory | undefined): Draft => ({
  name: policy.name,
  description: policy.description,
  category: policy.category,
  priority: String(policy.priority),
  enabled: policy.enabled,
  severity: policy.severity,
  mode: policy.mode,
  kept: {},
  scope: {
    agents: policy.scope.agents?.join('\n') ?? '',
    workflows: policy.scope.workflows?.join('\n') ?? '',
    user_groups: policy.scope.user_groups?.join('\n') ?? '',
  },
  rules: groupDraft(rulesOf(category), policy.rules),
});

/**
 * Converts the draft to a request body. Text that is not a number is sent unchanged, so that the
 * service reports it.
 */
export const documentOf = (
  draft: Draft,
  category: PolicyCategory | undefined,
): PolicyDraft & Required<Pick<PolicyDraft, 'rules' | 'scope'>> => ({
  name: draft.name.trim(),
  description: draft.description,
  category: draft.category,
  enabled: draft.enabled,
  severity: draft.severity,
  mode: draft.mode,
  ...(draft.priority.trim() !== '' && { priority: Number(draft.priority) }),
  scope: {
    agents: linesOf(draft.scope.agents),
    workflows: linesOf(draft.scope.workflows),
    user_groups: linesOf(draft.scope.user_groups),
  },
  rules: groupValue(rulesOf(category), draft.rules),
});

export const isSameDraft = (a: Draft, b: Draft): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Whether the form has a field for a path of the service. */
export function hasField(category: PolicyCategory | undefined, path: string): boolean {
  const [, rule] = /^rules\.(\w+)/.exec(path) ?? [];
  if (rule !== undefined) return rule in rulesOf(category);
  return /^(name|description|category|priority|severity|mode|note|scope\.(agents|workflows|user_groups))\b/.test(
    path,
  );
}

/** Describes the scope of a policy in one line: `support, triage · group eng`. */
export function scopeText({ scope }: Pick<Policy, 'scope'>): string {
  const parts = [
    listOf('', scope.agents),
    listOf('workflow ', scope.workflows),
    listOf('group ', scope.user_groups),
  ].filter((part) => part !== '');
  return parts.length === 0 ? t`Everything` : parts.join(' · ');
}

const listOf = (before: string, names: readonly string[] = []): string =>
  names.length === 0 ? '' : before + names.join(', ');

/** Whether a scope pattern matches a name, either exactly or as a prefix before a trailing `*`. */
export const matchesPattern = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
