import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { PolicyDocument } from '#contract/policy-document.ts';
import type { Plan, StoredPolicy } from './plan.ts';
import { positionOf } from './read-folder.ts';

/**
 * Writes the stored policies that are in no file; with `force`, also overwrites files that differ.
 * Returns the written files.
 *
 * @throws Error with a one-line message for a file that would lose content
 */
export async function writeFiles(
  folder: string,
  { extra, change, create, same }: Plan,
  force: boolean,
): Promise<string[]> {
  const files = [...create, ...same, ...change.map(({ written }) => written)].map(
    ({ file }) => file,
  );
  for (const { written } of change) {
    const title = JSON.stringify(written.document.name);
    if (!force)
      throw new Error(
        `${positionOf(written)}: ${title} differs; use --force to overwrite the file`,
      );
    if (files.filter((file) => file === written.file).length > 1)
      throw new Error(
        `${positionOf(written)}: ${title} differs, and the file contains other policies`,
      );
  }
  await mkdir(folder, { recursive: true });
  const used = new Set(files);
  const targets = [
    ...change.map(({ written, stored }) => ({ file: written.file, stored })),
    ...extra.map((stored) => ({ file: fileFor(folder, stored, used), stored })),
  ];
  for (const { file, stored } of targets) await writeFile(file, textOf(file, stored.document));
  return targets.map(({ file }) => file);
}

/**
 * Returns a file name derived from the policy's name, with characters that are valid on every file
 * system.
 */
function fileFor(folder: string, { id, document }: StoredPolicy, used: Set<string>): string {
  const words = document.name.toLowerCase().match(/[a-z0-9]+/g) ?? [id];
  const name = words.join('-').slice(0, 100);
  for (let count = 1; ; count += 1) {
    const file = join(folder, `${count === 1 ? name : `${name}-${count}`}.yaml`);
    if (used.has(file)) continue;
    used.add(file);
    return file;
  }
}

/** Returns the text of a file. Empty fields are omitted. */
function textOf(file: string, { name, category, description, ...rest }: PolicyDocument): string {
  const scope = Object.entries(rest.scope).filter(([, names]) => names.length > 0);
  const document = {
    name,
    ...(description && { description }),
    category,
    rules: rest.rules,
    ...(scope.length > 0 && { scope: Object.fromEntries(scope) }),
    priority: rest.priority,
    enabled: rest.enabled,
    ...(rest.severity !== 'medium' && { severity: rest.severity }),
    ...(rest.mode !== 'enforce' && { mode: rest.mode }),
  };
  return /\.json$/i.test(file) ? `${JSON.stringify(document, null, 2)}\n` : stringify(document);
}
