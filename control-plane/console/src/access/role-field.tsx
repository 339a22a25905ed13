import { roles } from '#contract/route.ts';
import type { Role } from '#contract/route.ts';
import { FormField } from '../parts/form-field.tsx';

const descriptions: Record<Role, string> = {
  viewer: 'Read-only access',
  analyst: 'Viewer, plus: resolve incidents, test policies, edit prompts',
  admin: 'Analyst, plus: manage policies, Guard, API keys and users',
  owner: 'Admin, plus: manage owners and decide every approval',
};

interface RoleFieldProps {
  role: Role;
  /** Role of the signed-in user: only owners can grant the owner role. */
  grantedBy: Role;
  onChange: (role: Role) => void;
}

export const RoleField = ({ role, grantedBy, onChange }: RoleFieldProps) => (
  <FormField label="Role" hint={descriptions[role]}>
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
            <option key={one}>{one}</option>
          ))}
      </select>
    )}
  </FormField>
);
