import { type Check, ok, problem } from './check.ts';

export interface VersionFacts {
  os: string;
  osVersion: string;
  agent: string;
  node: string;
}

/** The first macOS that the app runs on, see the installer's distribution. */
const oldestMacOs = 12;

export function checkVersions({ os, osVersion, agent, node }: VersionFacts): Check[] {
  const seen = `Agent ${agent}, ${os === 'macos' ? `macOS ${osVersion}` : osVersion}, Node ${node}.`;
  if (os === 'macos' && Number.parseInt(osVersion, 10) < oldestMacOs)
    return [problem('versions', seen, 'IT', `Update macOS to ${oldestMacOs} or newer.`)];
  return [ok('versions', seen)];
}
