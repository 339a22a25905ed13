import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../data/api.ts';
import type { Authority } from '../data/settings-sources.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';

interface RetireAuthorityProps {
  authority: Authority;
  onRetired: () => Promise<void>;
  onClose: () => void;
}

/**
 * Dialog for retiring a root. A root that still signs identities requires an explicit confirmation.
 */
export function RetireAuthority({ authority, onRetired, onClose }: RetireAuthorityProps) {
  const { id, identities } = authority;
  const [force, setForce] = useState(false);
  return (
    <ConfirmDialog
      title={t`Retire the root`}
      action={t`Retire`}
      onConfirm={() =>
        api.authorities.retireAuthority({ params: { id }, body: { force } }).then(onRetired)
      }
      onClose={onClose}
    >
      <p>
        <Trans>
          Devices no longer trust it, and new profiles do not contain it. This cannot be undone.
        </Trans>
      </p>
      {identities > 0 && (
        <label className="confirm-check">
          <input
            type="checkbox"
            checked={force}
            onChange={({ target }) => setForce(target.checked)}
          />
          <span>
            <Trans>
              Also invalidate{' '}
              <Plural value={identities} one="# device certificate" other="# device certificates" />{' '}
              that it signed: these devices have to enroll again.
            </Trans>
          </span>
        </label>
      )}
    </ConfirmDialog>
  );
}
