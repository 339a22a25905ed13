import { t } from '@lingui/core/macro';
import type { Device } from '../data/device-sources.ts';
import { kindNames } from './app-names.ts';

/** Display name of the operating system. A Linux version already contains the distribution. */
export const systemName = ({ os, os_version }: Pick<Device, 'os' | 'os_version'>): string =>
  os === 'darwin' ? t`macOS ${os_version}` : os_version || os;

/**
 * The text of a problem reported by an agent. Agents use the ids of app kinds: `mcp_server: 9017
 * found, …`.
 */
export const problemText = (problem: string): string =>
  problem.replace(/^\w+(?=: \d+ found, \d+ reported$)/, (kind) =>
    Object.hasOwn(kindNames, kind) ? kindNames[kind as keyof typeof kindNames] : kind,
  );
