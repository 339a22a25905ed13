import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { MAX_WIDGETS } from '#contract/dashboards.ts';
import { api } from '../data/api.ts';
import { dashboardDetail } from '../data/dashboard-sources.ts';
import type { Dashboard, Widget } from '../data/dashboard-sources.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { zoneName } from '../display.ts';
import { MoreIcon } from '../icons.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { CreateButton } from '../parts/create-button.tsx';
import { MenuItem } from './menu-item.tsx';
import { NameField } from '../parts/name-field.tsx';
import { Empty, Loaded, Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Popover } from '../parts/popover.tsx';
import { TimeRangeField } from '../parts/time-range-field.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { pathTo } from '../path-id.ts';
import { AgentField } from '../runs/agent-field.tsx';
import { timeRangeOf } from '../time-range.ts';
import type { TimeRange } from '../time-range.ts';
import { useFilters } from '../use-filters.ts';
import type { Filters } from '../use-filters.ts';
import { markInvisible } from '../mark-invisible.ts';
import { DashboardDialog } from './dashboard-dialog.tsx';
import type { DashboardDraft } from './dashboard-dialog.tsx';
import { FIRST_RANGE, pageFiltersOf } from './fitting-query.ts';
import { useWidgets } from './use-widgets.ts';
import { WidgetCard } from './widget-card.tsx';
import type { WidgetActions } from './widget-card.tsx';
import { moveItem } from './widget-draft.ts';
import { WidgetEditor } from './widget-editor.tsx';
import './dashboard-page.css';

const parent = { name: t`Dashboards`, to: '/dashboards' };

export function DashboardPage({ id, user }: { id: string; user: User }) {
  const reading = useQuery(dashboardDetail(id));
  const dashboard = reading.data;
  if (!dashboard)
    return (
      <Page title={t`Dashboard`} parent={parent}>
        <Loaded reading={reading}>{() => null}</Loaded>
      </Page>
    );
  return <Shown dashboard={dashboard} user={user} refetch={reading.refetch} />;
}

interface ShownProps {
  dashboard: Dashboard;
  user: User;
  refetch: () => Promise<void>;
}

/** The widget that is edited: an existing one by its index, or a new one. */
type Edited = { at: number } | 'new';

