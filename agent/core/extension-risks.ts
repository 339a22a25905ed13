import { findCatalogHost, hostCatalog } from '#domain/hosts/host-catalog.ts';
import type { RiskFlag } from './risk-flags.ts';
import { allHostsPattern } from './risk-signs.ts';

/** Domains of AI vendors that are used for AI only: all their subdomains count. */
const aiDomains = new Set([
  'anthropic.com',
  'chatgpt.com',
  'claude.ai',
  'claude.com',
  'cohere.com',
  'deepseek.com',
  'githubcopilot.com',
  'grok.com',
  'groq.com',
  'mistral.ai',
  'openai.com',
  'openrouter.ai',
  'perplexity.ai',
  'poe.com',
  'x.ai',
]);

const pattern = /^(?:\*|https?|wss?):\/\/(\*\.)?([^/*:]+)(?::[\d*]+)?(?:\/|$)/;

function isAiPattern(text: string): boolean {
  const [, below, host] = pattern.exec(text) ?? [];
  if (host === undefined) return false;
  if (findCatalogHost(host)) return true;
  return (
    below !== undefined &&
    (aiDomains.has(host) || hostCatalog.hosts.some((entry) => entry.host === `*.${host}`))
  );
}

/** The distinct host permissions of a browser extension that match AI hosts of the catalog. */
export const aiPatterns = (hosts: readonly string[]): string[] => [
  ...new Set(hosts.filter(isAiPattern)),
];

/** Permissions of a browser extension, from its manifest or the browser's own list. */
export interface ExtensionAccess {
  permissions: readonly string[];
  hosts: readonly string[];
}

export function flagsOfExtension({ permissions, hosts }: ExtensionAccess): RiskFlag[] {
  const rules: readonly [RiskFlag, boolean][] = [
    ['broad_host_permissions', hosts.some((host) => allHostsPattern.test(host))],
    ['native_messaging', permissions.includes('nativeMessaging')],
    ['debugger_access', permissions.includes('debugger')],
  ];
  return rules.filter(([, holds]) => holds).map(([flag]) => flag);
}
