import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { mayAdminister, mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import {
  AnnotationIcon,
  ApprovalsIcon,
  AppsIcon,
  AuditIcon,
  CallsIcon,
  CapturesIcon,
  CodingIcon,
  CostsIcon,
  DashboardsIcon,
  DatasetsIcon,
  DevicesIcon,
  FlowsIcon,
  GuardIcon,
  HomeIcon,
  IncidentsIcon,
  KeysIcon,
  NotificationsIcon,
  PlaygroundIcon,
  PoliciesIcon,
  PromptsIcon,
  RunsIcon,
  ScoresIcon,
  SessionsIcon,
  SettingsIcon,
  StartIcon,
  UsersIcon,
} from '../icons.tsx';

export interface PageEntry {
  to: string;
  name: string;
  icon: ReactNode;
  /** Key that opens the page after `g`. */
  letter: string;
  /** Path of pages that are reachable only from this one, so that its entry is marked for them. */
  childPath?: string;
  /** Whether a user may open the page; by default every user may. */
  opensFor?: (user: User) => boolean;
}

export interface PageGroup {
  name: string;
  pages: readonly PageEntry[];
}

/** Every page with an entry in the sidebar. */
export const pageGroups: readonly PageGroup[] = [
  {
    name: t`Overview`,
    pages: [
      { to: '/', name: t`Home`, icon: <HomeIcon />, letter: 'h' },
      { to: '/dashboards', name: t`Dashboards`, icon: <DashboardsIcon />, letter: 'w' },
      { to: '/get-started', name: t`Get started`, icon: <StartIcon />, letter: 'e' },
    ],
  },
  {
    name: t`Devices`,
    pages: [
      { to: '/devices', name: t`Devices`, icon: <DevicesIcon />, letter: 'd' },
      { to: '/apps', name: t`Apps`, icon: <AppsIcon />, letter: 'a' },
      { to: '/flows', name: t`Flows`, icon: <FlowsIcon />, letter: 'f' },
      {
        to: '/captures',
        name: t`Captures`,
        icon: <CapturesIcon />,
        letter: 'c',
        opensFor: mayWrite,
      },
      { to: '/guard', name: t`Guard`, icon: <GuardIcon />, letter: 'g' },
    ],
  },
  {
    name: t`AI agents`,
    pages: [
      { to: '/runs', name: t`Runs`, icon: <RunsIcon />, letter: 'r' },
      { to: '/llm-calls', name: t`LLM calls`, icon: <CallsIcon />, letter: 'l' },
      { to: '/scores', name: t`Scores`, icon: <ScoresIcon />, letter: 'q' },
      {
        to: '/annotation-queues',
        name: t`Annotation queues`,
        icon: <AnnotationIcon />,
        letter: 'n',
      },
      { to: '/sessions', name: t`Sessions`, icon: <SessionsIcon />, letter: 's' },
      { to: '/users', name: t`End users`, icon: <UsersIcon />, letter: 'u' },
      { to: '/coding-agents', name: t`Coding agents`, icon: <CodingIcon />, letter: 'j' },
      { to: '/costs', name: t`Costs`, icon: <CostsIcon />, letter: 'o' },
      { to: '/prompts', name: t`Prompts`, icon: <PromptsIcon />, letter: 'p' },
      {
        to: '/playground',
        name: t`Playground`,
        icon: <PlaygroundIcon />,
        letter: 'x',
        opensFor: mayWrite,
      },
      {
        to: '/datasets',
        name: t`Datasets`,
        icon: <DatasetsIcon />,
        letter: 'z',
        childPath: '/experiments',
      },
    ],
  },
  {
    name: t`Governance`,
    pages: [
      { to: '/policies', name: t`Policies`, icon: <PoliciesIcon />, letter: 'y' },
      { to: '/incidents', name: t`Incidents`, icon: <IncidentsIcon />, letter: 'i' },
      { to: '/approvals', name: t`Approvals`, icon: <ApprovalsIcon />, letter: 'v' },
    ],
  },
  {
    name: t`Administration`,
    pages: [
      {
        to: '/settings/api-keys',
        name: t`API keys`,
        icon: <KeysIcon />,
        letter: 'k',
        opensFor: mayAdminister,
      },
      { to: '/settings', name: t`Settings`, icon: <SettingsIcon />, letter: 'm' },
      {
        to: '/notifications',
        name: t`Notifications`,
        icon: <NotificationsIcon />,
        letter: 'b',
        opensFor: mayAdminister,
      },
      {
        to: '/audit',
        name: t`Audit log`,
        icon: <AuditIcon />,
        letter: 't',
        opensFor: mayAdminister,
      },
    ],
  },
];

/** The entry of a path: of all that match, the one with the longest path. */
export const entryOf = (pages: readonly PageEntry[], path: string): PageEntry | undefined =>
  pages
    .filter(({ to, childPath }) => isWithin(path, to) || (childPath && isWithin(path, childPath)))
    .toSorted((a, b) => b.to.length - a.to.length)[0];

const isWithin = (path: string, folder: string): boolean =>
  path === folder || (folder !== '/' && path.startsWith(`${folder}/`));

/** The groups of pages that the user may open. */
export const pagesFor = (user: User): PageGroup[] =>
  pageGroups
    .map(({ name, pages }) => ({
      name,
      pages: pages.filter(({ opensFor }) => opensFor?.(user) ?? true),
    }))
    .filter(({ pages }) => pages.length > 0);
