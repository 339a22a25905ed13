import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import type { SubTenantDetail } from '../data/tenant-sources.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Text } from '../parts/text.tsx';

interface SuspendTenantProps {
  tenant: SubTenantDetail;
  onChanged: () => Promise<void>;
}

/** Stops service, and takes it up again. */
export function SuspendTenant({ tenant, onChanged }: SuspendTenantProps) {
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const isActive = tenant.status === 'active';
  const params = { sub_tenant_id: tenant.id };
  const change = async () => {
    if (isActive) await api.subTenants.suspendSubTenant({ params, body: { reason } });
    else await api.subTenants.resumeSubTenant({ params });
    await onChanged();
  };
  return (
    <>
      <button
        type="button"
        className={isActive ? 'button danger' : 'button primary'}
        onClick={() => setAsking(true)}
      >
        {isActive ? 'Suspend' : 'Resume'}
      </button>
      {asking && (
        <ConfirmDialog
          title={isActive ? 'Suspend sub-tenant' : 'Resume sub-tenant'}
          action={isActive ? 'Suspend' : 'Resume'}
          onConfirm={change}
          onClose={() => setAsking(false)}
        >
          <p>
            <strong>
              <Text>{tenant.name}</Text>
            </strong>{' '}
            {isActive
              ? 'and all below it are refused everything at once, until service is resumed.'
              : 'is served again.'}
          </p>
          {isActive && (
            <form onSubmit={(event: SubmitEvent) => event.preventDefault()}>
              <label>
                Reason
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
