import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appOfProcess } from '#agent/core/recognition/app-of-process.ts';
import { commandLineTools } from '#domain/app-catalog/command-line-tools.ts';
import { describeProcess } from './process.ts';

let root: string;
let pid = 0;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'launch-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Returns a path below the root of the test; `~/` is a home. */
const at = (path: string) => join(root, path.replace(/^~\//, '/home/ada/'));

function file(path: string): string {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), '');
  return at(path);
}

function link(path: string, target: string): string {
  mkdirSync(dirname(at(path)), { recursive: true });
  rmSync(at(path), { force: true });
  symlinkSync(at(target), at(path));
  return at(path);
}

/**
 * Creates a process in /proc with its executable's path, its command line and its current folder.
 */
function run(executable: string, words: readonly string[], cwd = '~/work') {
  const dir = join(root, `proc/${(pid += 1)}`);
  mkdirSync(dir, { recursive: true });
  mkdirSync(at(cwd), { recursive: true });
  symlinkSync(at(executable), join(dir, 'exe'));
  symlinkSync(at(cwd), join(dir, 'cwd'));
  writeFileSync(join(dir, 'comm'), 'MainThread\n');
  writeFileSync(join(dir, 'cmdline'), words.map((word) => `${word}\0`).join(''));
  return describeProcess(pid, join(root, 'proc'));
}

interface Installed {
  /** The name in npm or PyPI. */
  name: string;
  binary: string;
}

/**
 * Installs an npm package whose program in `bin` links to its script, in the places used by a tool.
 */
function npmLink({ name, binary }: Installed, modules: string, bin: string): string {
  file(`${modules}/node_modules/${name}/dist/index.js`);
  return link(`${bin}/${binary}`, `${modules}/node_modules/${name}/dist/index.js`);
}

const NODE = '/usr/bin/node';
const npmLayouts: Record<string, (tool: Installed) => ReturnType<typeof run>> = {
  'npm, global': (tool) =>
    run(NODE, ['node', npmLink(tool, '/usr/local/lib', '/usr/local/bin'), '-p', 'hi']),
  'npm, global, with options of Node': (tool) => {
    const script = npmLink(tool, '/usr/lib', '/usr/bin');
    return run(NODE, ['node', '--max-old-space-size=4096', '-r', './x.cjs', script]);
  },
  'npm, a prefix': (tool) =>
    run(NODE, ['node', npmLink(tool, '~/.npm-global/lib', '~/.npm-global/bin')]),
  nvm: (tool) => {
    const prefix = '~/.nvm/versions/node/v24.1.0';
    return run(`${prefix}/bin/node`, ['node', npmLink(tool, `${prefix}/lib`, `${prefix}/bin`)]);
  },
  npx: (tool) => {
    const cache = '~/.npm/_npx/0123456789abcdef';
    return run(NODE, ['node', npmLink(tool, cache, `${cache}/node_modules/.bin`)]);
  },
  'pnpm, global': (tool) => {
    const store = `~/.local/share/pnpm/global/5/.pnpm/${tool.name.replace('/', '+')}@1.2.3`;
    return run(NODE, ['node', npmLink(tool, store, '~/.local/share/pnpm')]);
  },
  'yarn, global': (tool) =>
    run(NODE, ['node', npmLink(tool, '~/.config/yarn/global', '~/.yarn/bin')]),
  'brew, of npm': (tool) => {
    const keg = `/home/linuxbrew/.linuxbrew/Cellar/some-formula/1.2.3`;
    return run(NODE, ['node', npmLink(tool, `${keg}/libexec/lib`, `${keg}/bin`)]);
  },
  volta: (tool) => {
    const image = `~/.volta/tools/image/packages/${tool.name}`;
    return run(NODE, ['node', npmLink(tool, `${image}/lib`, `${image}/bin`)]);
  },
  'bun, global': (tool) =>
    run('~/.bun/bin/bun', ['bun', npmLink(tool, '~/.bun/install/global', '~/.bun/bin')]),
  'bun, by run': (tool) =>
    run('~/.bun/bin/bun', ['bun', 'run', npmLink(tool, '~/.bun/install/global', '~/.bun/bin')]),
  bunx: (tool) => {
    const cache = `/tmp/bunx-1000-${tool.name}@latest`;
    return run('~/.bun/bin/bun', ['bun', npmLink(tool, cache, `${cache}/node_modules/.bin`)]);
  },
  deno: ({ name }) =>
    run('~/.deno/bin/deno', ['deno', 'run', '-A', '--no-config', `npm:${name}@1.2.3`, 'hi']),
  'a path that is relative': (tool) => {
    npmLink(tool, '~/work', '~/work/node_modules/.bin');
    return run(NODE, ['node', `node_modules/.bin/${tool.binary}`]);
  },
  'a process that has named itself': (tool) => {
    npmLink(tool, '/usr/lib', '/usr/bin');
    return run(NODE, [`${tool.binary} working`, '', '']);
  },
};

