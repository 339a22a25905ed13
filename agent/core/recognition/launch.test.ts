import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLaunch } from './launch.ts';
import { isPinned } from './launched-package.ts';
import { launchText } from './launch-text.ts';

const line = (text: string) => {
  const { program, package: launched } = readLaunch(text.split(' '));
  return [
    program,
    launched?.name ?? null,
    launched?.version ?? null,
    launched ? isPinned(launched) : null,
  ];
};

test.each([
  ['npx -y @playwright/mcp@latest', ['npx', '@playwright/mcp', 'latest', false]],
  ['npx -y @playwright/mcp@0.0.41', ['npx', '@playwright/mcp', '0.0.41', true]],
  ['npx -y mcp-remote@1 https://x.example/mcp', ['npx', 'mcp-remote', '1', false]],
  ['/opt/homebrew/bin/npx --package=foo-mcp@1.2.3 foo', ['npx', 'foo-mcp', '1.2.3', true]],
  ['npx --registry https://r.example foo-mcp', ['npx', 'foo-mcp', null, false]],
  ['npm exec -y -- foo-mcp@1.2.3', ['npm', 'foo-mcp', '1.2.3', true]],
  ['npm run start', ['npm', null, null, null]],
  ['pnpm dlx foo-mcp@^1.2.3', ['pnpm', 'foo-mcp', '^1.2.3', false]],
  ['uvx mcp-server-git==2026.1', ['uvx', 'mcp-server-git', '2026.1', true]],
  ['uvx --python 3.12 mcp-server-git', ['uvx', 'mcp-server-git', null, false]],
  [
    'uvx --from git+https://u:sesame@git.example/x serena',
    ['uvx', 'https://git.example/x', null, false],
  ],
  ['uv tool run foo', ['uv', 'foo', null, false]],
  ['uv run server.py', ['python', null, null, null]],
  ['deno run --allow-net npm:foo-mcp@1.2.3', ['deno', 'foo-mcp', '1.2.3', true]],
  ['deno run -A https://deno.example/x.ts', ['deno', 'https://deno.example/x.ts', null, false]],
  [
    'docker run -i --rm -e TOKEN=sesame ghcr.io/github/github-mcp-server',
    ['docker', 'ghcr.io/github/github-mcp-server', null, false],
  ],
  ['docker run -i mcp/postgres:1.4.2', ['docker', 'mcp/postgres', '1.4.2', true]],
  ['docker run -i localhost:5000/x/y:latest', ['docker', 'localhost:5000/x/y', 'latest', false]],
  ['docker run --weird sesame mcp/postgres', ['docker', null, null, null]],
  ['npx --token sesame foo-mcp', ['npx', null, null, null]],
  ['node /srv/server.js', ['node', null, null, null]],
  ['env TOKEN=sesame npx -y foo-mcp@1.2.3', ['npx', 'foo-mcp', '1.2.3', true]],
  ['/home/ada/bin/serve --key sesame', ['serve', null, null, null]],
])('the launch %s', (text, expected) => {
  expect(line(text)).toEqual(expected);
});

test('arguments after an unknown option or after the package are never shown', () => {
  const commands = fc.constantFrom('npx', 'uvx', 'docker', 'node', 'deno', 'pipx', './run');
  fc.assert(
    fc.property(commands, fc.stringMatching(/^[a-z]{8,20}$/), (command, secret) => {
      for (const args of [
        ['--api-key', secret],
        ['run', '--api-key', secret],
        ['-y', 'foo-mcp', secret],
        ['run', 'foo-mcp', `--key=${secret}`],
      ]) {
        fc.pre(!'npx uvx docker node deno pipx run foo-mcp'.includes(secret));
        expect(launchText(readLaunch([command, ...args]))).not.toContain(secret);
      }
    }),
  );
});
