import { checkInterceptHosts } from '#agent/core/host-catalog.ts';

/** Hosts that capture may be on for: normalised, sorted, each once. Or why not, and which. */
export type CaptureHosts = { hosts: string[] } | { problem: string; named: string[] };

/** A list with commas, as people write it. One without any host is not "no capture" but a mistake. */
export function readHostList(list: string): CaptureHosts {
  const names = list.split(',').map((name) => name.trim());
  const given = names.filter((name) => name !== '');
  if (given.length === 0) {
    return { problem: 'expected host names with commas between them, found none', named: [] };
  }
  return checkCaptureHosts(given);
}

/** Every host that is wrong is named, as it was given. */
export function checkCaptureHosts(names: string[]): CaptureHosts {
  const { hosts, unknown, refused } = checkInterceptHosts([...new Set(names)]);
  const problems = [
    ...(refused.length > 0
      ? [`banking, health and mail hosts are never captured: ${listed(refused)}`]
      : []),
    ...(unknown.length > 0 ? [`not a host of the AI-host catalog: ${listed(unknown)}`] : []),
  ];
  if (problems.length === 0) return { hosts };
  return { problem: problems.join('; '), named: [...refused, ...unknown] };
}

const listed = (names: string[]): string => names.map((name) => JSON.stringify(name)).join(', ');
