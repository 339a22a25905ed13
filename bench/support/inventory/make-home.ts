import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The size of a home for `makeHome`. */
export interface HomeSize {
  files: number;
  /** The number of folders that are searched for projects. */
  searched: number;
}

/**
 * Fills a folder with a developer's home, which is always the same: source trees with searched
 * folders, most files in skipped folders (dependencies, version control, caches), and some tools,
 * extensions and MCP servers. Returns the number of files.
 */
export function makeHome(home: string, { files, searched }: HomeSize): number {
  let count = 0;
  const put = (path: string, text = ''): void => {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    count += 1;
  };
  putTools(home, put);
  const projects = Math.ceil(searched / FOLDERS_PER_PROJECT);
  const inProjects = projects * FOLDERS_PER_PROJECT * FILES_PER_FOLDER;
  const besides = Math.floor((files - count - inProjects) / projects);
  for (let i = 0; i < projects; i += 1)
    putProject(`src/group-${i % 20}/project-${i}`, besides, put);
  return count;
}

type Put = (path: string, text?: string) => void;

const FOLDERS_PER_PROJECT = 50;
const FILES_PER_FOLDER = 6;
const FILES_PER_DEPENDENCY = 8;

/** Creates a project with 50 searched folders, and `besides` files in skipped folders. */
function putProject(dir: string, besides: number, put: Put): void {
  for (let i = 0; i < FOLDERS_PER_PROJECT; i += 1) {
    // One folder is the project itself. The others are up to three levels below it.
    const folder = i === 0 ? dir : `${dir}/part-${i % 7}/${i < 8 ? '' : `unit-${i % 49}`}`;
    for (let file = 0; file < FILES_PER_FOLDER; file += 1) put(`${folder}/file-${i}-${file}.ts`);
  }
  for (let i = 0; i < besides; i += 1) {
    const name = `${Math.floor(i / FILES_PER_DEPENDENCY)}/file-${i}.js`;
    put(i % 4 === 0 ? `${dir}/.git/objects/${name}` : `${dir}/node_modules/package-${name}`);
  }
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const servers = { mcpServers: { files: { command: 'npx', args: ['-y', 'some-server@1.0.0'] } } };

function putTools(home: string, put: Put): void {
  put(
    '.claude.json',
    json({ ...servers, history: Array.from({ length: 2000 }, (_, i) => `${i}`) }),
  );
  put('.cursor/mcp.json', json(servers));
  put('.config/Claude/claude_desktop_config.json', json(servers));
  for (let i = 0; i < 10; i += 1) put(`src/group-${i}/project-${i}/.mcp.json`, json(servers));
  for (let i = 0; i < 80; i += 1) {
    const id = i === 0 ? 'github.copilot' : `publisher-${i}.extension`;
    const [publisher, name] = id.split('.');
    put(
      `.vscode/extensions/${id}-1.${i}.0/package.json`,
      json({ publisher, name, version: `1.${i}.0` }),
    );
  }
  const modules = '.npm-global/lib/node_modules';
  put(`${modules}/@openai/codex/package.json`, json({ name: '@openai/codex', version: '1.0.0' }));
  put(`${modules}/@openai/codex/bin/codex.js`, '#!/usr/bin/env node\n');
  mkdirSync(join(home, '.npm-global/bin'), { recursive: true });
  symlinkSync(
    '../lib/node_modules/@openai/codex/bin/codex.js',
    join(home, '.npm-global/bin/codex'),
  );
  for (let i = 0; i < 120; i += 1) put(`.local/bin/program-${i}`);
}
