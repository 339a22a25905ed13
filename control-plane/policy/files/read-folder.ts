import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseFile, type WrittenPolicy } from './parse-file.ts';

/**
 * All policies of the files of a folder, by name.
 *
 * @throws Error of one line with the file, the line and the field
 */
export async function readFolder(folder: string): Promise<Map<string, WrittenPolicy>> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new Error(`${folder}: cannot be read: ${error.message}`);
  });
  const found = new Map<string, WrittenPolicy>();
  for (const name of names.filter(isPolicyFile).sort())
    for (const policy of await readPolicies(join(folder, name))) {
      const { name: title } = policy.document;
      const twin = found.get(title);
      if (twin)
        throw new Error(
          `${placeOf(policy)}: the policy ${JSON.stringify(title)} is in ${placeOf(twin)} too`,
        );
      found.set(title, policy);
    }
  return found;
}

const isPolicyFile = (name: string): boolean => /\.(json|ya?ml)$/i.test(name);

/** Files that look like policies but are in folders below, and so are not read. */
export async function skippedIn(folder: string): Promise<string[]> {
  const below = await readdir(folder, { recursive: true, withFileTypes: true });
  return below
    .filter((entry) => entry.isFile() && isPolicyFile(entry.name))
    .filter((entry) => relative(folder, entry.parentPath) !== '')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export const placeOf = ({ file, line }: WrittenPolicy): string => `${file}:${line}`;

async function readPolicies(file: string): Promise<WrittenPolicy[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Error(`${file}: cannot be read: ${error.message}`);
  });
  return parseFile(file, text);
}
