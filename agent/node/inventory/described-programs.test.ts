import { expect, test } from 'vitest';
import { makeRoot, program, type FakeFile } from './testing/fixtures.ts';
import { goProgram } from './testing/go-program.ts';
import { scanInventory } from './testing/scan.ts';

const ADA = '/home/ada';

async function found(files: Record<string, FakeFile>) {
  await using root = await makeRoot(files);
  const homes = [{ user: 'ada', dir: ADA }];
  const { apps } = await scanInventory({ homes, root: root.dir, platform: 'linux' });
  return apps.map((app) => [app.name, app.catalog_id, app.version, app.path, app.confidence]);
}

const crates = (...lines: string[]) => ({
  [`${ADA}/.cargo/.crates.toml`]: `[v1]\n${lines
    .map(
      (name) =>
        `"${name} 1.2.0 (registry+https://github.com/rust-lang/crates.io-index)" = ["${name}"]`,
    )
    .join('\n')}\n`,
  ...Object.fromEntries(lines.map((name) => [`${ADA}/.cargo/bin/${name}`, program()])),
});
const crate = (name: string, description: string, more = '') => ({
  [`${ADA}/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/${name}-1.2.0/Cargo.toml`]: `[package]\nname = "${name}"\ndescription = "${description}"\n${more}`,
});

test('a cargo program is recognized by the sources of its crate', async () => {
  expect(
    await found({
      ...crates('acme', 'noter', 'plain', 'bare', 'desktopctl'),
      ...crate('acme', 'Search for AI agents'),
      ...crate('noter', 'Notes', '[dependencies.async-openai]\nversion = "0.30"\n'),
      ...crate('plain', 'Finds files', '[dependencies.clap]\nversion = "4"\n'),
      ...crate('desktopctl', 'Proxy for LLM agents'),
    }),
  ).toEqual([
    ['Desktop Control', 'desktopctl', '1.2.0', `${ADA}/.cargo/bin/desktopctl`, 0.72],
    ['acme', null, '1.2.0', `${ADA}/.cargo/bin/acme`, 0.92],
    ['noter', null, '1.2.0', `${ADA}/.cargo/bin/noter`, 0.92],
  ]);
});

test('a crate without its program is not reported, and neither are crates of an invalid list', async () => {
  const listed = { ...crates('acme'), ...crate('acme', 'Search for AI agents') };
  expect(await found({ ...listed, [`${ADA}/.cargo/bin/acme`]: { link: 'nowhere' } })).toEqual([]);
  expect(await found({ ...listed, [`${ADA}/.cargo/.crates.toml`]: '[v1' })).toEqual([]);
});

test('a Go program is recognized by its modules', async () => {
  const acme = (name: string) => `github.com/acme/${name}`;
  expect(
    await found({
      [`${ADA}/go/bin/noter`]: goProgram({
        path: acme('noter/cmd/noter'),
        dependencies: ['github.com/spf13/cobra', 'github.com/openai/openai-go/v3'],
      }),
      [`${ADA}/.local/bin/bridge`]: goProgram({
        path: acme('bridge-llm'),
        dependencies: ['github.com/mark3labs/mcp-go'],
      }),
      // A program with an MCP server as one feature, a plain one, one whose owner has a name about
      // AI, a script, one in the catalog, one from Homebrew.
      '/usr/local/bin/deployer': goProgram({
        path: acme('deployer'),
        dependencies: ['github.com/mark3labs/mcp-go'],
      }),
      '/usr/local/bin/plain': goProgram({ path: acme('plain') }),
      '/usr/local/bin/tart': goProgram({ path: 'github.com/openai/tart' }),
      '/usr/local/bin/script': program(),
      [`${ADA}/go/bin/crush`]: goProgram({
        path: 'github.com/charmbracelet/crush',
        dependencies: ['charm.land/fantasy'],
      }),
      '/usr/local/Cellar/kegged/1.0/bin/kegged': goProgram({
        path: acme('kegged'),
        dependencies: ['github.com/ollama/ollama'],
      }),
      '/usr/local/bin/kegged': { link: '../Cellar/kegged/1.0/bin/kegged' },
    }),
  ).toEqual([
    ['Crush', 'crush', '1.2.0', `${ADA}/go/bin/crush`, 0.79],
    ['bridge', null, '1.2.0', `${ADA}/.local/bin/bridge`, 0.88],
    ['noter', null, '1.2.0', `${ADA}/go/bin/noter`, 0.88],
  ]);
});

test('a Go program is recognized by the README that go install has left', async () => {
  const readme = (name: string, text: string) => ({
    [`${ADA}/go/bin/${name}`]: goProgram({ path: `github.com/Acme/${name}/cmd/${name}` }),
    [`${ADA}/go/pkg/mod/github.com/!acme/${name}@v1.2.0/README.md`]: text,
  });
  expect(
    await found({
      ...readme('reviewer', '# Reviewer\n\nAI-powered reviews of every commit.\n'),
      ...readme('lister', '# Lister\n\nLists files.\n'),
    }),
  ).toEqual([['reviewer', null, '1.2.0', `${ADA}/go/bin/reviewer`, 0.76]]);
});
