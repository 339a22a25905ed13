import { t } from '@lingui/core/macro';
import type { Policy } from '../data/policy-sources.ts';

/** The scope of a policy in one line: `support, triage · group eng`. */
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

/** Is this the name of a scope, or does it begin as one with a trailing `*`? */
export const matchesPattern = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
