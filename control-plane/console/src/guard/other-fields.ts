import type { GuardConfig } from '#contract/guard.ts';
import { none } from '../format.ts';

/** What a layer can set over the API and this page does not edit. */
export const otherFields = {
  intercept_processes: 'Only for processes',
  blocked_hosts: 'Blocked hosts',
  blocked_processes: 'Blocked processes',
} as const;

type OtherField = keyof typeof otherFields;

/** `Blocked hosts: a.example, b.example; Blocked processes: –`, of the fields that are set. */
export const describeOthers = (config: Pick<GuardConfig, OtherField>): string =>
  Object.entries(otherFields)
    .flatMap(([field, name]) => {
      const names = config[field as OtherField];
      return names ? `${name}: ${names.join(', ') || none}` : [];
    })
    .join('; ');
