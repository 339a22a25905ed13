import { useEffect, useState } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';
import { restoreSession } from './data/restore-session.ts';
import type { User } from './data/session.ts';
import { useSession } from './data/use-query.ts';
import { AccessPage } from './access/access-page.tsx';
import { AccountPage } from './account/account-page.tsx';
import { MustChangePassword } from './account/must-change-password.tsx';
import { AppGroupPage } from './apps/app-group-page.tsx';
import { AppsPage } from './apps/apps-page.tsx';
import { InventoryRulePage, NewInventoryRulePage } from './apps/inventory-rule-page.tsx';
import { ApprovalsPage } from './approvals/approvals-page.tsx';
import { AuditPage } from './audit/audit-page.tsx';
import { CapturesPage } from './captures/captures-page.tsx';
import { CostsPage } from './costs/costs-page.tsx';
import { DevicePage } from './devices/device-page.tsx';
import { DevicesPage } from './devices/devices-page.tsx';
import { FlowsPage } from './flows/flows-page.tsx';
import { IncidentsPage } from './governance/incidents-page.tsx';
import { GuardPage } from './guard/guard-page.tsx';
import { KeysPage } from './keys/keys-page.tsx';
import { CallsPage } from './llm-calls/calls-page.tsx';
import { Boundary } from './parts/boundary.tsx';
import { Empty, Notice } from './parts/notice.tsx';
import { Page } from './parts/page.tsx';
import { useIdInPath } from './path-id.ts';
import { NewPolicyPage } from './policies/new-policy-page.tsx';
import { PoliciesPage } from './policies/policies-page.tsx';
import { PolicyPage } from './policies/policy-page.tsx';
import { PromptPage } from './prompts/prompt-page.tsx';
import { PromptsPage } from './prompts/prompts-page.tsx';
import { RunPage } from './runs/run-page.tsx';
import { RunsPage } from './runs/runs-page.tsx';
import { SessionPage } from './sessions/session-page.tsx';
import { SessionsPage } from './sessions/sessions-page.tsx';
import { Shell } from './session/shell.tsx';
import { SignIn } from './session/sign-in.tsx';
import { TenantPage } from './sub-tenants/tenant-page.tsx';
import { TenantsPage } from './sub-tenants/tenants-page.tsx';
import { UserPage } from './users/user-page.tsx';
import { UsersPage } from './users/users-page.tsx';

/** Sign-in replaces the page but keeps its URL, so the user returns to it. */
export function App() {
  const session = useSession();
  const path = usePathname();
  if (session.status === 'signed-out') return <SignIn />;
  if (session.status === 'unknown') return <Restore />;
  if (session.user.must_change_password) return <MustChangePassword user={session.user} />;
  return (
    <Shell user={session.user}>
      <Boundary key={path}>
        <Pages user={session.user} />
      </Boundary>
    </Shell>
  );
}

/** Shown until the session is known. */
function Restore() {
  const [error, setError] = useState<string>();
  useEffect(() => {
    void restoreSession().then(setError);
  }, []);
  if (error === undefined) return null;
  return (
    <main className="sign-in">
      <Notice tone="bad">
        {error}{' '}
        <button type="button" className="link" onClick={() => void restoreSession().then(setError)}>
          Try again
        </button>
      </Notice>
    </main>
  );
}

function Pages({ user }: { user: User }) {
  const id = useIdInPath();
  return (
    <Switch>
      <Route path="/">
        <Redirect to="/devices" replace />
      </Route>
      <Route path="/devices">
        <DevicesPage user={user} />
      </Route>
      <Route path="/devices/:id">
        <DevicePage key={id} id={id} user={user} />
      </Route>
      <Route path="/apps">
        <AppsPage user={user} />
      </Route>
      <Route path="/apps/:id">
        <AppGroupPage key={id} id={id} />
      </Route>
      <Route path="/inventory-rules/new">
        <NewInventoryRulePage user={user} />
      </Route>
      <Route path="/inventory-rules/:id">
        <InventoryRulePage key={id} id={id} user={user} />
      </Route>
      <Route path="/flows">
        <FlowsPage />
      </Route>
      <Route path="/captures">
        <CapturesPage user={user} />
      </Route>
      <Route path="/guard">
        <GuardPage user={user} />
      </Route>
      <Route path="/runs">
        <RunsPage />
      </Route>
      <Route path="/runs/:id">
        <RunPage key={id} id={id} user={user} />
      </Route>
      <Route path="/llm-calls">
        <CallsPage />
      </Route>
      <Route path="/sessions">
        <SessionsPage />
      </Route>
      <Route path="/sessions/:id">
        <SessionPage key={id} id={id} />
      </Route>
      <Route path="/users">
        <UsersPage />
      </Route>
      <Route path="/users/:id">
        <UserPage key={id} id={id} />
      </Route>
      <Route path="/costs">
        <CostsPage />
      </Route>
      <Route path="/prompts">
        <PromptsPage user={user} />
      </Route>
      <Route path="/prompts/:id">
        <PromptPage key={id} id={id} user={user} />
      </Route>
      <Route path="/policies">
        <PoliciesPage user={user} />
      </Route>
      <Route path="/policies/new">
        <NewPolicyPage user={user} />
      </Route>
      <Route path="/policies/:id">
        <PolicyPage key={id} id={id} user={user} />
      </Route>
      <Route path="/incidents">
        <IncidentsPage user={user} />
      </Route>
      <Route path="/approvals">
        <ApprovalsPage user={user} />
      </Route>
      <Route path="/access">
        <AccessPage user={user} />
      </Route>
      <Route path="/account">
        <AccountPage user={user} />
      </Route>
      <Route path="/audit">
        <AuditPage user={user} />
      </Route>
      <Route path="/sub-tenants">
        <TenantsPage user={user} />
      </Route>
      <Route path="/sub-tenants/:id">
        <TenantPage key={id} id={id} user={user} />
      </Route>
      <Route path="/api-keys">
        <KeysPage user={user} />
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

function NotFound() {
  return (
    <Page title="Not found">
      <Empty title="There is no page at this URL">
        <p>
          <Link to="/devices">Go to Devices</Link>
        </p>
      </Empty>
    </Page>
  );
}
