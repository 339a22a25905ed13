import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Tool } from './tools.ts';

const run = promisify(execFile);
const options = { maxBuffer: 64 * 1024 * 1024 };

/** An installed tool, with its version if the package manager reports it. */
export interface Installed extends Tool {
  version: string | undefined;
}

/** Runs `npm install --global` with a prefix, without the install scripts of packages. */
export async function installNpm(prefix: string, tools: readonly Tool[]): Promise<Installed[]> {
  const names = tools.map(({ name }) => name);
  const modules = join(prefix, 'lib/node_modules');
  if (!names.every((name) => existsSync(join(modules, name)))) {
    const words = ['install', '--global', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', [...words, '--loglevel=error', '--prefix', prefix, ...names], options);
  }
  return Promise.all(
    tools.map(async (tool) => {
      const manifest = await readFile(join(modules, tool.name, 'package.json'), 'utf8');
      return { ...tool, version: (JSON.parse(manifest) as { version: string }).version };
    }),
  );
}

/**
 * Installs packages into a virtual environment without their dependencies: none of them is started.
 */
export async function installPython(prefix: string, tools: readonly Tool[]): Promise<Installed[]> {
  const names = tools.map(({ name }) => name);
  if (!existsSync(join(prefix, 'bin/pip'))) await run('python3', ['-m', 'venv', prefix], options);
  const pip = join(prefix, 'bin/pip');
  await run(pip, ['install', '--quiet', '--no-deps', ...names], options);
  const { stdout } = await run(pip, ['list', '--format=json'], options);
  const listed = JSON.parse(stdout) as { name: string; version: string }[];
  return tools.map((tool) => ({
    ...tool,
    version: listed.find(({ name }) => name.toLowerCase() === tool.name)?.version,
  }));
}

/** Unpacks packages downloaded with `apt-get download`, without running their scripts. */
export async function installDebian(root: string, tools: readonly Tool[]): Promise<Installed[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-debs-'));
  const installed: Installed[] = [];
  try {
    for (const tool of tools) {
      const isThere = await run('apt-get', ['download', tool.name], {
        ...options,
        cwd: folder,
      }).then(
        () => true,
        () => false,
      );
      if (isThere) installed.push({ ...tool, version: undefined });
    }
    await mkdir(root, { recursive: true });
    for (const file of await readdir(folder))
      await run('dpkg-deb', ['--extract', join(folder, file), root], options);

    return installed;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
