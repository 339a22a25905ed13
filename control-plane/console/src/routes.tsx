import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, type ReactNode } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';
import type { User } from './data/session.ts';
import { Empty } from './parts/notice.tsx';
import { Page } from './parts/page.tsx';
import { useIdInPath } from './path-id.ts';
import { settingsPagesFor } from './settings/settings-pages.ts';

const AccountPage = lazy(async () => ({
  default: (await import('./account/account-page.tsx')).AccountPage,
}));
const AddDevicesPage = lazy(async () => ({
  default: (await import('./devices/add-devices-page.tsx')).AddDevicesPage,
}));
const AnnotationQueuePage = lazy(async () => ({
  default: (await import('./annotation-queues/queue-page.tsx')).QueuePage,
}));
const AnnotationQueuesPage = lazy(async () => ({
  default: (await import('./annotation-queues/queues-page.tsx')).QueuesPage,
}));
const AppGroupPage = lazy(async () => ({
  default: (await import('./inventory/app-group-page.tsx')).AppGroupPage,
}));
const AppsPage = lazy(async () => ({
  default: (await import('./inventory/apps-page.tsx')).AppsPage,
}));
const InventoryRulePage = lazy(async () => ({
  default: (await import('./inventory/inventory-rule-page.tsx')).InventoryRulePage,
}));
const NewInventoryRulePage = lazy(async () => ({
  default: (await import('./inventory/inventory-rule-page.tsx')).NewInventoryRulePage,
}));
const ApprovalsPage = lazy(async () => ({
  default: (await import('./approvals/approvals-page.tsx')).ApprovalsPage,
}));
const AuditPage = lazy(async () => ({
  default: (await import('./audit/audit-page.tsx')).AuditPage,
}));
const CapturesPage = lazy(async () => ({
  default: (await import('./captures/captures-page.tsx')).CapturesPage,
}));
const CodingAgentsPage = lazy(async () => ({
  default: (await import('./coding-agents/coding-agents-page.tsx')).CodingAgentsPage,
}));
const CostsPage = lazy(async () => ({
  default: (await import('./costs/costs-page.tsx')).CostsPage,
}));
const DashboardPage = lazy(async () => ({
  default: (await import('./dashboards/dashboard-page.tsx')).DashboardPage,
}));
const DashboardsPage = lazy(async () => ({
  default: (await import('./dashboards/dashboards-page.tsx')).DashboardsPage,
}));
const DatasetPage = lazy(async () => ({
  default: (await import('./datasets/dataset-page.tsx')).DatasetPage,
}));
const DatasetsPage = lazy(async () => ({
  default: (await import('./datasets/datasets-page.tsx')).DatasetsPage,
}));
const DevicePage = lazy(async () => ({
  default: (await import('./devices/device-page.tsx')).DevicePage,
}));
const DevicesPage = lazy(async () => ({
  default: (await import('./devices/devices-page.tsx')).DevicesPage,
}));
const ExperimentPage = lazy(async () => ({
  default: (await import('./experiments/experiment-page.tsx')).ExperimentPage,
}));
const FlowsPage = lazy(async () => ({
  default: (await import('./flows/flows-page.tsx')).FlowsPage,
}));
const GetStartedPage = lazy(async () => ({
  default: (await import('./get-started/checklist.tsx')).GetStartedPage,
}));
const HomePage = lazy(async () => ({
  default: (await import('./home/home-page.tsx')).HomePage,
}));
const IncidentsPage = lazy(async () => ({
  default: (await import('./incidents/incidents-page.tsx')).IncidentsPage,
}));
const GuardPage = lazy(async () => ({
  default: (await import('./guard/guard-page.tsx')).GuardPage,
}));
const KeysPage = lazy(async () => ({
  default: (await import('./api-keys/keys-page.tsx')).KeysPage,
}));
const CallPage = lazy(async () => ({
  default: (await import('./llm-calls/call-page.tsx')).CallPage,
}));
const CallsPage = lazy(async () => ({
  default: (await import('./llm-calls/calls-page.tsx')).CallsPage,
}));
const MembersPage = lazy(async () => ({
  default: (await import('./users/members-page.tsx')).MembersPage,
}));
const NewPolicyPage = lazy(async () => ({
  default: (await import('./policies/new-policy-page.tsx')).NewPolicyPage,
}));
const PlaygroundPage = lazy(async () => ({
  default: (await import('./playground/playground-page.tsx')).PlaygroundPage,
}));
const PoliciesPage = lazy(async () => ({
  default: (await import('./policies/policies-page.tsx')).PoliciesPage,
}));
const PolicyPage = lazy(async () => ({
  default: (await import('./policies/policy-page.tsx')).PolicyPage,
}));
const NotificationsPage = lazy(async () => ({
  default: (await import('./notifications/notifications-page.tsx')).NotificationsPage,
}));
const PromptPage = lazy(async () => ({
  default: (await import('./prompts/prompt-page.tsx')).PromptPage,
}));
const PromptsPage = lazy(async () => ({
  default: (await import('./prompts/prompts-page.tsx')).PromptsPage,
}));
const RunPage = lazy(async () => ({
  default: (await import('./runs/run-page.tsx')).RunPage,
}));
const ComparePage = lazy(async () => ({
  default: (await import('./runs/compare-page.tsx')).ComparePage,
}));
const RunsPage = lazy(async () => ({
  default: (await import('./runs/runs-page.tsx')).RunsPage,
}));
const ScoresPage = lazy(async () => ({
  default: (await import('./scores/scores-page.tsx')).ScoresPage,
}));
const SessionPage = lazy(async () => ({
  default: (await import('./sessions/session-page.tsx')).SessionPage,
}));
const SessionsPage = lazy(async () => ({
  default: (await import('./sessions/sessions-page.tsx')).SessionsPage,
}));
const TenantPage = lazy(async () => ({
  default: (await import('./sub-tenants/tenant-page.tsx')).TenantPage,
}));
const TenantsPage = lazy(async () => ({
  default: (await import('./sub-tenants/tenants-page.tsx')).TenantsPage,
}));
const UserPage = lazy(async () => ({
  default: (await import('./end-users/user-page.tsx')).UserPage,
}));
const UsersPage = lazy(async () => ({
  default: (await import('./end-users/users-page.tsx')).UsersPage,
}));
const AddOnsPage = lazy(async () => ({
  default: (await import('./enterprise/add-ons-page.tsx')).AddOnsPage,
}));
const AppearancePage = lazy(async () => ({
  default: (await import('./settings/appearance-page.tsx')).AppearancePage,
}));
const AuthoritiesPage = lazy(async () => ({
  default: (await import('./authorities/authorities-page.tsx')).AuthoritiesPage,
}));
const LimitsPage = lazy(async () => ({
  default: (await import('./end-users/limits-page.tsx')).LimitsPage,
}));
const MaskingPage = lazy(async () => ({
  default: (await import('./settings/masking-page.tsx')).MaskingPage,
}));
const OtelPage = lazy(async () => ({
  default: (await import('./otel/otel-page.tsx')).OtelPage,
}));
const PricesPage = lazy(async () => ({
  default: (await import('./costs/prices-page.tsx')).PricesPage,
}));
const RetentionPage = lazy(async () => ({
  default: (await import('./settings/retention-page.tsx')).RetentionPage,
}));
const SettingsArea = lazy(async () => ({
  default: (await import('./settings/settings-area.tsx')).SettingsArea,
}));
const SignInPage = lazy(async () => ({
  default: (await import('./users/sign-in-page.tsx')).SignInPage,
}));

