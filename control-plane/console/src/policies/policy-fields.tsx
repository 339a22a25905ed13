import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import type { PolicyCategory } from '../data/policy-sources.ts';
import { severities } from '#contract/policy-actions.ts';
import { severityNames } from '../incidents/incident-state.tsx';
import { Choice } from '../parts/choice.tsx';
import { FormField } from '../parts/form-field.tsx';
import { Switch } from '../parts/switch.tsx';
import { errorWithin } from './field-errors.ts';
import type { FieldErrors } from './field-errors.ts';
import { AgentScope } from './agent-scope.tsx';
import { CategoryCards } from './category-cards.tsx';
import { rulesOf, scopeFields } from './policy-draft.ts';
import type { Draft, ScopeField } from './policy-draft.ts';
import { Rules } from './rule-field.tsx';
import { categoryName } from './category-names.ts';

export interface PolicyFieldsProps {
  draft: Draft;
  categories: readonly PolicyCategory[];
  errors: FieldErrors;
  onEdit: (draft: Draft) => void;
  /** Whether the policy is new. The category of a stored policy cannot change. */
  isNew?: boolean;
}

/** All fields of a policy. */
export function PolicyFields(props: PolicyFieldsProps) {
  const { draft, categories, errors, onEdit } = props;
  const category = categories.find(({ name }) => name === draft.category);
  return (
    <>
      <section className="card" aria-label={t`Policy`}>
        <AboutFields {...props} />
      </section>
      {props.isNew && <CategoryCards {...props} />}
      <section className="card" aria-label={t`Rules`}>
        <h2>{t`Rules: ${categoryName(draft.category)}`}</h2>
        {category && <p className="muted card-note">{category.summary}.</p>}
        <Rules
          path="rules"
          fields={rulesOf(category)}
          draft={draft.rules}
          errors={errors}
          onChange={(rules) => onEdit({ ...draft, rules })}
        />
      </section>
      <section className="card" aria-label={t`Scope`}>
        <h2>
          <Trans>Applies to</Trans>
        </h2>
        <p className="muted card-note">
          <Trans>
            One name per line; a trailing * matches any suffix. Leave a field empty for all.
          </Trans>
        </p>
        <ScopeFields {...props} />
      </section>
    </>
  );
}

function AboutFields({ draft, categories, errors, onEdit }: PolicyFieldsProps) {
  const category = categories.find(({ name }) => name === draft.category);
  const text = (field: 'name' | 'description' | 'priority') => ({
    className: 'field',
    autoComplete: 'off',
    value: draft[field],
    onChange: ({ target }: { target: { value: string } }) =>
      onEdit({ ...draft, [field]: target.value }),
  });
  return (
    <div className="form-grid">
      <FormField label={t`Name`} error={errorWithin(errors, 'name')}>
        {(control) => <input required maxLength={200} {...text('name')} {...control} />}
      </FormField>
      <FormField
        label={t`Priority`}
        hint={t`Policies with a lower number are applied first`}
        error={errorWithin(errors, 'priority')}
      >
        {(control) => (
          <input type="number" min={0} max={1_000_000} {...text('priority')} {...control} />
        )}
      </FormField>
      <div className="form-field">
        <span>
          <Trans>Enabled</Trans>
        </span>
        <Switch
          label={t`Enabled`}
          on={draft.enabled}
          onChange={(enabled) => onEdit({ ...draft, enabled })}
        />
      </div>
      <div className="form-field">
        <span>
          <Trans>Enforcement</Trans>
        </span>
        <Choice
          label={t`Enforcement`}
          options={modes}
          value={draft.mode}
          onChange={(mode) => onEdit({ ...draft, mode })}
        />
        <p className="hint">{modeHints[draft.mode]}</p>
        {draft.mode === 'enforce' && category && <CapturedCalls {...category} />}
      </div>
      <FormField label={t`Severity of incidents`} error={errorWithin(errors, 'severity')}>
        {(control) => (
          <select
            className="field"
            value={draft.severity}
            onChange={({ target }) => {
              const severity = severities.find((one) => one === target.value);
              if (severity) onEdit({ ...draft, severity });
            }}
            {...control}
          >
            {severities.map((id) => (
              <option key={id} value={id}>
                {severityNames[id]}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <div className="form-wide">
        <FormField label={t`Description`} error={errorWithin(errors, 'description')}>
          {(control) => (
            <textarea rows={2} maxLength={10_000} {...text('description')} {...control} />
          )}
        </FormField>
      </div>
    </div>
  );
}

/** Says whether the policy can refuse calls of apps that are captured instead of instrumented. */
const CapturedCalls = ({ captured_calls: refuses }: PolicyCategory) => (
  <p className="hint">
    {refuses ? (
      <Trans>
        Calls of captured apps are blocked only where <Link to="/guard">Guard</Link> enforces
        policies.
      </Trans>
    ) : (
      <Trans>Calls of captured apps are only evaluated: this category cannot block them.</Trans>
    )}
  </p>
);

const modes = [
  { id: 'enforce', name: t`Enforce` },
  { id: 'warn', name: t`Warn only` },
] as const;

const modeHints = {
  enforce: t`Blocks, interrupts or redacts as the rules define.`,
  warn: t`Opens incidents, but does not block anything: for testing with real traffic.`,
} as const;

const scopeNames: Record<ScopeField, string> = {
  agents: t`Agents`,
  workflows: t`Workflows`,
  user_groups: t`User groups`,
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
            placeholder={t`all`}
            value={draft.scope[field]}
            onChange={({ target }) =>
              onEdit({ ...draft, scope: { ...draft.scope, [field]: target.value } })
            }
            {...control}
          />
        )}
      </FormField>
    ))}
    <AgentScope
      text={draft.scope.agents}
      onChange={(agents) => onEdit({ ...draft, scope: { ...draft.scope, agents } })}
    />
  </div>
);
