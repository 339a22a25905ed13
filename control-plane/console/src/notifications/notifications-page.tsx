import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { channelList, notificationRuleList } from '../data/notification-sources.ts';
import type { Channel, NotificationRule } from '../data/notification-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { AdminsOnly } from '../parts/admins-only.tsx';
import { CreateButton } from '../parts/create-button.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useFilters } from '../use-filters.ts';
import { ChannelForm } from './channel-form.tsx';
import { ChannelsTable } from './channels-table.tsx';
import { Deliveries } from './deliveries.tsx';
import { RuleForm } from './rule-form.tsx';
import { RulesTable } from './rules-table.tsx';
import './notifications.css';

const tabs = [
  { id: 'rules', name: t`Rules` },
  { id: 'channels', name: t`Channels` },
  { id: 'log', name: t`Delivery log` },
] as const;
type TabId = (typeof tabs)[number]['id'];

export const NotificationsPage = ({ user }: { user: User }) => (
  <AdminsOnly title={t`Notifications`} user={user}>
    <Notifications />
  </AdminsOnly>
);

/** Rules, channels, and the outcome of each message. */
function Notifications() {
  const filters = useFilters();
  const tab = tabs.find(({ id }) => id === filters.get('tab'))?.id ?? 'rules';
  const [adding, setAdding] = useState<'rule' | 'channel'>();
  const channels = useQuery(channelList());
  const rules = useQuery(notificationRuleList());
  const refetch = async () => {
    await Promise.all([channels.refetch(), rules.refetch()]);
  };
  const choose = (tab: TabId) => filters.set({ tab: tab === 'rules' ? '' : tab });
  const hasChannels = (channels.data?.length ?? 0) > 0;
  return (
    <Page
      title={t`Notifications`}
      aside={<AddButton {...{ tab, hasChannels, onAdd: setAdding }} />}
    >
      <Tabs label={t`Rules, channels and deliveries`} tabs={tabs} current={tab} onChoose={choose}>
        {tab === 'log' ? (
          <Deliveries filters={filters} />
        ) : (
          <Loaded reading={channels}>
            {(channels) => (
              <Loaded reading={rules}>
                {(rules) => (
                  <Lists {...{ tab, channels, rules, onAdd: setAdding, onChanged: refetch }} />
                )}
              </Loaded>
            )}
          </Loaded>
        )}
      </Tabs>
      {adding === 'channel' && (
        <ChannelForm onSaved={refetch} onClose={() => setAdding(undefined)} />
      )}
      {adding === 'rule' && (
        <RuleForm
          channels={channels.data ?? []}
          onSaved={refetch}
          onClose={() => setAdding(undefined)}
        />
      )}
    </Page>
  );
}

interface AddButtonProps {
  tab: TabId;
  hasChannels: boolean;
  onAdd: (what: 'rule' | 'channel') => void;
}

/** Button for the current tab. A rule requires a channel, so without channels it adds a channel. */
function AddButton({ tab, hasChannels, onAdd }: AddButtonProps) {
  if (tab === 'log') return null;
  return tab === 'rules' && hasChannels ? (
    <CreateButton name={t`Add rule`} onClick={() => onAdd('rule')} />
  ) : (
    <CreateButton name={t`Add channel`} onClick={() => onAdd('channel')} />
  );
}

interface ListsProps {
  tab: TabId;
  channels: readonly Channel[];
  rules: readonly NotificationRule[];
  onAdd: (what: 'rule' | 'channel') => void;
  onChanged: () => Promise<void>;
}

function Lists({ tab, channels, rules, onAdd, onChanged }: ListsProps) {
  if (channels.length === 0) return <NoChannels onAdd={() => onAdd('channel')} />;
  if (tab === 'channels') return <ChannelsTable channels={channels} onChanged={onChanged} />;
  if (rules.length === 0) return <NoRules onAdd={() => onAdd('rule')} />;
  return <RulesTable rules={rules} channels={channels} onChanged={onChanged} />;
}

const NoChannels = ({ onAdd }: { onAdd: () => void }) => (
  <Empty title={t`No notifications yet`}>
    <p>
      <Trans>
        A channel is where messages go: Slack, Microsoft Teams, email or a signed webhook. Rules
        then choose the events: incidents, approval requests, budgets, devices.
      </Trans>
    </p>
    <p>
      <button type="button" className="button primary" onClick={onAdd}>
        <Trans>Add the first channel</Trans>
      </button>
    </p>
  </Empty>
);

const NoRules = ({ onAdd }: { onAdd: () => void }) => (
  <Empty title={t`No rules yet`}>
    <p>
      <Trans>A rule says which events are sent to which channels, and when to be quiet.</Trans>
    </p>
    <p>
      <button type="button" className="button primary" onClick={onAdd}>
        <Trans>Add the first rule</Trans>
      </button>
    </p>
  </Empty>
);
