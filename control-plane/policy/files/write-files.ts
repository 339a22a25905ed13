import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { PolicyDocument } from '#contract/policy.ts';
import type { Plan, StoredPolicy } from './plan.ts';
import { placeOf } from './read-folder.ts';

/**
 * Writes what the control plane has and no file has; with `force` also over what files have
 * otherwise. Answers the files that it wrote.
 *
 * @throws Error of one line for a file that would be lost
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
      throw new Error(`${placeOf(written)}: ${title} differs; --force writes the file anew`);
    if (files.filter((file) => file === written.file).length > 1)
      throw new Error(`${placeOf(written)}: ${title} differs, and is not alone in its file`);
  }
  await mkdir(folder, { recursive: true });
  const taken = new Set(files);
  const targets = [
    ...change.map(({ written, stored }) => ({ file: written.file, stored })),
    ...extra.map((stored) => ({ file: fileFor(folder, stored, taken), stored })),
  ];
  for (const { file, stored } of targets) await writeFile(file, textOf(file, stored.document));
  return targets.map(({ file }) => file);
}

/** Named after the policy, in letters that every file system takes. */
function fileFor(folder: string, { id, document }: StoredPolicy, taken: Set<string>): string {
  const words = document.name.toLowerCase().match(/[a-z0-9]+/g) ?? [id];
  const name = words.join('-').slice(0, 100);
  for (let count = 1; ; count += 1) {
    const file = join(folder, `${count === 1 ? name : `${name}-${count}`}.yaml`);
    if (taken.has(file)) continue;
    taken.add(file);
    return file;
  }
}

/** Without what says nothing. */
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
  };
  return /\.json$/i.test(file) ? `${JSON.stringify(document, null, 2)}\n` : stringify(document);
}
