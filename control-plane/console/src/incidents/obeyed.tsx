import { t } from '@lingui/core/macro';
import type { Incident } from '../data/incident-sources.ts';
import { Badge } from '../parts/badge.tsx';
import { Notice } from '../parts/notice.tsx';

const names = {
  yes: [
    t`Stopped`,
    'neutral',
    t`The agent stopped: the run ended and recorded nothing after the block.`,
  ],
  no: [t`Continued`, 'bad', t`The agent continued: its run recorded more work after the block.`],
  unknown: [
    t`Unknown`,
    'warn',
    t`It is unknown whether the agent stopped: the run is not recorded or has not ended, or a record arrived that may be older than the block.`,
  ],
} as const;

/** Shows whether the agent obeyed a block; a dash if there was no block. */
export function ObeyedBadge({ incident: { obeyed } }: { incident: Pick<Incident, 'obeyed'> }) {
  if (obeyed === null || obeyed === undefined) return '–';
  const [name, tone, title] = names[obeyed];
  return (
    <Badge tone={tone} title={title}>
      {name}
    </Badge>
  );
}

export function ObeyedNotice({ incident: { obeyed } }: { incident: Pick<Incident, 'obeyed'> }) {
  if (obeyed === null || obeyed === undefined) return null;
  const [, tone, text] = names[obeyed];
  if (obeyed === 'no') return <Notice tone={tone === 'bad' ? 'bad' : 'warn'}>{text}</Notice>;
  return <p className="muted">{text}</p>;
}
