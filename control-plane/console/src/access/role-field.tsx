import { roles } from '#contract/route.ts';
import type { Role } from '#contract/route.ts';
import { FormField } from '../parts/form-field.tsx';

const may: Record<Role, string> = {
  viewer: 'Looks',
  analyst: 'Also settles incidents, tries policies and edits prompts',
  admin: 'Also changes policies, Guard, keys and users',
  owner: 'Also makes and changes owners, and decides every approval',
};

interface RoleFieldProps {
  role: Role;
  /** Of whoever gives it: only owners make owners. */
  givenBy: Role;
  onChange: (role: Role) => void;
}

export const RoleField = ({ role, givenBy, onChange }: RoleFieldProps) => (
  <FormField label="Role" hint={may[role]}>
    {(control) => (
      <select
        className="field"
        value={role}
        onChange={({ target }) => onChange(target.value as Role)}
        {...control}
      >
        {roles
          .filter((one) => one !== 'owner' || givenBy === 'owner')
          .map((one) => (
            <option key={one}>{one}</option>
          ))}
      </select>
    )}
  </FormField>
);
