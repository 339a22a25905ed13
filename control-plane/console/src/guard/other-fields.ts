import { t } from '@lingui/core/macro';
import type { GuardConfig } from '#contract/guard.ts';
import { NONE } from '../format.ts';

/** Fields of a layer that can be set only through the API. */
export const otherFields = {
  intercept_processes: t`Only for processes`,
  blocked_hosts: t`Blocked hosts`,
  blocked_processes: t`Blocked processes`,
} as const;

type OtherField = keyof typeof otherFields;

/**
 * Describes the fields that are set: `Blocked hosts: a.example, b.example; Blocked processes: –`.
 */
export const describeOthers = (config: Pick<GuardConfig, OtherField>): string =>
  Object.entries(otherFields)
    .flatMap(([field, name]) => {
      const names = config[field as OtherField];
      if (!names) return [];
      const listed = names.join(', ') || NONE;
      return t`${name}: ${listed}`;
    })
    .join('; ');
