import { InstallerError } from '../../installer-error.ts';
import { find, parseXml } from '../xml.ts';

/** Content of a component's PackageInfo. */
export interface PackageInfo {
  identifier: string;
  version: string | null;
  installLocation: string | null;
  /** The stated numbers; null without a payload. */
  payload: { files: number; kilobytes: number } | null;
  /** The paths in Scripts, as `./preinstall`. */
  scripts: string[];
}

/** @throws InstallerError unless the XML is a PackageInfo */
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
