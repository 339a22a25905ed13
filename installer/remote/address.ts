import { InstallerError } from '../installer-error.ts';

/** The address without slashes at its end. Throws InstallerError, naming the option, for others. */
export function readAddress(option: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && /^https?:$/.test(url.protocol)) return value.replace(/\/+$/, '');
  throw new InstallerError(
    `${option}: expected an address with http or https, found something else`,
  );
}
