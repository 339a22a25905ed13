import { type KnownMcpServer, github, npm, pypi } from './entry.ts';
import { server } from './known-mcp-server.ts';

/** Common MCP servers, and what they can do to the machine. */
export const commonMcpServers: readonly KnownMcpServer[] = [
  server('mcp-filesystem', 'Filesystem', 'Model Context Protocol', {
    source: github('modelcontextprotocol/servers'),
    packages: ['@modelcontextprotocol/server-filesystem', 'mcp/filesystem'],
    can: ['write-files'],
  }),
  server('mcp-git', 'Git', 'Model Context Protocol', {
    source: github('modelcontextprotocol/servers'),
    packages: ['mcp-server-git', 'mcp/git'],
    can: ['write-files'],
  }),
  server('mcp-desktop-commander', 'Desktop Commander', 'Desktop Commander', {
    source: npm('@wonderwhy-er/desktop-commander'),
    packages: ['@wonderwhy-er/desktop-commander', 'mcp/desktop-commander'],
    can: ['run-commands', 'write-files'],
  }),
  server('mcp-shell', 'Shell (mcp-shell)', 'community', {
    source: npm('mcp-shell'),
    packages: ['mcp-shell'],
    can: ['run-commands'],
  }),
  server('mcp-server-shell', 'Shell (mcp-server-shell)', 'community', {
    source: pypi('mcp-server-shell'),
    packages: ['mcp-server-shell'],
    can: ['run-commands'],
  }),
  server('mcp-shell-server', 'Shell (mcp-shell-server)', 'community', {
    source: pypi('mcp-shell-server'),
    packages: ['mcp-shell-server'],
    can: ['run-commands'],
  }),
  server('mcp-server-commands', 'Commands', 'community', {
    source: npm('mcp-server-commands'),
    packages: ['mcp-server-commands'],
    can: ['run-commands'],
  }),
  server('mcp-serena', 'Serena', 'Oraios', {
    source: github('oraios/serena'),
    packages: ['serena', 'serena-mcp-server', 'serena-agent'],
    can: ['run-commands', 'write-files'],
  }),
  server('mcp-github', 'GitHub', 'GitHub', {
    source: github('github/github-mcp-server'),
    packages: [
      '@modelcontextprotocol/server-github',
      'ghcr.io/github/github-mcp-server',
      'mcp/github',
    ],
    hosts: ['api.githubcopilot.com'],
  }),
  server('mcp-playwright', 'Playwright', 'Microsoft', {
    source: npm('@playwright/mcp'),
    packages: ['@playwright/mcp', 'mcp/playwright'],
  }),
  server('mcp-puppeteer', 'Puppeteer', 'Model Context Protocol', {
    source: npm('@modelcontextprotocol/server-puppeteer'),
    packages: ['@modelcontextprotocol/server-puppeteer', 'mcp/puppeteer'],
  }),
  server('mcp-chrome-devtools', 'Chrome DevTools', 'Google', {
    source: npm('chrome-devtools-mcp'),
    packages: ['chrome-devtools-mcp'],
  }),
  server('mcp-postgres', 'PostgreSQL', 'Model Context Protocol', {
    source: npm('@modelcontextprotocol/server-postgres'),
    packages: ['@modelcontextprotocol/server-postgres', 'mcp/postgres'],
  }),
  server('mcp-postgres-pro', 'Postgres MCP Pro', 'Crystal DBA', {
    source: pypi('postgres-mcp'),
    packages: ['postgres-mcp'],
  }),
  server('mcp-sqlite', 'SQLite', 'Model Context Protocol', {
    source: pypi('mcp-server-sqlite'),
    packages: ['mcp-server-sqlite', 'mcp/sqlite'],
    can: ['write-files'],
  }),
  server('mcp-memory', 'Memory', 'Model Context Protocol', {
    source: npm('@modelcontextprotocol/server-memory'),
    packages: ['@modelcontextprotocol/server-memory', 'mcp/memory'],
  }),
  server('mcp-fetch', 'Fetch', 'Model Context Protocol', {
    source: pypi('mcp-server-fetch'),
    packages: ['mcp-server-fetch', 'mcp/fetch'],
  }),
  server('mcp-sequential-thinking', 'Sequential Thinking', 'Model Context Protocol', {
    source: npm('@modelcontextprotocol/server-sequential-thinking'),
    packages: ['@modelcontextprotocol/server-sequential-thinking', 'mcp/sequentialthinking'],
  }),
  server('mcp-context7', 'Context7', 'Upstash', {
    source: npm('@upstash/context7-mcp'),
    packages: ['@upstash/context7-mcp', 'mcp/context7'],
    hosts: ['mcp.context7.com'],
  }),
  server('mcp-slack', 'Slack', 'community', {
    source: npm('slack-mcp-server'),
    packages: ['@modelcontextprotocol/server-slack', 'slack-mcp-server', 'mcp/slack'],
  }),
  server('mcp-notion', 'Notion', 'Notion', {
    source: npm('@notionhq/notion-mcp-server'),
    packages: ['@notionhq/notion-mcp-server', 'mcp/notion'],
    hosts: ['mcp.notion.com'],
  }),
  server('mcp-linear', 'Linear', 'Linear', {
    source: 'https://linear.app/docs/mcp',
    hosts: ['mcp.linear.app'],
  }),
  server('mcp-atlassian', 'Atlassian', 'Atlassian', {
    source: pypi('mcp-atlassian'),
    packages: ['mcp-atlassian'],
    hosts: ['mcp.atlassian.com'],
  }),
  server('mcp-sentry', 'Sentry', 'Sentry', {
    source: npm('@sentry/mcp-server'),
    packages: ['@sentry/mcp-server', 'mcp/sentry'],
    hosts: ['mcp.sentry.dev'],
  }),
  server('mcp-figma', 'Figma', 'Figma', {
    source: npm('figma-developer-mcp'),
    packages: ['figma-developer-mcp'],
    hosts: ['mcp.figma.com'],
  }),
  server('mcp-stripe', 'Stripe', 'Stripe', {
    source: npm('@stripe/mcp'),
    packages: ['@stripe/mcp'],
    hosts: ['mcp.stripe.com'],
  }),
  server('mcp-kubernetes', 'Kubernetes', 'community', {
    source: npm('mcp-server-kubernetes'),
    packages: ['mcp-server-kubernetes', 'kubernetes-mcp-server'],
    can: ['run-commands'],
  }),
];
