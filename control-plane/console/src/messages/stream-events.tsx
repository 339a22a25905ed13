import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { formatCount } from '../format.ts';
import { Collapsible } from './collapsible.tsx';
import { JsonTree } from './json-tree.tsx';
import type { StreamEvent } from './parse/read-stream.ts';
import { UntrustedText } from '../parts/text.tsx';
import './stream-events.css';

const PAGE_SIZE = 50;

/** The events of a stream, in order of arrival. */
export const StreamEvents = ({ events }: { events: readonly StreamEvent[] }) => (
  <Collapsible title={plural(events.length, { one: '# event', other: '# events' })} value={events}>
    <EventList events={events} />
  </Collapsible>
);

function EventList({ events }: { events: readonly StreamEvent[] }) {
  const [shown, setShown] = useState(PAGE_SIZE);
  return (
    <>
      <ol className="stream-events">
        {events.slice(0, shown).map(({ name, data }, at) => (
          // The index is a stable key: recorded events do not change.
          <li key={at}>
            <span className="muted">{at + 1}</span>
            {name !== null && (
              <span className="mono" data-content>
                <UntrustedText text={name} />
              </span>
            )}
            <JsonTree label={t`Event ${at + 1}`} value={data} openLevels={0} />
          </li>
        ))}
      </ol>
      {shown < events.length && (
        <button type="button" className="button" onClick={() => setShown(shown + PAGE_SIZE)}>
          <Trans>Show more events ({formatCount(events.length - shown)})</Trans>
        </button>
      )}
    </>
  );
}
