import { type Check, ok, problem } from './check.ts';

export interface VersionFacts {
  os: string;
  osVersion: string;
  agent: string;
  node: string;
}

/** The oldest macOS that supports the app; see the installer's distribution. */
const OLDEST_MAC_OS = 12;

export function checkVersions({ os, osVersion, agent, node }: VersionFacts): Check[] {
  const seen = `Agent ${agent}, ${os === 'macos' ? `macOS ${osVersion}` : osVersion}, Node ${node}.`;
  if (os === 'macos' && Number.parseInt(osVersion, 10) < OLDEST_MAC_OS)
    return [problem('versions', seen, 'IT', `Update macOS to ${OLDEST_MAC_OS} or newer.`)];
  return [ok('versions', seen)];
}
