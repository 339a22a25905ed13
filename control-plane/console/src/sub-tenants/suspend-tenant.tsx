import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import type { SubTenantDetail } from '../data/sub-tenant-sources.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Text } from '../parts/text.tsx';

interface SuspendTenantProps {
  tenant: SubTenantDetail;
  onChanged: () => Promise<void>;
}

/** Button that suspends or resumes a sub-tenant. */
export function SuspendTenant({ tenant, onChanged }: SuspendTenantProps) {
  const [confirming, setConfirming] = useState(false);
  const [reason, setReason] = useState('');
  const isActive = tenant.status === 'active';
  const params = { sub_tenant_id: tenant.id };
  const change = async () => {
    if (isActive) await api.subTenants.suspendSubTenant({ params, body: { reason } });
    else await api.subTenants.resumeSubTenant({ params });
    await onChanged();
  };
  const name = (
    <strong>
      <Text>{tenant.name}</Text>
    </strong>
  );
  return (
    <>
      <button
        type="button"
        className={isActive ? 'button danger' : 'button primary'}
        onClick={() => setConfirming(true)}
      >
        {isActive ? t`Suspend` : t`Resume`}
      </button>
      {confirming && (
        <ConfirmDialog
          title={isActive ? t`Suspend sub-tenant` : t`Resume sub-tenant`}
          action={isActive ? t`Suspend` : t`Resume`}
          onConfirm={change}
          onClose={() => setConfirming(false)}
        >
          <p>
            {isActive ? (
              <Trans>
                {name} and its descendants are suspended immediately: all of their requests are
                rejected until service is resumed.
              </Trans>
            ) : (
              <Trans>{name} is active again: its requests are accepted.</Trans>
            )}
          </p>
          {isActive && (
            <form onSubmit={(event: SubmitEvent) => event.preventDefault()}>
              <label>
                <Trans>Reason</Trans>
                <input
                  className="field"
                  maxLength={1000}
                  autoComplete="off"
                  value={reason}
                  onChange={({ target }) => setReason(target.value)}
                />
              </label>
            </form>
          )}
        </ConfirmDialog>
      )}
    </>
  );
}
