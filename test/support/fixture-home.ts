import { mkdirSync, readFileSync, rmSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface FixtureHome {
  /** The prefix of a command that runs in a mount namespace where this user exists. */
  within: string[];
  remove(): void;
}

const files = {
  '.vscode/extensions/github.copilot-1.388.0/package.json': {
    name: 'copilot',
    publisher: 'GitHub',
    version: '1.388.0',
  },
  '.vscode/extensions/saoudrizwan.claude-dev-3.40.0/package.json': {
    name: 'claude-dev',
    publisher: 'saoudrizwan',
    version: '3.40.0',
  },
  '.claude.json': {
    mcpServers: { tickets: { command: 'npx', args: ['-y', '@example/tickets-mcp@1.2.0'] } },
  },
  '.cursor/mcp.json': {
    mcpServers: {
      files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/'] },
      search: { url: 'http://search.example.test/mcp' },
    },
  },
};

/**
 * Creates the home of a user, ada, who uses AI tools. The machine is unchanged: the command gets
 * its own mount namespace, in which `/etc/passwd` has one more user.
 */
export function makeFixtureHome(): FixtureHome {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-home-'));
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, 'ada', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(content));
  }
  const passwd = join(folder, 'passwd');
  const ada = `ada:x:4242:4242::${join(folder, 'ada')}:/bin/sh`;
  writeFileSync(passwd, `${readFileSync('/etc/passwd', 'utf8').trimEnd()}\n${ada}\n`);
  const script = 'mount --bind "$0" /etc/passwd && exec "$@"';
  return {
    within: ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, passwd],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
