import { InstallerError } from '../../installer-error.ts';
import { find, parseXml } from '../xml.ts';

/** What a component says about itself. */
export interface PackageInfo {
  identifier: string;
  version: string | null;
  installLocation: string | null;
  /** Stated numbers; null where there is no payload to speak of. */
  payload: { files: number; kilobytes: number } | null;
  /** Paths in Scripts, as `./preinstall`. */
  scripts: string[];
}

/** Throws InstallerError where the XML is not that of a component. */
export function readPackageInfo(xml: Buffer): PackageInfo {
  const root = parseXml(xml);
  const identifier = root.attributes.get('identifier');
  if (root.name !== 'pkg-info' || !identifier)
    throw new InstallerError('expected <pkg-info> with an identifier');
  const payload = find(root, 'payload');
  return {
    identifier,
    version: root.attributes.get('version') ?? null,
    installLocation: root.attributes.get('install-location') ?? null,
    payload: payload
      ? {
          files: readCount(payload.attributes.get('numberOfFiles'), 'numberOfFiles'),
          kilobytes: readCount(payload.attributes.get('installKBytes'), 'installKBytes'),
        }
      : null,
    scripts: (find(root, 'scripts')?.children ?? []).flatMap(
      ({ attributes }) => attributes.get('file') ?? [],
    ),
  };
}

function readCount(text: string | undefined, name: string): number {
  if (!text || !/^\d{1,12}$/.test(text))
    throw new InstallerError(`${name} "${text ?? ''}" is not a number`);
  return Number(text);
}
