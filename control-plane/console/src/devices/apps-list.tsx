import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { appKinds } from '#contract/inventory.ts';
import { deviceApps } from '../data/inventory-sources.ts';
import type { App, AppKind } from '../data/inventory-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { NONE } from '../format.ts';
import { Badge, Clipped } from '../parts/badge.tsx';
import { Select } from '../parts/choice.tsx';
import { Ago } from '../parts/clock.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Facts } from '../parts/page.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { useFilters } from '../use-filters.ts';
import { CaptureReason, CaptureState } from './capture-level.tsx';
import type { CaptureLevel } from './capture-words.ts';
import { kindNames } from './app-names.ts';
import { RiskBadges, RiskList } from './risk-badges.tsx';

type LevelOf = (app: App) => CaptureLevel | undefined;

const columnsWith = (levelOf: LevelOf): Column<App>[] => [
  { name: t`Name`, width: '18%', cell: (app) => <AppName app={app} /> },
  { name: t`Kind`, width: 148, cell: ({ kind }) => kindNames[kind] },
  { name: t`Version`, width: 100, cell: ({ version }) => <Clipped text={version ?? NONE} /> },
  {
    name: t`User`,
    width: 100,
    wideOnly: true,
    cell: ({ user }) => <Clipped text={user ?? NONE} />,
  },
  { name: t`Path`, cell: ({ path }) => <Clipped mono text={path} /> },
  { name: t`Capture`, width: 132, cell: (app) => <CaptureState level={levelOf(app)} /> },
  { name: t`Risks`, width: '14%', cell: ({ risk_flags }) => <RiskBadges flags={risk_flags} /> },
];

interface AppsListProps {
  device: string;
  levels: readonly CaptureLevel[];
}

/** Table of the AI apps on one device. */
export function AppsList({ device, levels }: AppsListProps) {
  const byApp = new Map(levels.map((level) => [level.app_id, level]));
  const levelOf: LevelOf = ({ catalog_id }) => byApp.get(catalog_id ?? '');
  const filters = useFilters();
  const kind = appKinds.find((kind) => kind === filters.get('kind'));
  const reading = useQuery(deviceApps(device, kind ? { kind } : {}));
  return (
    <>
      <div className="toolbar">
        <KindSelect kind={kind} onChange={(kind) => filters.set({ kind })} />
        {reading.data && (
          <span className="muted">
            {plural(reading.data.count, { one: '# app', other: '# apps' })}
          </span>
        )}
      </div>
      <Loaded reading={reading}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty title={kind ? t`No app of kind “${kindNames[kind]}”` : t`No AI apps found`}>
              <p>
                <Trans>The agent scans the device at regular intervals.</Trans>
              </p>
            </Empty>
          ) : (
            <DataTable
              label={t`Apps`}
              columns={columnsWith(levelOf)}
              rows={results}
              rowKey={({ id }) => id}
              rowClass={({ present }) => (present ? '' : 'absent')}
              detail={(app) => detailOf(app, levelOf(app))}
              stale={reading.stale}
            />
          )
        }
      </Loaded>
    </>
  );
}

interface KindSelectProps {
  kind: AppKind | undefined;
  onChange: (kind: string) => void;
}

function KindSelect({ kind, onChange }: KindSelectProps) {
  const options = appKinds.map((id) => ({ id, name: kindNames[id] }));
  return (
    <Select
      label={t`Kind`}
      all={t`All kinds`}
      options={options}
      value={kind ?? ''}
      onChange={onChange}
    />
  );
}

function AppName({ app }: { app: App }) {
  return (
    <span className="name-cell">
      <Clipped text={app.name} />
      {!app.present && (
        <Badge>
          <Trans>removed</Trans>
        </Badge>
      )}
      {app.present && app.last_known !== null && (
        <Badge>
          <Trans>last known</Trans>
        </Badge>
      )}
    </span>
  );
}

function detailOf(app: App, level: CaptureLevel | undefined) {
  return (
    <div className="detail-body">
      <CaptureReason level={level} />
      {app.last_known !== null && (
        <div>
          <h3>
            <Trans>Not seen at the latest scan</Trans>
          </h3>
          <p className="whole">
            <Text>{app.last_known}</Text>
          </p>
        </div>
      )}
      <div>
        <h3>
          <Trans>Path</Trans>
        </h3>
        <p className="mono whole">
          <Text>{app.path}</Text>
        </p>
      </div>
      <div>
        <h3>
          <Trans>Evidence</Trans>
        </h3>
        <ul className="plain mono whole">
          {app.evidence.map((line) => (
            <li key={line}>
              <Text>{line}</Text>
            </li>
          ))}
        </ul>
      </div>
      {app.risk_flags.length > 0 && (
        <div>
          <h3>
            <Trans>Risks</Trans>
          </h3>
          <RiskList flags={app.risk_flags} />
        </div>
      )}
      <Link to={pathTo('apps', app.group_id)}>
        <Trans>All installations</Trans>
      </Link>
      <Facts
        facts={[
          [t`Catalog`, app.catalog_id ?? t`not in the catalog`],
          [t`Confidence`, `${Math.round(app.confidence * 100)} %`],
          [t`First seen`, <Ago key="first" at={app.first_seen} />],
          [t`Last seen`, <Ago key="last" at={app.last_seen} />],
        ]}
      />
    </div>
  );
}