/** Installs a distribution with its program below a prefix. */
function distribution({ name, binary }: Installed, prefix: string, packages: string): string {
  file(`${prefix}/lib/${packages}/${name.replaceAll('-', '_')}-1.2.3.dist-info/METADATA`);
  file(`${prefix}/lib/${packages}/other_thing-2.0.dist-info/METADATA`);
  return file(`${prefix}/bin/${binary}`);
}

const PYTHON = '/usr/bin/python3.12';
const SITE = 'python3.12/site-packages';
const pythonLayouts: Record<string, (tool: Installed) => ReturnType<typeof run>> = {
  pipx: (tool) => {
    const env = `~/.local/share/pipx/venvs/${tool.name}`;
    distribution(tool, env, SITE);
    const start = link(`~/.local/bin/${tool.binary}`, `${env}/bin/${tool.binary}`);
    return run(PYTHON, [at(`${env}/bin/python`), start, 'fix it']);
  },
  'uv tool': (tool) => {
    const env = `~/.local/share/uv/tools/${tool.name}`;
    distribution(tool, env, SITE);
    const start = link(`~/.local/bin/${tool.binary}`, `${env}/bin/${tool.binary}`);
    return run('~/.local/share/uv/python/cpython-3.12/bin/python3.12', ['python', start]);
  },
  uvx: (tool) => run(PYTHON, ['python', distribution(tool, '~/.cache/uv/archive-v0/Xy-1', SITE)]),
  venv: (tool) => run(PYTHON, ['python', '-u', distribution(tool, '~/work/.venv', SITE)]),
  'venv, by module': (tool) => {
    distribution(tool, '~/work/.venv', SITE);
    const module = tool.binary.replaceAll('-', '_');
    return run(PYTHON, [at('~/work/.venv/bin/python'), '-Im', module, '--model', 'x']);
  },
  'pip, of the user': (tool) => run(PYTHON, ['python3', distribution(tool, '~/.local', SITE)]),
  'pip, of the system': (tool) =>
    run(PYTHON, ['python3', distribution(tool, '/usr/local', 'python3.12/dist-packages')]),
  'pip, by module': (tool) => {
    distribution(tool, '/usr', SITE);
    return run(PYTHON, [
      'python3',
      '-W',
      'ignore',
      '-m',
      `${tool.binary.replaceAll('-', '_')}.cli`,
    ]);
  },
  conda: (tool) =>
    run('/opt/conda/bin/python3.12', ['python', distribution(tool, '/opt/conda', SITE)]),
  'brew, of Python': (tool) => {
    const keg = '/home/linuxbrew/.linuxbrew/Cellar/some-formula/1.2.3';
    distribution(tool, `${keg}/libexec`, SITE);
    const start = link(`${keg}/bin/${tool.binary}`, `${keg}/libexec/bin/${tool.binary}`);
    return run(PYTHON, [at(`${keg}/libexec/bin/python`), start]);
  },
};

const withNames = (kind: 'npm' | 'pypi') =>
  commandLineTools.flatMap(({ id, binaries, ...entry }) =>
    (entry[kind] ?? []).flatMap((name) => binaries.map((binary) => ({ id, name, binary }))),
  );

/** Returns the tools that are not recognized when all are installed and started on one machine. */
const misjudged = (kind: 'npm' | 'pypi', start: (tool: Installed) => ReturnType<typeof run>) =>
  withNames(kind).filter((tool) => appOfProcess(start(tool)) !== tool.id);

describe('recognizes every tool that an interpreter runs', () => {
  test.each(Object.entries(npmLayouts))('%s', (_, start) => {
    expect(misjudged('npm', start)).toEqual([]);
  });

  test.each(Object.entries(pythonLayouts))('%s', (_, start) => {
    expect(misjudged('pypi', start)).toEqual([]);
  });
});

const gemini = { name: '@google/gemini-cli', binary: 'gemini' };

