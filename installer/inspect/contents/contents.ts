import type { HeapReader } from '../archive/content.ts';
import { readFully } from '../archive/content.ts';
import type { ArchiveEntry } from '../archive/entries.ts';
import { collectErrors } from '../collect-errors.ts';
import type { Inspection, ProductReport } from '../inspection.ts';
import { XML_LIMIT } from '../xml.ts';
import { findComponents, inspectComponent } from './component.ts';
import { readDistribution } from './distribution.ts';

/** Reads the content of a package: a product with components, or a single component. */
export async function inspectContents(
  heap: HeapReader,
  entries: readonly ArchiveEntry[],
  inspection: Inspection,
): Promise<void> {
  const { problems } = inspection;
  const data = entries.find(({ path }) => path === 'Distribution')?.data;
  const locations = findComponents(entries);
  if (data)
    inspection.product = await collectErrors(problems, 'Distribution', async () =>
      readDistribution(await readFully(heap, data, XML_LIMIT)),
    );
  else
    inspection.notes.push('a component without Distribution: MDM installs product archives only');
  if (locations.length === 0)
    problems.push('PackageInfo: is missing, so there is nothing to install');
  for (const location of locations)
    inspection.components.push(await inspectComponent(heap, entries, location, problems));
  if (inspection.product) checkReferences(inspection.product, inspection);
}

/**
 * Checks the references to components. Referenced components must exist. Unreferenced ones are
 * reported, because they are not installed.
 */
function checkReferences(
  product: ProductReport,
  { components, problems, unreferenced }: Inspection,
): void {
  for (const { path, identifier, version } of product.components) {
    const component = components.find((one) => one.path === path);
    if (!component) {
      problems.push(`Distribution: ${identifier} is to be in ${path}, which does not exist`);
      continue;
    }
    if (component.identifier !== null && component.identifier !== identifier)
      problems.push(
        `Distribution: ${path} is ${component.identifier}, referred to as ${identifier}`,
      );
    if (version !== null && component.version !== null && component.version !== version)
      problems.push(
        `Distribution: ${path} has version ${component.version}, referred to as ${version}`,
      );
  }
  const referenced = new Set(product.components.map(({ path }) => path));
  for (const { path } of components)
    if (!referenced.has(path))
      unreferenced.push(`${path}: Distribution does not refer to this component`);
}
