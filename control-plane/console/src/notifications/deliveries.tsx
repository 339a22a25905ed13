import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { deliveryStatuses, notificationEvents } from '#contract/notifications.ts';
import { api } from '../data/api.ts';
import { deliveryList } from '../data/notification-sources.ts';
import type { Delivery } from '../data/notification-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatExact, NONE } from '../format.ts';
import { Clipped, State } from '../parts/badge.tsx';
import type { Tone } from '../parts/badge.tsx';
import { Select } from '../parts/choice.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Facts, Pager } from '../parts/page.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { offsetOf } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { eventNames, kindNames } from './names.ts';

const LIMIT = 50;

type Status = Delivery['status'];

const statusNames: Record<Status, string> = {
  waiting: t`Waiting`,
  sent: t`Sent`,
  failed: t`Given up`,
  dropped: t`Dropped`,
};
const tones: Record<Status, Tone> = {
  waiting: 'neutral',
  sent: 'good',
  failed: 'bad',
  dropped: 'neutral',
};

/** Log of the deliveries with the outcome of each message, newest first. */
export function Deliveries({ filters }: { filters: Filters }) {
  const offset = offsetOf(filters);
  const filter = filterOf(filters);
  const reading = useQuery(deliveryList({ limit: LIMIT, offset, ...filter }));
  return (
    <>
      <DeliveryToolbar filters={filters} />
      <Loaded reading={reading}>
        {({ results, count }) =>
          results.length === 0 && offset === 0 ? (
            <NoDeliveries filtered={Object.keys(filter).length > 0} />
          ) : (
            <>
              <DataTable
                label={t`Deliveries`}
                columns={columns}
                rows={results}
                rowKey={({ id }) => id}
                rowName={({ subject, created_at }) =>
                  `${subject}, ${formatExact(Date.parse(created_at))}`
                }
                detail={detailFor(reading.refetch)}
                stale={reading.stale}
              />
              <Pager
                label={t`Pages of deliveries`}
                {...{ offset, limit: LIMIT, count }}
                onMove={(offset) => filters.set({ offset: offset ? String(offset) : '' })}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}

const detailFor = (onChanged: () => Promise<void>) =>
  function Detail(delivery: Delivery) {
    return <DeliveryDetail delivery={delivery} onChanged={onChanged} />;
  };

function filterOf({ get }: Filters) {
  const status = deliveryStatuses.find((one) => one === get('status'));
  const event = notificationEvents.find((one) => one === get('event'));
  return { ...(status && { status }), ...(event && { event }) };
}

const DeliveryToolbar = ({ filters }: { filters: Filters }) => (
  <Toolbar>
    <Select
      label={t`Status`}
      all={t`All statuses`}
      options={deliveryStatuses.map((id) => ({ id, name: statusNames[id] }))}
      value={filters.get('status')}
      onChange={(status) => filters.set({ status })}
    />
    <Select
      label={t`Event`}
      all={t`All events`}
      options={notificationEvents.map((id) => ({ id, name: eventNames[id] }))}
      value={filters.get('event')}
      onChange={(event) => filters.set({ event })}
    />
  </Toolbar>
);

const NoDeliveries = ({ filtered }: { filtered: boolean }) => (
  <Empty title={filtered ? t`No message matches these filters` : t`No messages yet`}>
    {!filtered && (
      <p>
        <Trans>Messages appear here when an event matches a rule. They stay for 30 days.</Trans>
      </p>
    )}
  </Empty>
);

const columns: Column<Delivery>[] = [
  { name: t`Message`, width: '34%', cell: (one) => <Clipped text={subjectOf(one)} /> },
  { name: t`Channel`, cell: ({ channel_name }) => <Clipped text={channel_name} /> },
  {
    name: t`Rule`,
    wideOnly: true,
    cell: ({ rule_name }) => <Clipped text={rule_name} />,
  },
  {
    name: t`Status`,
    width: 112,
    cell: ({ status }) => <State tone={tones[status]}>{statusNames[status]}</State>,
  },
  {
    name: t`Attempts`,
    width: 84,
    align: 'end',
    cell: ({ attempts }) => formatCount(attempts),
  },
  { name: t`Created`, width: 108, cell: ({ created_at }) => <Ago at={created_at} /> },
];

const subjectOf = ({ subject, event_count }: Delivery): string =>
  event_count > 1 ? t`${subject} and ${formatCount(event_count - 1)} more` : subject;

interface DetailProps {
  delivery: Delivery;
  onChanged: () => Promise<void>;
}

function DeliveryDetail({ delivery, onChanged }: DetailProps) {
  const { error, busy, attempt } = useAttempt();
  const redeliver = () =>
    void attempt(async () => {
      await api.notifications.redeliver({ params: { id: delivery.id } });
      await onChanged();
    });
  const { status, due_at, sent_at } = delivery;
  return (
    <div className="detail-body">
      <Facts
        facts={[
          [t`Event`, eventNames[delivery.event]],
          [t`Events in this message`, formatCount(delivery.event_count)],
          [t`Kind`, kindNames[delivery.channel_kind]],
          [t`Recipient`, delivery.recipient || NONE],
          [t`Next attempt`, status === 'waiting' ? formatExact(Date.parse(due_at)) : NONE],
          [t`Sent`, sent_at === null ? NONE : <Ago key="sent" at={sent_at} />],
          [t`Answer`, delivery.last_answer ?? NONE],
          [t`Error`, delivery.last_error ?? NONE],
          [t`Id`, delivery.id],
        ]}
      />
      <p className="form-error" role="alert">
        {error}
      </p>
      {(status === 'sent' || status === 'failed') && (
        <div className="button-row">
          <button type="button" className="button" disabled={busy} onClick={redeliver}>
            <Trans>Send again</Trans>
          </button>
        </div>
      )}
    </div>
  );
}
