import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { overview } from '../data/overview-sources.ts';
import { policyList } from '../data/policy-sources.ts';
import { runList } from '../data/run-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { CheckIcon } from '../icons.tsx';
import type { User } from '../data/session.ts';
import { Page } from '../parts/page.tsx';
import { FirstRun } from './first-run.tsx';
import './checklist.css';

/** The first steps with an installation. Each one is checked off automatically. */
export function Checklist() {
  const { data: runs } = useQuery(runList({ limit: 1 }));
  const { data: all } = useQuery(overview());
  const { data: policies } = useQuery(policyList({ limit: 1 }));
  const devices = all ? all.devices.active + all.devices.pending : 0;
  return (
    <ol className="checklist">
      <Item done={(runs?.count ?? 0) > 0} name={t`Send a first run`}>
        <Link to="/get-started">
          <Trans>With an SDK, curl, OpenTelemetry or a coding agent</Trans>
        </Link>
      </Item>
      <Item done={devices > 0} name={t`Add a device`}>
        <Link to="/devices/add">
          <Trans>See and guard the AI apps on it</Trans>
        </Link>
      </Item>
      <Item done={(policies?.count ?? 0) > 0} name={t`Write a policy`}>
        <Link to="/policies/new">
          <Trans>Budgets, approvals, content and more</Trans>
        </Link>
      </Item>
    </ol>
  );
}

interface ItemProps {
  done: boolean;
  name: string;
  children: ReactNode;
}

const Item = ({ done, name, children }: ItemProps) => (
  <li className="card check-item">
    <span className={done ? 'check-mark done' : 'check-mark'} aria-hidden="true">
      {done && <CheckIcon />}
    </span>
    <span>
      <b>{name}</b>
      <span className="muted" role="status">
        {done ? ` ${t`– done`}` : ` ${t`– to do`}`}
      </span>
      <br />
      {children}
    </span>
  </li>
);

/** Page with the first steps of an installation. It stays available afterwards. */
export const GetStartedPage = ({ user }: { user: User }) => (
  <Page title={t`Get started`}>
    <Checklist />
    <FirstRun user={user} />
  </Page>
);
