import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { api } from '../data/api.ts';
import { describeError } from '../data/describe-error.ts';
import type { Channel } from '../data/notification-sources.ts';
import { State } from '../parts/badge.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Text } from '../parts/text.tsx';

interface Result {
  delivered: boolean;
  answer: string;
}

/** Dialog that sends a test message when it opens, and shows the receiver's response. */
export function TestChannel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const [result, setResult] = useState<Result>();
  const { id } = channel;
  useEffect(() => {
    let isOpen = true;
    void sendTest(id).then((result) => isOpen && setResult(result));
    return () => {
      isOpen = false;
    };
  }, [id]);
  const again = () => {
    setResult(undefined);
    void sendTest(id).then(setResult);
  };
  return (
    <Dialog title={t`Test message`} onClose={onClose}>
      <p>
        <Trans>
          To{' '}
          <strong>
            <Text>{channel.name}</Text>
          </strong>
        </Trans>
      </p>
      <div className="test-result" role="status" aria-busy={result === undefined}>
        {result === undefined ? (
          <State tone="neutral">
            <Trans>Sending…</Trans>
          </State>
        ) : (
          <>
            <State tone={result.delivered ? 'good' : 'bad'}>
              {result.delivered ? t`The receiver accepted it` : t`It was not delivered`}
            </State>
            <p className="mono whole">
              <Text>{result.answer}</Text>
            </p>
          </>
        )}
      </div>
      <div className="dialog-actions">
        <button type="button" className="button" disabled={result === undefined} onClick={again}>
          <Trans>Send again</Trans>
        </button>
        <button type="button" className="button primary" onClick={onClose}>
          <Trans>Done</Trans>
        </button>
      </div>
    </Dialog>
  );
}

const sendTest = async (id: string): Promise<Result> => {
  try {
    return await api.notifications.testChannel({ params: { id } });
  } catch (error) {
    return { delivered: false, answer: describeError(error) };
  }
};
