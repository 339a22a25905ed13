import { t } from '@lingui/core/macro';
import type { Role } from '#contract/route.ts';

/** The names of the roles. */
export const roleNames: Record<Role, string> = {
  viewer: t`viewer`,
  analyst: t`analyst`,
  admin: t`admin`,
  owner: t`owner`,
};
