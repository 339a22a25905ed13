import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../data/api.ts';
import type { Channel } from '../data/notification-sources.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Text } from '../parts/text.tsx';
import { useAttempt } from '../parts/use-attempt.ts';

/** Replaces the signing secret of a webhook. */
export function RotateSecret({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  const { error, busy, attempt } = useAttempt();
  const rotate = () =>
    void attempt(async () => {
      const params = { id: channel.id };
      setSecret((await api.notifications.rotateChannelSecret({ params })).secret);
    });
  if (secret !== undefined)
    return (
      <Dialog title={t`Signing secret rotated`} onClose={onClose}>
        <ShownOnce label={t`New signing secret`} value={secret} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={t`Rotate signing secret`} onClose={onClose}>
      <p>
        <Trans>
          Creates a new secret for{' '}
          <strong>
            <Text>{channel.name}</Text>
          </strong>
          . For a day, requests carry signatures of both secrets.
        </Trans>
      </p>
      <p className="form-error" role="alert">
        {error}
      </p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          <Trans>Cancel</Trans>
        </button>
        <button type="button" className="button primary" disabled={busy} onClick={rotate}>
          <Trans>Rotate</Trans>
        </button>
      </div>
    </Dialog>
  );
}