interface Shown {
  /** The id in the path; an empty string for pages without one. */
  id: string;
  user: User;
}

/** Each page is a separate file, loaded when the page is first opened. */
const pages: readonly (readonly [path: string, render: (shown: Shown) => ReactNode])[] = [
  ['/', ({ user }) => <HomePage user={user} />],
  ['/dashboards', ({ user }) => <DashboardsPage user={user} />],
  ['/dashboards/:id', ({ id, user }) => <DashboardPage key={id} id={id} user={user} />],
  ['/get-started', ({ user }) => <GetStartedPage user={user} />],
  ['/devices', ({ user }) => <DevicesPage user={user} />],
  ['/devices/add', ({ user }) => <AddDevicesPage user={user} />],
  ['/devices/:id', ({ id, user }) => <DevicePage key={id} id={id} user={user} />],
  ['/apps', ({ user }) => <AppsPage user={user} />],
  ['/apps/:id', ({ id }) => <AppGroupPage key={id} id={id} />],
  ['/inventory-rules/new', ({ user }) => <NewInventoryRulePage user={user} />],
  ['/inventory-rules/:id', ({ id, user }) => <InventoryRulePage key={id} id={id} user={user} />],
  ['/flows', () => <FlowsPage />],
  ['/captures', ({ user }) => <CapturesPage user={user} />],
  ['/guard', ({ user }) => <GuardPage user={user} />],
  ['/runs', ({ user }) => <RunsPage user={user} />],
  ['/runs/compare', () => <ComparePage />],
  ['/runs/:id', ({ id, user }) => <RunPage key={id} id={id} user={user} />],
  ['/llm-calls', () => <CallsPage />],
  ['/llm-calls/:id', ({ id }) => <CallPage key={id} id={id} />],
  ['/scores', () => <ScoresPage />],
  ['/annotation-queues', ({ user }) => <AnnotationQueuesPage user={user} />],
  [
    '/annotation-queues/:id',
    ({ id, user }) => <AnnotationQueuePage key={id} id={id} user={user} />,
  ],
  ['/sessions', () => <SessionsPage />],
  ['/sessions/:id', ({ id }) => <SessionPage key={id} id={id} />],
  ['/users', () => <UsersPage />],
  ['/users/:id', ({ id }) => <UserPage key={id} id={id} />],
  ['/coding-agents', () => <CodingAgentsPage />],
  ['/costs', ({ user }) => <CostsPage user={user} />],
  ['/prompts', ({ user }) => <PromptsPage user={user} />],
  ['/prompts/:id', ({ id, user }) => <PromptPage key={id} id={id} user={user} />],
  ['/playground', ({ user }) => <PlaygroundPage user={user} />],
  ['/datasets', ({ user }) => <DatasetsPage user={user} />],
  ['/datasets/:id', ({ id, user }) => <DatasetPage key={id} id={id} user={user} />],
  ['/experiments/:id', ({ id, user }) => <ExperimentPage key={id} id={id} user={user} />],
  ['/policies', ({ user }) => <PoliciesPage user={user} />],
  ['/policies/new', ({ user }) => <NewPolicyPage user={user} />],
  ['/policies/:id', ({ id, user }) => <PolicyPage key={id} id={id} user={user} />],
  ['/incidents', ({ user }) => <IncidentsPage user={user} />],
  ['/approvals', ({ user }) => <ApprovalsPage user={user} />],
  ['/account', ({ user }) => <AccountPage user={user} />],
  ['/audit', ({ user }) => <AuditPage user={user} />],
  ['/notifications', ({ user }) => <NotificationsPage user={user} />],
  ['/sub-tenants/:id', ({ id, user }) => <TenantPage key={id} id={id} user={user} />],
];

