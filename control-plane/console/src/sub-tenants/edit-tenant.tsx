import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import type { SubTenantDetail } from '../data/sub-tenant-sources.ts';
import { Section } from '../parts/section.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { bodyOf, draftOf } from './tenant-draft.ts';
import type { TenantDraft } from './tenant-draft.ts';
import { otherError, TenantFields } from './tenant-fields.tsx';

interface EditTenantProps {
  tenant: SubTenantDetail;
  onChanged: () => Promise<void>;
}

export function EditTenant({ tenant, onChanged }: EditTenantProps) {
  const [edited, setEdited] = useState<TenantDraft>();
  const { error, busy, attempt } = useAttempt();
  const draft = edited ?? draftOf(tenant);
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void attempt(async () => {
      const params = { sub_tenant_id: tenant.id };
      await api.subTenants.updateSubTenant({ params, body: bodyOf(draft) });
      await onChanged();
      setEdited(undefined);
    });
  };
  return (
    <Section title={t`Settings and quotas`}>
      <form className="card stack" onSubmit={save}>
        <TenantFields draft={draft} error={error} onEdit={setEdited} />
        <p className="form-error" role="alert">
          {otherError(error)}
        </p>
        <div className="button-row">
          <button type="submit" className="button primary" disabled={busy || !edited}>
            <Trans>Save</Trans>
          </button>
          <button
            type="button"
            className="button"
            disabled={busy || !edited}
            onClick={() => setEdited(undefined)}
          >
            <Trans>Discard</Trans>
          </button>
        </div>
      </form>
    </Section>
  );
}
