import type { Situation } from './category.ts';

/**
 * The subjects to which a policy applies. An absent or empty list matches all. A trailing `*` in a
 * name matches any suffix.
 */
export interface Scope {
  agents?: readonly string[] | undefined;
  workflows?: readonly string[] | undefined;
  user_groups?: readonly string[] | undefined;
}

export type Subject = Pick<Situation, 'agent' | 'workflow' | 'userGroup'>;

export const scopeCovers = (scope: Scope, { agent, workflow, userGroup }: Subject): boolean =>
  isNamed(scope.agents, agent) &&
  isNamed(scope.workflows, workflow) &&
  isNamed(scope.user_groups, userGroup);

/** Whether the scope includes every agent. */
export const isForAll = ({ agents }: Scope): boolean => !agents?.length;

export const isPattern = (name: string): boolean => name.endsWith('*');

function isNamed(names: readonly string[] | undefined, name: string | null): boolean {
  if (!names?.length) return true;
  return (
    name !== null &&
    names.some((one) => (isPattern(one) ? name.startsWith(one.slice(0, -1)) : one === name))
  );
}
