import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import { api } from '../data/api.ts';
import { endSession, mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useLiveStatus } from '../data/use-query.ts';
import {
  CallsIcon,
  CostsIcon,
  DevicesIcon,
  FlowsIcon,
  GuardIcon,
  KeyIcon,
  PromptsIcon,
  RunsIcon,
  SessionsIcon,
  SignOutIcon,
  UsersIcon,
} from '../icons.tsx';
import { Clipped, State } from '../parts/badge.tsx';
import { Brand } from './brand.tsx';

/** What surrounds every page. */
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
          <NavLink to="/flows" name="Flows" icon={<FlowsIcon />} />
          <NavLink to="/guard" name="Guard" icon={<GuardIcon />} />
          <hr />
          <NavLink to="/runs" name="Runs" icon={<RunsIcon />} />
          <NavLink to="/llm-calls" name="LLM calls" icon={<CallsIcon />} />
          <NavLink to="/sessions" name="Sessions" icon={<SessionsIcon />} />
          <NavLink to="/users" name="Users" icon={<UsersIcon />} />
          <NavLink to="/costs" name="Costs" icon={<CostsIcon />} />
          <NavLink to="/prompts" name="Prompts" icon={<PromptsIcon />} />
          {mayAdminister(user) && <hr />}
          {mayAdminister(user) && <NavLink to="/api-keys" name="API keys" icon={<KeyIcon />} />}
        </nav>
        <div className="account">
          <LiveState />
          <div className="who">
            <Clipped text={user.tenant.name} />
            <Clipped text={user.email} title={`${user.email}, ${user.role}`} />
          </div>
          <SignOutButton />
        </div>
      </div>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function NavLink({ to, name, icon }: { to: string; name: string; icon: ReactNode }) {
  const [within] = useRoute(`${to}/*?`);
  return (
    <Link to={to} title={name} aria-current={within ? 'page' : undefined}>
      {icon}
      <span>{name}</span>
    </Link>
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

function SignOutButton() {
  // A refused sign-out means that there was no session any more.
  const signOut = () => api.identity.logout().then(endSession, endSession);
  return (
    <button type="button" className="icon-button" title="Sign out" onClick={() => void signOut()}>
      <SignOutIcon />
      <span className="hidden">Sign out</span>
    </button>
  );
}
