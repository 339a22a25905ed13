import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { bodyOf, draftOf } from './tenant-draft.ts';
import { otherError, TenantFields } from './tenant-fields.tsx';

interface CreateTenantProps {
  onCreated: () => void;
  onClose: () => void;
}

export function CreateTenant({ onCreated, onClose }: CreateTenantProps) {
  const [draft, setDraft] = useState(draftOf());
  const [key, setKey] = useState<string>();
  const { error, attempt } = useAttempt();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void attempt(async () => {
      setKey((await api.subTenants.createSubTenant({ body: bodyOf(draft) })).api_key);
      onCreated();
    });
  };
  if (key !== undefined)
    return (
      <Dialog title={t`${draft.name} created`} onClose={onClose}>
        <p>
          <Trans>This API key has full access to the sub-tenant, and no access outside it.</Trans>
        </p>
        <ShownOnce label={t`API key`} value={key} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={t`Create sub-tenant`} onClose={onClose} wide>
      <form onSubmit={submit}>
        <TenantFields draft={draft} error={error} onEdit={setDraft} />
        <DialogActions error={otherError(error)} action={t`Create`} onClose={onClose} />
      </form>
    </Dialog>
  );
}
