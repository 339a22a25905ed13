import type { PolicyCategory } from '../data/policy-sources.ts';
import { FormField } from '../parts/form-field.tsx';
import { Switch } from '../parts/switch.tsx';
import { errorWithin } from './field-errors.ts';
import type { FieldErrors } from './field-errors.ts';
import { rulesOf, scopeFields, withCategory } from './policy-draft.ts';
import type { Draft, ScopeField } from './policy-draft.ts';
import { Rules } from './rule-field.tsx';

export interface PolicyFieldsProps {
  draft: Draft;
  categories: readonly PolicyCategory[];
  errors: FieldErrors;
  onEdit: (draft: Draft) => void;
}

/** All fields of a policy. */
export function PolicyFields(props: PolicyFieldsProps) {
  const { draft, categories, errors, onEdit } = props;
  const category = categories.find(({ name }) => name === draft.category);
  return (
    <>
      <section className="card" aria-label="Policy">
        <AboutFields {...props} category={category} />
      </section>
      <section className="card" aria-label="Rules">
        <h2>Rules</h2>
        {category && <p className="muted card-note">{category.summary}.</p>}
        <Rules
          path="rules"
          fields={rulesOf(category)}
          draft={draft.rules}
          errors={errors}
          onChange={(rules) => onEdit({ ...draft, rules })}
        />
      </section>
      <section className="card" aria-label="Scope">
        <h2>Applies to</h2>
        <p className="muted card-note">
          One name per line; a trailing * matches any suffix. Leave a field empty for all.
        </p>
        <ScopeFields {...props} />
      </section>
    </>
  );
}

type AboutProps = PolicyFieldsProps & { category: PolicyCategory | undefined };

function AboutFields({ draft, categories, category, errors, onEdit }: AboutProps) {
  const text = (field: 'name' | 'description' | 'priority') => ({
    className: 'field',
    autoComplete: 'off',
    value: draft[field],
    onChange: ({ target }: { target: { value: string } }) =>
      onEdit({ ...draft, [field]: target.value }),
  });
  const choose = (name: string) => {
    const selected = categories.find((one) => one.name === name);
    if (selected) onEdit(withCategory(draft, selected));
  };
  return (
    <div className="form-grid">
      <FormField label="Name" error={errorWithin(errors, 'name')}>
        {(control) => <input required maxLength={200} {...text('name')} {...control} />}
      </FormField>
      <FormField label="Category" error={errorWithin(errors, 'category')}>
        {(control) => (
          <select
            className="field"
            value={draft.category}
            onChange={({ target }) => choose(target.value)}
            {...control}
          >
            {!category && <option value={draft.category}>{draft.category}</option>}
            {categories.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </FormField>
      <FormField
        label="Priority"
        hint="Policies with lower numbers are evaluated first"
        error={errorWithin(errors, 'priority')}
      >
        {(control) => (
          <input type="number" min={0} max={1_000_000} {...text('priority')} {...control} />
        )}
      </FormField>
      <div className="form-field">
        <span>Enabled</span>
        <Switch
          label="Enabled"
          on={draft.enabled}
          onChange={(enabled) => onEdit({ ...draft, enabled })}
        />
      </div>
      <div className="form-wide">
        <FormField label="Description" error={errorWithin(errors, 'description')}>
          {(control) => (
            <textarea rows={2} maxLength={10_000} {...text('description')} {...control} />
          )}
        </FormField>
      </div>
    </div>
  );
}

const scopeNames: Record<ScopeField, string> = {
  agents: 'Agents',
  workflows: 'Workflows',
  user_groups: 'User groups',
};

const ScopeFields = ({ draft, errors, onEdit }: PolicyFieldsProps) => (
  <div className="form-grid">
    {scopeFields.map((field) => (
      <FormField
        key={field}
        label={scopeNames[field]}
        error={errorWithin(errors, `scope.${field}`)}
      >
        {(control) => (
          <textarea
            className="field mono"
            rows={2}
            placeholder="all"
            value={draft.scope[field]}
            onChange={({ target }) =>
              onEdit({ ...draft, scope: { ...draft.scope, [field]: target.value } })
            }
            {...control}
          />
        )}
      </FormField>
    ))}
  </div>
);