function Shown({ dashboard, user, refetch }: ShownProps) {
  const filters = useFilters();
  const range = rangeOf(filters);
  const page = pageFiltersOf(filters);
  const { items, save } = useWidgets(dashboard);
  const [edited, setEdited] = useState<Edited>();
  const [moves, setMoves] = useState('');
  const { error, attempt } = useAttempt();
  const mayChange = dashboard.may_change;
  const change = (next: Parameters<typeof save>[0]) => attempt(() => save(next));
  const put = (widget: Widget): Promise<void> => {
    if (edited === 'new' || edited === undefined) return save([...items, { widget }]);
    return save(items.map((item, at) => (at === edited.at ? { ...item, widget } : item)));
  };
  const actionsOf = (at: number): WidgetActions => {
    const item = items[at] as (typeof items)[number];
    return {
      onEdit: () => setEdited({ at }),
      onDuplicate: () =>
        void change([...items.slice(0, at + 1), { widget: item.widget }, ...items.slice(at + 1)]),
      onMove: (by) => {
        const to = Math.min(items.length - 1, Math.max(0, at + by));
        if (to === at) return;
        setMoves(t`${markInvisible(item.widget.title)} is now ${to + 1} of ${items.length}`);
        void change(moveItem(items, at, by));
      },
      onResize: () => {
        const width = item.widget.width === 'full' ? 'half' : 'full';
        void change(items.with(at, { ...item, widget: { ...item.widget, width } }));
      },
      onDelete: () => void change(items.toSpliced(at, 1)),
    };
  };
  return (
    <Page
      title={dashboard.name}
      parent={parent}
      aside={
        <Controls
          {...{ dashboard, user, refetch }}
          widgets={items.map(({ widget }) => widget)}
          onAdd={items.length < MAX_WIDGETS ? () => setEdited('new') : undefined}
        />
      }
    >
      <RangeAndFilters filters={filters} />
      <p className="muted page-note">{noteOf(range)}</p>
      {error !== undefined && <Notice tone="bad">{error}</Notice>}
      <p className="hidden" role="status">
        {moves}
      </p>
      {items.length === 0 ? (
        <Empty title={t`No widgets yet`}>
          {mayChange && (
            <p>
              <Trans>A widget shows one query: cost by agent, errors by day, and so on.</Trans>
            </p>
          )}
        </Empty>
      ) : (
        <div className="widgets">
          {items.map(({ key, widget }, at) => (
            <WidgetCard
              key={key}
              {...{ widget, at, of: items.length, range, filters: page }}
              actions={mayChange ? actionsOf(at) : undefined}
            />
          ))}
        </div>
      )}
      {edited !== undefined && (
        <WidgetEditor
          widget={edited === 'new' ? undefined : items[edited.at]?.widget}
          {...{ range, filters: page }}
          onSave={put}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

function rangeOf(filters: Filters): TimeRange {
  const range = timeRangeOf(filters);
  return Object.keys(range).length === 0 ? { since: FIRST_RANGE } : range;
}

const noteOf = ({ since, start }: TimeRange): string =>
  since || start
    ? t`Days begin at midnight in ${zoneName()}. Changes are relative to the previous period of the same length.`
    : t`Days begin at midnight in ${zoneName()}. Changes are relative to the previous seven days.`;

const RangeAndFilters = ({ filters }: { filters: Filters }) => (
  <Toolbar>
    <TimeRangeField filters={filters} first={FIRST_RANGE} />
    <AgentField filters={filters} />
    {(
      [
        ['user', t`End user`],
        ['team', t`Team`],
        ['model', t`Model`],
        ['tag', t`Tag`],
      ] as const
    ).map(([name, label]) => (
      <NameField
        key={name}
        label={label}
        suggestions={[]}
        value={filters.get(name)}
        onChange={(value) => filters.set({ [name]: value })}
      />
    ))}
  </Toolbar>
);

interface ControlsProps extends ShownProps {
  widgets: readonly Widget[];
  /** Undefined if the dashboard has the maximum number of widgets. */
  onAdd: (() => void) | undefined;
}

type Opened = 'settings' | 'duplicate' | 'delete';

/** The buttons for the whole dashboard. */
function Controls({ dashboard, user, refetch, widgets, onAdd }: ControlsProps) {
  const { id, name, is_shared, may_change } = dashboard;
  const [opened, setOpened] = useState<Opened>();
  const [, navigate] = useLocation();
  const close = () => setOpened(undefined);
  const params = { dashboard_id: id };
  const change = async (body: DashboardDraft) => {
    await api.dashboards.updateDashboard({ params, body });
    // Later edits of the widgets are based on the new version.
    await refetch();
  };
  const duplicate = async (draft: DashboardDraft) => {
    const body = { ...draft, widgets: [...widgets] };
    const copy = await api.dashboards.createDashboard({ body });
    navigate(pathTo('dashboards', copy.id));
  };
  const remove = async () => {
    await api.dashboards.deleteDashboard({ params });
    navigate(parent.to);
  };
  return (
    <div className="dashboard-controls">
      {may_change && onAdd && <CreateButton name={t`Add widget`} onClick={onAdd} />}
      <Popover
        label={t`Actions for the dashboard`}
        summary={<MoreIcon />}
        buttonClass="button"
        atEnd
      >
        {may_change && (
          <MenuItem onClick={() => setOpened('settings')}>
            {is_shared ? t`Rename or unshare…` : t`Rename or share…`}
          </MenuItem>
        )}
        <MenuItem onClick={() => setOpened('duplicate')}>
          <Trans>Duplicate dashboard…</Trans>
        </MenuItem>
        {may_change && (
          <MenuItem onClick={() => setOpened('delete')}>
            <Trans>Delete dashboard…</Trans>
          </MenuItem>
        )}
      </Popover>
      {opened === 'settings' && (
        <DashboardDialog
          title={t`Dashboard`}
          action={t`Save`}
          first={{ name, is_shared }}
          {...{ user, onSave: change, onClose: close }}
        />
      )}
      {opened === 'duplicate' && (
        <DashboardDialog
          title={t`Duplicate dashboard`}
          action={t`Duplicate`}
          first={{ name: t`${name.slice(0, 90)} (copy)`, is_shared: false }}
          {...{ user, onSave: duplicate, onClose: close }}
        />
      )}
      {opened === 'delete' && (
        <ConfirmDialog
          title={t`Delete dashboard`}
          action={t`Delete`}
          onConfirm={remove}
          onClose={close}
        >
          <p>
            {is_shared
              ? t`It is removed for all members. The data that it shows is not deleted.`
              : t`The data that it shows is not deleted.`}
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
