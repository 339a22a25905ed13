import { checkInterceptHosts } from '#domain/hosts/host-catalog.ts';

/**
 * The hosts for which to enable capture: normalized, sorted, without duplicates; or an error and
 * the hosts that caused it.
 */
export type CaptureHosts = { hosts: string[] } | { error: string; invalidHosts: string[] };

/** Parses a comma-separated list. An empty list is treated as a mistake, not as "no capture". */
export function readHostList(list: string): CaptureHosts {
  const names = list.split(',').map((name) => name.trim());
  const nonEmpty = names.filter((name) => name !== '');
  if (nonEmpty.length === 0)
    return { error: 'expected comma-separated host names, found none', invalidHosts: [] };

  return checkCaptureHosts(nonEmpty);
}

/** Checks the hosts. The result of a failure has every invalid host as it was given. */
export function checkCaptureHosts(names: string[]): CaptureHosts {
  const { hosts, unknown, refused } = checkInterceptHosts([...new Set(names)]);
  const problems = [
    ...(refused.length > 0
      ? [`banking, health and mail hosts are never captured: ${quoteNames(refused)}`]
      : []),
    ...(unknown.length > 0 ? [`not in the catalog of AI hosts: ${quoteNames(unknown)}`] : []),
  ];
  if (problems.length === 0) return { hosts };
  return { error: problems.join('; '), invalidHosts: [...refused, ...unknown] };
}

const quoteNames = (names: string[]): string =>
  names.map((name) => JSON.stringify(name)).join(', ');
