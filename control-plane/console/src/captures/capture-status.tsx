import { Trans } from '@lingui/react/macro';
import type { Capture } from '../data/capture-sources.ts';
import { Badge } from '../parts/badge.tsx';

/** The HTTP status of an exchange; a warning if there was no response. */
export function CaptureStatus({ status }: Pick<Capture, 'status'>) {
  if (status === null)
    return (
      <Badge tone="warn">
        <Trans>none</Trans>
      </Badge>
    );
  return <Badge tone={status < 400 ? 'good' : 'bad'}>{status}</Badge>;
}
