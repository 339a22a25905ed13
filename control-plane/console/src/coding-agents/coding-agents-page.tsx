import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { codingAgentNames } from '#contract/coding-agents.ts';
import { codingReport } from '../data/coding-agent-sources.ts';
import type { CodingReport } from '../data/coding-agent-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { formatCount, formatMoney, NONE } from '../format.ts';
import { Clipped } from '../parts/badge.tsx';
import { Choice } from '../parts/choice.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { KeyFigures } from '../parts/key-figures.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { pathTo } from '../path-id.ts';
import { useFilters } from '../use-filters.ts';
import { WorkByDay } from './work-by-day.tsx';
import { acceptanceOf, linesOf, workColumns } from './work-columns.tsx';

const periods = ['7d', '30d'] as const;
const periodNames = { '7d': t`7 days`, '30d': t`30 days` } as const;

/** Page about the work done with coding agents: acceptance, lines and cost. */
export function CodingAgentsPage() {
  const filters = useFilters();
  const since = periods.find((one) => one === filters.get('since')) ?? '30d';
  const agent = codingAgentNames.find((one) => one === filters.get('agent'));
  const reading = useQuery(codingReport({ since }, agent));
  return (
    <Page title={t`Coding agents`}>
      <div className="toolbar">
        <Choice
          label={t`Period`}
          options={periods.map((id) => ({ id, name: periodNames[id] }))}
          value={since}
          onChange={(one) => filters.set({ since: one === '30d' ? '' : one })}
        />
        {agent && (
          <span>
            <Trans>
              Only {agent}. <Link to="/coding-agents">Show all</Link>
            </Trans>
          </span>
        )}
      </div>
      <Loaded reading={reading}>
        {(report) =>
          report.total.prompts === 0 ? (
            <NoWork title={emptyTitles[since]} />
          ) : (
            <>
              <KeyFigures numbers={figuresOf(report)} />
              <WorkByDay report={report} filters={filters} />
              <Agents report={report} />
              <Developers report={report} />
              <Teams report={report} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function figuresOf({ total }: CodingReport) {
  return [
    [t`Developers`, formatCount(total.developers)],
    [t`Sessions`, formatCount(total.sessions)],
    [t`Prompts`, formatCount(total.prompts)],
    [t`Edits accepted`, acceptanceOf(total)],
    [t`Lines`, linesOf(total)],
    [t`Cost`, formatMoney(total.cost)],
  ] as const;
}

type Of<List extends 'agents' | 'developers' | 'teams'> = CodingReport[List][number];

const developersColumn = {
  name: t`Developers`,
  width: 106,
  align: 'end',
  wideOnly: true,
  cell: ({ developers }: { developers: number }) => formatCount(developers),
} as const;

const agentColumns: readonly Column<Of<'agents'>>[] = [
  { name: t`Coding agent`, cell: ({ agent_name }) => <Clipped text={agent_name} /> },
  developersColumn,
  ...workColumns,
];

const developerColumns: readonly Column<Of<'developers'>>[] = [
  { name: t`Developer`, cell: ({ user_id }) => <Developer id={user_id} /> },
  ...workColumns,
];

const teamColumns: readonly Column<Of<'teams'>>[] = [
  { name: t`Team`, cell: ({ team }) => <Clipped text={team ?? NONE} /> },
  developersColumn,
  ...workColumns,
];

const Agents = ({ report }: { report: CodingReport }) => (
  <Section title={t`By coding agent`}>
    <DataTable
      label={t`By coding agent`}
      columns={agentColumns}
      rows={report.agents}
      rowKey={({ agent_name }) => agent_name}
      rowLink={({ agent_name }) => `/coding-agents?agent=${agent_name}`}
    />
  </Section>
);

const Developers = ({ report }: { report: CodingReport }) => (
  <Section title={t`By developer`}>
    <DataTable
      label={t`By developer`}
      columns={developerColumns}
      rows={report.developers}
      rowKey={({ user_id }) => JSON.stringify(user_id)}
    />
  </Section>
);

function Developer({ id }: { id: string | null }) {
  if (id === null) return NONE;
  return (
    <Link to={pathTo('users', id)} className="row-link">
      <Clipped text={id} />
    </Link>
  );
}

const Teams = ({ report }: { report: CodingReport }) => (
  <Section title={t`By team`}>
    <DataTable
      label={t`By team`}
      columns={teamColumns}
      rows={report.teams}
      rowKey={({ team }) => JSON.stringify(team)}
    />
  </Section>
);

const emptyTitles: Record<(typeof periods)[number], string> = {
  '7d': t`No prompts of coding agents in the last 7 days`,
  '30d': t`No prompts of coding agents in the last 30 days`,
};

const NoWork = ({ title }: { title: string }) => (
  <Empty title={title}>
    <p>
      <Trans>
        <Link to="/guard">Switch their recording on</Link> for your devices.
      </Trans>
    </p>
  </Empty>
);
