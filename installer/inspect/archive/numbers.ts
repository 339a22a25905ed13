import { InstallerError } from '../../installer-error.ts';
import { find, type XmlElement } from '../xml.ts';

/** A whole number in a child element. Throws InstallerError if it is missing or invalid. */
export function readNumber(element: XmlElement, name: string): number {
  const text = find(element, name)?.text ?? '';
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(value))
    throw new InstallerError(`<${element.name}>: ${name} "${text}" is not a number of bytes`);
  return value;
}
