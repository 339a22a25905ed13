import type { Device } from '../data/sources.ts';

/** What a person calls the system. A Linux version names its distribution already. */
export const systemName = ({ os, os_version }: Pick<Device, 'os' | 'os_version'>): string =>
  os === 'darwin' ? `macOS ${os_version}` : os_version || os;
