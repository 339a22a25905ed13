import { t } from '@lingui/core/macro';
import { quotaFields } from '#contract/sub-tenants.ts';
import { FormField } from '../parts/form-field.tsx';
import { quotaNames } from './tenant-draft.ts';
import type { TenantDraft } from './tenant-draft.ts';

interface TenantFieldsProps {
  draft: TenantDraft;
  /** Error from the service, such as `quotas.max_agents: 5 is more than …`. */
  error: string | undefined;
  onEdit: (draft: TenantDraft) => void;
}

export function TenantFields({ draft, error, onEdit }: TenantFieldsProps) {
  const text = (field: 'name' | 'external_id' | 'contact_email') => ({
    className: 'field',
    autoComplete: 'off',
    value: draft[field],
    onChange: ({ target }: { target: { value: string } }) =>
      onEdit({ ...draft, [field]: target.value }),
  });
  return (
    <div className="form-grid">
      <FormField label={t`Name`} error={errorOf(error, 'name')}>
        {(control) => <input required maxLength={200} {...text('name')} {...control} />}
      </FormField>
      <FormField label={t`External ID`} error={errorOf(error, 'external_id')}>
        {(control) => <input maxLength={200} {...text('external_id')} {...control} />}
      </FormField>
      <FormField label={t`Contact`} error={errorOf(error, 'contact_email')}>
        {(control) => (
          <input type="email" maxLength={320} {...text('contact_email')} {...control} />
        )}
      </FormField>
      {quotaFields.map((field) => (
        <FormField key={field} label={quotaNames[field]} error={errorOf(error, `quotas.${field}`)}>
          {(control) => (
            <input
              className="field"
              type="number"
              min={0}
              placeholder={t`Unlimited (inherits from parent)`}
              value={draft.quotas[field]}
              onChange={({ target }) =>
                onEdit({ ...draft, quotas: { ...draft.quotas, [field]: target.value } })
              }
              {...control}
            />
          )}
        </FormField>
      ))}
    </div>
  );
}

/** The part of an error that concerns a field. */
export function errorOf(error: string | undefined, field: string): string | undefined {
  const line = error?.replace(/^\p{Lu}/u, (first) => first.toLowerCase()) ?? '';
  return line.startsWith(`${field}: `) ? line.slice(field.length + 2) : undefined;
}

const fields = [
  'name',
  'external_id',
  'contact_email',
  ...quotaFields.map((one) => `quotas.${one}`),
];

/** The error, if it concerns no field. */
export const otherError = (error: string | undefined): string | undefined =>
  fields.some((field) => errorOf(error, field) !== undefined) ? undefined : error;
