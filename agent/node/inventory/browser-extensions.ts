import { describesAi, namesAi } from '#agent/core/app-catalog/ai-words.ts';
import { browserExtensions } from '#agent/core/app-catalog/browser-extensions.ts';
import type { BrowserExtension } from '#agent/core/app-catalog/loaded-entry.ts';
import { aiPatterns, flagsOfExtension } from '#agent/core/extension-risks.ts';
import { shownName } from '#agent/core/shown.ts';
import { chromiumExtensions } from './chromium-extensions.ts';
import { firefoxExtensions } from './firefox-extensions.ts';
import type { Finding } from './finding.ts';
import type { InstalledExtension } from './installed-extension.ts';
import type { Scan } from './places/places.ts';

const byId = new Map<string, BrowserExtension>(
  browserExtensions.flatMap((entry) =>
    [...(entry.chromium ?? []), ...(entry.firefox ?? [])].map((id) => [id, entry] as const),
  ),
);

const maxShown = 12;
const listed = (title: string, values: readonly string[]) =>
  values.length === 0 ? [] : [`${title}: ${values.slice(0, maxShown).map(shownName).join(', ')}`];

const status = ({ enabled, unpacked }: InstalledExtension) => [
  ...(enabled === undefined ? [] : [enabled ? 'switched on' : 'switched off']),
  ...(unpacked ? ['loaded from a folder, not from a store'] : []),
];

const saysAi = ({ name, description }: InstalledExtension) =>
  namesAi(name) || describesAi(`${name}: ${description}`);

/** A finding for what the catalog knows, what says itself that it is about AI, and what may use an AI host of the catalog. */
function findingOf(installed: InstalledExtension): Finding[] {
  const entry = byId.get(installed.id);
  const reached = aiPatterns(installed.hosts);
  if (!entry && reached.length === 0 && !saysAi(installed)) return [];
  const { profile } = installed;
  return [
    {
      kind: 'browser_extension',
      name: entry?.name ?? shownName(installed.name),
      catalogId: entry?.id ?? null,
      version: installed.version,
      path: installed.path,
      user: profile.home.user,
      signals: [
        {
          kind: 'location',
          text: `extension ${shownName(installed.id)} of ${profile.browser}, profile ${shownName(profile.name)}`,
        },
        { kind: 'manifest', text: `declared in ${installed.declaredIn}` },
      ],
      notes: [
        ...status(installed),
        ...listed('AI hosts', reached),
        ...listed('permissions', installed.permissions),
        ...listed(
          'hosts',
          installed.hosts.filter((host) => !reached.includes(host)),
        ),
      ],
      flags: flagsOfExtension(installed),
    },
  ];
}

/** AI extensions of every browser and profile. Other extensions are not reported. */
export async function findBrowserExtensions(scan: Scan): Promise<Finding[]> {
  const installed = [...(await chromiumExtensions(scan, byId)), ...(await firefoxExtensions(scan))];
  return installed.flatMap(findingOf);
}
