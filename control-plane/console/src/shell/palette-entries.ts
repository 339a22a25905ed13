import { t } from '@lingui/core/macro';
import { allDatasets } from '../data/dataset-sources.ts';
import { deviceList } from '../data/device-sources.ts';
import { MAX_PAGE_SIZE } from '../data/load-pages.ts';
import { policyList } from '../data/policy-sources.ts';
import { promptList } from '../data/prompt-sources.ts';
import { runList } from '../data/run-sources.ts';
import type { User } from '../data/session.ts';
import { userList } from '../data/analytics-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { pathTo } from '../path-id.ts';
import { settingsPagesFor } from '../settings/settings-pages.ts';
import { pagesFor } from './sidebar-pages.tsx';

/** A destination in the palette. */
export interface PaletteEntry {
  kind: string;
  name: string;
  to: string;
}

const MAX_PER_KIND = 5;

/**
 * The destinations that match the text: pages, the run with that number, and items from the
 * service.
 */
export function usePaletteEntries(user: User, text: string): PaletteEntry[] {
  const wanted = text.trim();
  const search = { limit: MAX_PER_KIND, ...(wanted && { search: wanted }) };
  const devices = useQuery(deviceList(search)).data?.results ?? [];
  const users = useQuery(userList({ ...search, sort: '-last_seen' }, {})).data?.results ?? [];
  const runs = useQuery(runList({ limit: MAX_PAGE_SIZE })).data?.results ?? [];
  const prompts = useQuery(promptList()).data ?? [];
  const datasets = useQuery(allDatasets()).data ?? [];
  const policies = useQuery(policyList({ limit: MAX_PAGE_SIZE })).data?.results ?? [];
  const pages = pagesFor(user).flatMap((group) => group.pages);
  const account = { name: t`Your account`, to: '/account' };
  const settings = settingsPagesFor(user)
    .filter(({ to }) => pages.every((page) => page.to !== to))
    .map(({ name, to }) => ({ name: t`Settings: ${name}`, to }));
  const found = matching([...pages, account, ...settings], wanted).map(({ name, to }) => ({
    kind: t`Page`,
    name,
    to,
  }));
  if (wanted === '') return found;
  const few = (entries: PaletteEntry[]) => matching(entries, wanted).slice(0, MAX_PER_KIND);
  return [
    ...runOf(wanted),
    ...found,
    ...few(
      [...new Set(runs.map(({ agent_name }) => agent_name))].map((name) => ({
        kind: t`Agent`,
        name,
        to: `/runs?${new URLSearchParams({ agent: name }).toString()}`,
      })),
    ),
    ...users.map(({ user_id }) => ({
      kind: t`End user`,
      name: user_id,
      to: pathTo('users', user_id),
    })),
    ...devices.map(({ id, hostname, user }) => ({
      kind: t`Device`,
      name: user ? `${hostname} (${user})` : hostname,
      to: pathTo('devices', id),
    })),
    ...few(
      prompts.map(({ id, name }) => ({
        kind: t`Prompt`,
        name,
        to: pathTo('prompts', id),
      })),
    ),
    ...few(
      datasets.map(({ id, name }) => ({
        kind: t`Dataset`,
        name,
        to: pathTo('datasets', id),
      })),
    ),
    ...few(policies.map(({ id, name }) => ({ kind: t`Policy`, name, to: pathTo('policies', id) }))),
  ];
}

/** Items whose name contains the text. Names that start with it come first. */
export function matching<T extends { name: string }>(all: readonly T[], text: string): T[] {
  const wanted = text.toLowerCase();
  const starts = ({ name }: T) => name.toLowerCase().startsWith(wanted);
  const found = all.filter(({ name }) => name.toLowerCase().includes(wanted));
  return [...found.filter(starts), ...found.filter((one) => !starts(one))];
}

/** The run that a text such as `700` or `#700` names. */
export function runOf(text: string): PaletteEntry[] {
  const [, id] = /^#?(\d{1,15})$/.exec(text) ?? [];
  return id === undefined ? [] : [{ kind: t`Run`, name: t`Run ${id}`, to: pathTo('runs', id) }];
}
