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
    <Dialog title="Revoke API key" onClose={onClose}>
      <p>
        <strong>
          <Text>{apiKey.name}</Text>
        </strong>{' '}
        stops working immediately for every client that uses it. This cannot be undone.
      </p>
      <p className="form-error" role="alert">
        {error}
      </p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button danger filled" onClick={() => void revoke()}>
          Revoke key
        </button>
      </div>
    </Dialog>
  );
}