describe('does not recognize as a tool', () => {
  const aider = { name: 'aider-chat', binary: 'aider' };
  const llm = { name: 'llm', binary: 'llm' };

  test.each<[string, () => ReturnType<typeof run>]>([
    ['a script of the same name', () => run(NODE, ['node', file('~/bin/gemini')])],
    ['a script in a folder of the same name', () => run(NODE, ['node', file('~/gemini-cli/a.js')])],
    [
      'a program that is given the path of a tool',
      () => run(NODE, ['node', file('~/work/lint.js'), npmLink(gemini, '/usr/lib', '/usr/bin')]),
    ],
    [
      'code that is given the path of a tool',
      () => run(NODE, ['node', '-e', 'x', npmLink(gemini, '/usr/lib', '/usr/bin')]),
    ],
    [
      'what a tool depends on',
      () => {
        const inner = 'node_modules/other/index.js';
        return run(NODE, ['node', file(`/usr/lib/node_modules/@google/gemini-cli/${inner}`)]);
      },
    ],
    [
      'a package with a longer name',
      () => run(NODE, ['node', file('/usr/lib/node_modules/@google/gemini-cli-core/index.js')]),
    ],
    [
      'a package of the same name by another author',
      () => run(NODE, ['node', file('/usr/lib/node_modules/@other/gemini-cli/index.js')]),
    ],
    ['another package for deno', () => run('/usr/bin/deno', ['deno', 'run', 'npm:gemini-cli'])],
    [
      'an executable that is no interpreter',
      () => run('/usr/bin/vim', ['vim', npmLink(gemini, '/usr/lib', '/usr/bin')]),
    ],
    ['a title without a tool behind it', () => run(NODE, ['gemini'])],
    ['a Python script of the same name', () => run(PYTHON, ['python3', file('~/work/aider')])],
    [
      'a Python script beside other packages',
      () => {
        distribution({ ...aider, name: 'aiderlike' }, '~/work/.venv', SITE);
        return run(PYTHON, ['python3', at('~/work/.venv/bin/aider')]);
      },
    ],
    [
      'another program of an environment that has the tool',
      () => {
        distribution(aider, '~/work/.venv', SITE);
        return run(PYTHON, ['python3', file('~/work/.venv/bin/pytest')]);
      },
    ],
    [
      'another program in the environment that pipx made for a tool',
      () => run(PYTHON, ['python3', file('~/.local/share/pipx/venvs/aider-chat/bin/black')]),
    ],
    [
      'a module of the current folder',
      () => {
        distribution(llm, '/usr', SITE);
        file('~/work/llm.py');
        return run(PYTHON, ['python3', '-m', 'llm']);
      },
    ],
    [
      'a package of the current folder',
      () => {
        distribution(llm, '/usr', SITE);
        file('~/work/llm/__main__.py');
        return run(PYTHON, ['python3', '-m', 'llm']);
      },
    ],
    [
      'a module of the name that is not installed',
      () => run(PYTHON, ['python3', '-m', 'interpreter']),
    ],
    [
      'Python code that mentions a tool',
      () => {
        distribution(aider, '/usr', SITE);
        return run(PYTHON, ['python3', '-c', 'import aider', '-m', 'aider']);
      },
    ],
    ['an interpreter without a script', () => run(NODE, ['node'])],
    ['a process without a command line', () => run(NODE, [])],
  ])('%s', (_, start) => {
    expect(appOfProcess(start())).toBeUndefined();
  });
});

test('only the script of the command line is kept', () => {
  const script = file('~/work/server.js');
  const found = run(NODE, ['node', '--title', 'sesame', script, '--token', 'sesame']);
  expect(found).toEqual({ pid, name: 'node', path: at(NODE), script });
});

describe.skipIf(!existsSync('/proc/self/fd'))('of a running process', () => {
  test.each([
    ['started by its link', ''],
    ['that has set its title', 'process.title = "gemini";'],
  ])('a tool %s', async (_, code) => {
    npmLink(gemini, '~/lib', '~/bin');
    writeFileSync(
      at('~/lib/node_modules/@google/gemini-cli/dist/index.js'),
      `${code} process.stdin.resume(); console.log('up');`,
    );
    // The links of its tools are next to it, as in nvm.
    copyFileSync(process.execPath, at('~/bin/node'));
    const child = spawn(at('~/bin/node'), [at('~/bin/gemini'), '--key', 'sesame']);
    await once(child.stdout, 'data');
    const found = describeProcess(child.pid ?? 0);
    child.kill();
    expect(found.name).toMatch(/^(node|gemini)$/);
    expect(appOfProcess(found)).toBe('gemini-cli');
    expect(JSON.stringify(found)).not.toContain('sesame');
  });
});
