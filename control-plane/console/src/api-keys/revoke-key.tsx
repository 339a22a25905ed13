import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../data/api.ts';
import { describeError } from '../data/describe-error.ts';
import type { ApiKey } from '../data/api-key-sources.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Text } from '../parts/text.tsx';

interface RevokeKeyProps {
  apiKey: ApiKey;
  onRevoked: () => void;
  onClose: () => void;
}

export function RevokeKey({ apiKey, onRevoked, onClose }: RevokeKeyProps) {
  const [error, setError] = useState<string>();
  const revoke = async () => {
    try {
      await api.identity.revokeApiKey({ params: { id: apiKey.id } });
      onRevoked();
      onClose();
    } catch (caught) {
      setError(describeError(caught));
    }
  };
  return (
    <Dialog title={t`Revoke API key`} onClose={onClose}>
      <p>
        <Trans>
          <strong>
            <Text>{apiKey.name}</Text>
          </strong>{' '}
          stops working immediately for every client that uses it. This cannot be undone.
        </Trans>
      </p>
      <p className="form-error" role="alert">
        {error}
      </p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          <Trans>Cancel</Trans>
        </button>
        <button type="button" className="button danger filled" onClick={() => void revoke()}>
          <Trans>Revoke key</Trans>
        </button>
      </div>
    </Dialog>
  );
}
