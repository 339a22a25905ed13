import { t } from '@lingui/core/macro';
import type { Device } from '../data/device-sources.ts';

/** Display name of the operating system. A Linux version already contains the distribution. */
export const systemName = ({ os, os_version }: Pick<Device, 'os' | 'os_version'>): string =>
  os === 'darwin' ? t`macOS ${os_version}` : os_version || os;
