import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseFile, type WrittenPolicy } from './parse-file.ts';

/**
 * Reads all policies in the files of a folder, by name.
 *
 * @throws Error with a one-line message: file, line and field
 */
export async function readFolder(folder: string): Promise<Map<string, WrittenPolicy>> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new Error(`${folder}: cannot be read: ${error.message}`);
  });
  const policies = new Map<string, WrittenPolicy>();
  for (const name of names.filter(isPolicyFile).sort())
    for (const policy of await readPolicies(join(folder, name))) {
      const { name: title } = policy.document;
      const twin = policies.get(title);
      if (twin)
        throw new Error(
          `${positionOf(policy)}: the policy ${JSON.stringify(title)} is in ${positionOf(twin)} too`,
        );
      policies.set(title, policy);
    }
  return policies;
}

const isPolicyFile = (name: string): boolean => /\.(json|ya?ml)$/i.test(name);

/** Lists policy files in subfolders, which are not read. */
export async function listSkippedFiles(folder: string): Promise<string[]> {
  const below = await readdir(folder, { recursive: true, withFileTypes: true });
  return below
    .filter((entry) => entry.isFile() && isPolicyFile(entry.name))
    .filter((entry) => relative(folder, entry.parentPath) !== '')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export const positionOf = ({ file, line }: WrittenPolicy): string => `${file}:${line}`;

async function readPolicies(file: string): Promise<WrittenPolicy[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Error(`${file}: cannot be read: ${error.message}`);
  });
  return parseFile(file, text);
}
