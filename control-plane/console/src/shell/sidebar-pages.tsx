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
  /** Opens the page when typed after `g`. */
  letter: string;
  /** The path of pages that are reached from this one alone. */
  holds?: string;
  /** Default: every user. */
  opensFor?: (user: User) => boolean;
}

export interface PageGroup {
  name: string;
  pages: readonly PageEntry[];
}

/** Every page with an entry in the sidebar. */
export const pageGroups: readonly PageGroup[] = [
  {
    name: 'Overview',
    pages: [
      { to: '/', name: 'Home', icon: <HomeIcon />, letter: 'h' },
      { to: '/dashboards', name: 'Dashboards', icon: <DashboardsIcon />, letter: 'w' },
      { to: '/get-started', name: 'Get started', icon: <StartIcon />, letter: 'e' },
    ],
  },
  {
    name: 'Devices',
    pages: [
      { to: '/devices', name: 'Devices', icon: <DevicesIcon />, letter: 'd' },
      { to: '/apps', name: 'Apps', icon: <AppsIcon />, letter: 'a' },
      { to: '/flows', name: 'Flows', icon: <FlowsIcon />, letter: 'f' },
      {
        to: '/captures',
        name: 'Captures',
        icon: <CapturesIcon />,
        letter: 'c',
        opensFor: mayWrite,
      },
      { to: '/guard', name: 'Guard', icon: <GuardIcon />, letter: 'g' },
    ],
  },
  {
    name: 'AI agents',
    pages: [
      { to: '/runs', name: 'Runs', icon: <RunsIcon />, letter: 'r' },
      { to: '/llm-calls', name: 'LLM calls', icon: <CallsIcon />, letter: 'l' },
      { to: '/scores', name: 'Scores', icon: <ScoresIcon />, letter: 'q' },
      {
        to: '/annotation-queues',
        name: 'Annotation queues',
        icon: <AnnotationIcon />,
        letter: 'n',
      },
      { to: '/sessions', name: 'Sessions', icon: <SessionsIcon />, letter: 's' },
      { to: '/users', name: 'End users', icon: <UsersIcon />, letter: 'u' },
      { to: '/coding-agents', name: 'Coding agents', icon: <CodingIcon />, letter: 'j' },
      { to: '/costs', name: 'Costs', icon: <CostsIcon />, letter: 'o' },
      { to: '/prompts', name: 'Prompts', icon: <PromptsIcon />, letter: 'p' },
      {
        to: '/playground',
        name: 'Playground',
        icon: <PlaygroundIcon />,
        letter: 'x',
        opensFor: mayWrite,
      },
      {
        to: '/datasets',
        name: 'Datasets',
        icon: <DatasetsIcon />,
        letter: 'z',
        holds: '/experiments',
      },
    ],
  },
  {
    name: 'Governance',
    pages: [
      { to: '/policies', name: 'Policies', icon: <PoliciesIcon />, letter: 'y' },
      { to: '/incidents', name: 'Incidents', icon: <IncidentsIcon />, letter: 'i' },
      { to: '/approvals', name: 'Approvals', icon: <ApprovalsIcon />, letter: 'v' },
    ],
  },
  {
    name: 'Administration',
    pages: [
      {
        to: '/settings/api-keys',
        name: 'API keys',
        icon: <KeysIcon />,
        letter: 'k',
        opensFor: mayAdminister,
      },
      { to: '/settings', name: 'Settings', icon: <SettingsIcon />, letter: 'm' },
      {
        to: '/notifications',
        name: 'Notifications',
        icon: <NotificationsIcon />,
        letter: 'b',
        opensFor: mayAdminister,
      },
      {
        to: '/audit',
        name: 'Audit log',
        icon: <AuditIcon />,
        letter: 't',
        opensFor: mayAdminister,
      },
    ],
  },
];

/** The entry of a path: the one that names most of it. */
export const entryOf = (pages: readonly PageEntry[], path: string): PageEntry | undefined =>
  pages
    .filter(({ to, holds }) => isWithin(path, to) || (holds && isWithin(path, holds)))
    .toSorted((a, b) => b.to.length - a.to.length)[0];

const isWithin = (path: string, folder: string): boolean =>
  path === folder || (folder !== '/' && path.startsWith(`${folder}/`));

/** The groups without the pages that this user may not open. */
export const pagesFor = (user: User): PageGroup[] =>
  pageGroups
    .map(({ name, pages }) => ({
      name,
      pages: pages.filter(({ opensFor }) => opensFor?.(user) ?? true),
    }))
    .filter(({ pages }) => pages.length > 0);
