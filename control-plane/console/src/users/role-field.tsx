import { t } from '@lingui/core/macro';
import { roles } from '#contract/route.ts';
import type { Role } from '#contract/route.ts';
import { FormField } from '../parts/form-field.tsx';
import { roleNames } from './role-names.ts';

/** Descriptions of the roles. Each role includes the previous ones. */
export const roleDescriptions: Record<Role, string> = {
  viewer: t`Reads runs, devices, costs and policies, but not captured exchanges`,
  analyst: t`Viewer, plus: reads captures, resolves incidents, tests policies, edits prompts`,
  admin: t`Analyst, plus: manages policies, Guard, devices, settings, API keys and members`,
  owner: t`Admin, plus: manages owners and decides every approval`,
};

interface RoleFieldProps {
  role: Role;
  /** Role of the signed-in user. Only owners can grant the owner role. */
  grantedBy: Role;
  onChange: (role: Role) => void;
}

export const RoleField = ({ role, grantedBy, onChange }: RoleFieldProps) => (
  <FormField label={t`Role`} hint={roleDescriptions[role]}>
    {(control) => (
      <select
        className="field"
        value={role}
        onChange={({ target }) => onChange(target.value as Role)}
        {...control}
      >
        {roles
          .filter((one) => one !== 'owner' || grantedBy === 'owner')
          .map((one) => (
            <option key={one} value={one}>
              {roleNames[one]}
            </option>
          ))}
      </select>
    )}
  </FormField>
);
