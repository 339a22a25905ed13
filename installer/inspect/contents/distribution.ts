import { InstallerError } from '../../installer-error.ts';
import type { ProductReport } from '../inspection.ts';
import { find, findAll, parseXml, type XmlElement } from '../xml.ts';

/**
 * Parses the Distribution of a product archive.
 *
 * @throws InstallerError if it is invalid
 */
export function readDistribution(xml: Buffer): ProductReport {
  const root = parseXml(xml);
  if (!/^installer-(gui-)?script$/.test(root.name))
    throw new InstallerError(`expected an installer script, found <${root.name}>`);
  const product = find(root, 'product')?.attributes;
  const architectures = find(root, 'options')?.attributes.get('hostArchitectures') ?? '';
  return {
    title: find(root, 'title')?.text ?? null,
    identifier: product?.get('id') ?? null,
    version: product?.get('version') ?? null,
    minimumOs: findAll(root, 'os-version').flatMap(({ attributes }) => attributes.get('min') ?? []),
    architectures: architectures.split(',').filter((name) => name !== ''),
    components: findAll(root, 'pkg-ref')
      .filter(({ text }) => text !== '')
      .map(readComponent),
  };
}

/** Reads a reference, whose text is a folder of the archive, as `#name.pkg`, URL-encoded. */
function readComponent({ attributes, text }: XmlElement): ProductReport['components'][number] {
  const identifier = attributes.get('id') ?? '';
  if (!text.startsWith('#'))
    throw new InstallerError(`${identifier} is outside this package, at ${text}`);
  return {
    identifier,
    version: attributes.get('version') ?? null,
    path: unescapeUrl(text.slice(1)),
  };
}

function unescapeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InstallerError(`"${text}" does not name a component`);
  }
}