/** Pages of the settings, shown below the links to all of them. */
const settings: typeof pages = [
  ['/settings/members', ({ user }) => <MembersPage user={user} />],
  ['/settings/sign-in', ({ user }) => <SignInPage user={user} />],
  ['/settings/api-keys', ({ user }) => <KeysPage user={user} />],
  ['/settings/tenants', ({ user }) => <TenantsPage user={user} />],
  ['/settings/masking', ({ user }) => <MaskingPage user={user} />],
  ['/settings/retention', ({ user }) => <RetentionPage user={user} />],
  ['/settings/prices', ({ user }) => <PricesPage user={user} />],
  ['/settings/opentelemetry', () => <OtelPage />],
  ['/settings/limits', ({ user }) => <LimitsPage user={user} />],
  ['/settings/authorities', ({ user }) => <AuthoritiesPage user={user} />],
  ['/settings/add-ons', ({ user }) => <AddOnsPage user={user} />],
  ['/settings/appearance', () => <AppearancePage />],
];

/** Redirects from earlier addresses, which bookmarks and messages may contain. */
const moved = [
  ['/access', '/settings/members'],
  ['/api-keys', '/settings/api-keys'],
  ['/sub-tenants', '/settings/tenants'],
] as const;

/**
 * All pages. Every route is open to all roles: a page that needs a role shows a notice instead
 * (most use `parts/admins-only.tsx`; Captures and Playground need analysts). The links that a role sees are those of `pagesFor` in
 * `shell/sidebar-pages.tsx` and `settingsPagesFor` in `settings/settings-pages.ts`.
 */
export function Pages({ user }: { user: User }) {
  const id = useIdInPath();
  return (
    <Switch>
      {pages.map(([path, render]) => (
        <Route key={path} path={path}>
          {render({ id, user })}
        </Route>
      ))}
      {settings.map(([path, render]) => (
        <Route key={path} path={path}>
          <SettingsArea user={user}>{render({ id, user })}</SettingsArea>
        </Route>
      ))}
      {moved.map(([from, to]) => (
        <Route key={from} path={from}>
          <Redirect to={to} replace />
        </Route>
      ))}
      <Route path="/settings">
        <Redirect to={settingsPagesFor(user)[0]?.to ?? '/'} replace />
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

function NotFound() {
  return (
    <Page title={t`Not found`}>
      <Empty title={t`There is no page at this URL`}>
        <p>
          <Link to="/">
            <Trans>Go to Home</Trans>
          </Link>
        </p>
      </Empty>
    </Page>
  );
}
