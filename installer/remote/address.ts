import { InstallerError } from '../installer-error.ts';

/**
 * Removes trailing slashes. Throws InstallerError, naming the option, for anything but http or
 * https.
 */
export function readAddress(option: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && /^https?:$/.test(url.protocol)) return value.replace(/\/+$/, '');
  throw new InstallerError(`${option}: expected an http or https URL, found something else`);
}
