import { roles } from '#contract/route.ts';
import { Descriptions } from '../parts/descriptions.tsx';
import { Section } from '../parts/section.tsx';
import { roleNames } from './role-field.tsx';

/** What each role may do. */
export const RoleDescriptions = () => (
  <Section title="Roles">
    <div className="card">
      <Descriptions descriptions={roles.map((role) => [role, roleNames[role]])} />
    </div>
  </Section>
);
