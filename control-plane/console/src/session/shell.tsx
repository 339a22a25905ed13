import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import { openIncidents } from '../data/governance-sources.ts';
import { pendingApprovals } from '../data/approval-sources.ts';
import type { Source } from '../data/query.ts';
import { mayAdminister, mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useLiveStatus, useQuery } from '../data/use-query.ts';
import {
  AccessIcon,
  AccountIcon,
  ApprovalsIcon,
  AppsIcon,
  AuditIcon,
  CallsIcon,
  CapturesIcon,
  CostsIcon,
  DevicesIcon,
  FlowsIcon,
  GuardIcon,
  IncidentsIcon,
  KeyIcon,
  PoliciesIcon,
  PromptsIcon,
  RunsIcon,
  SessionsIcon,
  TenantsIcon,
  UsersIcon,
} from '../icons.tsx';
import { Clipped, State } from '../parts/badge.tsx';
import { formatCount } from '../format.ts';
import { Brand } from './brand.tsx';
import { SignOutButton } from './sign-out-button.tsx';

/** Sidebar and content area of every page. */
export function Shell({ user, children }: { user: User; children: ReactNode }) {
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <div className="sidebar">
        <Brand />
        <nav aria-label="Main">
          <NavLink to="/devices" name="Devices" icon={<DevicesIcon />} />
          <NavLink to="/apps" name="Apps" icon={<AppsIcon />} />
          <NavLink to="/flows" name="Flows" icon={<FlowsIcon />} />
          {mayWrite(user) && <NavLink to="/captures" name="Captures" icon={<CapturesIcon />} />}
          <NavLink to="/guard" name="Guard" icon={<GuardIcon />} />
          <hr />
          <NavLink to="/runs" name="Runs" icon={<RunsIcon />} />
          <NavLink to="/llm-calls" name="LLM calls" icon={<CallsIcon />} />
          <NavLink to="/sessions" name="Sessions" icon={<SessionsIcon />} />
          <NavLink to="/users" name="Users" icon={<UsersIcon />} />
          <NavLink to="/costs" name="Costs" icon={<CostsIcon />} />
          <NavLink to="/prompts" name="Prompts" icon={<PromptsIcon />} />
          <hr />
          <NavLink to="/policies" name="Policies" icon={<PoliciesIcon />} />
          <NavLink
            to="/incidents"
            name="Incidents"
            icon={<IncidentsIcon />}
            badge={<CountBadge source={openIncidents()} what="open" />}
          />
          <NavLink
            to="/approvals"
            name="Approvals"
            icon={<ApprovalsIcon />}
            badge={<CountBadge source={pendingApprovals()} what="pending" />}
          />
          {mayAdminister(user) && <AdminLinks />}
        </nav>
        <div className="account">
          <LiveState />
          <Link to="/account" className="who" title={`${user.email}, ${user.role}: your account`}>
            <AccountIcon />
            <Clipped text={user.tenant.name} />
            <Clipped text={user.email} title={`${user.email}, ${user.role}: your account`} />
          </Link>
          <SignOutButton />
        </div>
      </div>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

const AdminLinks = () => (
  <>
    <hr />
    <NavLink to="/access" name="Access" icon={<AccessIcon />} />
    <NavLink to="/api-keys" name="API keys" icon={<KeyIcon />} />
    <NavLink to="/audit" name="Audit log" icon={<AuditIcon />} />
    <NavLink to="/sub-tenants" name="Sub-tenants" icon={<TenantsIcon />} />
  </>
);

interface NavLinkProps {
  to: string;
  name: string;
  icon: ReactNode;
  badge?: ReactNode;
}

function NavLink({ to, name, icon, badge }: NavLinkProps) {
  const [within] = useRoute(`${to}/*?`);
  return (
    <Link to={to} title={name} aria-current={within ? 'page' : undefined}>
      {icon}
      <span>{name}</span>
      {badge}
    </Link>
  );
}

/** Number of items that need attention; nothing if there are none. */
function CountBadge({ source, what }: { source: Source<number>; what: string }) {
  const { data = 0 } = useQuery(source);
  if (data === 0) return null;
  return (
    <b className="waiting" title={`${formatCount(data)} ${what}`}>
      {data > 99 ? '99+' : data}
    </b>
  );
}

function LiveState() {
  const live = useLiveStatus() === 'live';
  return (
    <div className="live-state" role="status" title={live ? 'Live' : 'Reconnecting…'}>
      <State tone={live ? 'good' : 'warn'}>
        <span>{live ? 'Live' : 'Reconnecting…'}</span>
      </State>
    </div>
  );
}
