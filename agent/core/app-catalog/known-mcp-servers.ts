import type { KnownMcpServer } from './entry.ts';

type Signals = Omit<KnownMcpServer, 'id' | 'name' | 'vendor' | 'kind'>;

const server = (id: string, name: string, vendor: string, signals: Signals): KnownMcpServer => ({
  id,
  name,
  vendor,
  kind: 'mcp_server',
  ...signals,
});

/** MCP servers that are met often, and what they can do to the machine. */
export const knownMcpServers: readonly KnownMcpServer[] = [
  server('mcp-filesystem', 'Filesystem', 'Model Context Protocol', {
    packages: ['@modelcontextprotocol/server-filesystem', 'mcp/filesystem'],
    can: ['write-files'],
  }),
  server('mcp-git', 'Git', 'Model Context Protocol', {
    packages: ['mcp-server-git', 'mcp/git'],
    can: ['write-files'],
  }),
  server('mcp-desktop-commander', 'Desktop Commander', 'Desktop Commander', {
    packages: ['@wonderwhy-er/desktop-commander'],
    can: ['run-commands', 'write-files'],
  }),
  server('mcp-shell', 'Shell', 'community', {
    packages: ['mcp-shell', 'mcp-server-shell', 'mcp-shell-server', 'mcp-server-commands'],
    can: ['run-commands'],
  }),
  server('mcp-serena', 'Serena', 'Oraios', {
    packages: ['serena', 'serena-mcp-server', 'serena-agent'],
    can: ['run-commands', 'write-files'],
  }),
  server('mcp-github', 'GitHub', 'GitHub', {
    packages: [
      '@modelcontextprotocol/server-github',
      'ghcr.io/github/github-mcp-server',
      'mcp/github',
    ],
    hosts: ['api.githubcopilot.com'],
  }),
  server('mcp-playwright', 'Playwright', 'Microsoft', {
    packages: ['@playwright/mcp', 'mcp/playwright'],
  }),
  server('mcp-puppeteer', 'Puppeteer', 'Model Context Protocol', {
    packages: ['@modelcontextprotocol/server-puppeteer'],
  }),
  server('mcp-chrome-devtools', 'Chrome DevTools', 'Google', {
    packages: ['chrome-devtools-mcp'],
  }),
  server('mcp-postgres', 'PostgreSQL', 'Model Context Protocol', {
    packages: ['@modelcontextprotocol/server-postgres', 'postgres-mcp', 'mcp/postgres'],
  }),
  server('mcp-sqlite', 'SQLite', 'Model Context Protocol', {
    packages: ['mcp-server-sqlite', 'mcp/sqlite'],
    can: ['write-files'],
  }),
  server('mcp-memory', 'Memory', 'Model Context Protocol', {
    packages: ['@modelcontextprotocol/server-memory', 'mcp/memory'],
  }),
  server('mcp-fetch', 'Fetch', 'Model Context Protocol', {
    packages: ['mcp-server-fetch', 'mcp/fetch'],
  }),
  server('mcp-sequential-thinking', 'Sequential Thinking', 'Model Context Protocol', {
    packages: ['@modelcontextprotocol/server-sequential-thinking', 'mcp/sequentialthinking'],
  }),
  server('mcp-context7', 'Context7', 'Upstash', {
    packages: ['@upstash/context7-mcp'],
    hosts: ['mcp.context7.com'],
  }),
  server('mcp-slack', 'Slack', 'community', {
    packages: ['@modelcontextprotocol/server-slack', 'slack-mcp-server'],
  }),
  server('mcp-notion', 'Notion', 'Notion', {
    packages: ['@notionhq/notion-mcp-server'],
    hosts: ['mcp.notion.com'],
  }),
  server('mcp-linear', 'Linear', 'Linear', { hosts: ['mcp.linear.app'] }),
  server('mcp-atlassian', 'Atlassian', 'Atlassian', {
    packages: ['mcp-atlassian'],
    hosts: ['mcp.atlassian.com'],
  }),
  server('mcp-sentry', 'Sentry', 'Sentry', {
    packages: ['@sentry/mcp-server'],
    hosts: ['mcp.sentry.dev'],
  }),
  server('mcp-figma', 'Figma', 'Figma', {
    packages: ['figma-developer-mcp'],
    hosts: ['mcp.figma.com'],
  }),
  server('mcp-stripe', 'Stripe', 'Stripe', {
    packages: ['@stripe/mcp'],
    hosts: ['mcp.stripe.com'],
  }),
  server('mcp-kubernetes', 'Kubernetes', 'community', {
    packages: ['mcp-server-kubernetes', 'kubernetes-mcp-server'],
    can: ['run-commands'],
  }),
];
