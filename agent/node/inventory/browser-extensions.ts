import { aiPatterns, flagsOfExtension } from '#agent/core/extension-risks.ts';
import { isAboutAi } from '#agent/core/recognition/description/about-ai.ts';
import { displayName } from '#agent/core/display.ts';
import { browserExtensions } from '#domain/app-catalog/browser-extensions.ts';
import type { BrowserExtension } from '#domain/app-catalog/loaded-entry.ts';
import { chromiumExtensions } from './chromium-extensions.ts';
import { firefoxExtensions } from './firefox-extensions.ts';
import type { Finding } from './finding.ts';
import type { InstalledExtension } from './browser-profiles.ts';
import type { Scan } from './platform-paths/platform-paths.ts';

const byId = new Map<string, BrowserExtension>(
  browserExtensions.flatMap((entry) =>
    [...(entry.chromium ?? []), ...(entry.firefox ?? [])].map((id) => [id, entry] as const),
  ),
);

const MAX_SHOWN = 12;
const noteOf = (title: string, values: readonly string[]) =>
  values.length === 0
    ? []
    : [`${title}: ${values.slice(0, MAX_SHOWN).map(displayName).join(', ')}`];

const status = ({ enabled, unpacked }: InstalledExtension) => [
  ...(enabled === undefined ? [] : [enabled ? 'switched on' : 'switched off']),
  ...(unpacked ? ['loaded from a folder, not from a store'] : []),
];

/**
 * A finding for an extension that the catalog knows, that describes itself as AI, or that may
 * access an AI host of the catalog.
 */
function findingOf(installed: InstalledExtension): Finding[] {
  const entry = byId.get(installed.id);
  const reached = aiPatterns(installed.hosts);
  if (
    !entry &&
    reached.length === 0 &&
    !isAboutAi({ name: installed.name, summary: installed.description })
  )
    return [];
  const { profile } = installed;
  return [
    {
      kind: 'browser_extension',
      name: entry?.name ?? displayName(installed.name),
      catalogId: entry?.id ?? null,
      version: installed.version,
      path: installed.path,
      user: profile.home.user,
      signals: [
        {
          kind: 'location',
          text: `extension ${displayName(installed.id)} of ${profile.browser}, profile ${displayName(profile.name)}`,
        },
        { kind: 'manifest', text: `declared in ${installed.declaredIn}` },
      ],
      notes: [
        ...status(installed),
        ...noteOf('AI hosts', reached),
        ...noteOf('permissions', installed.permissions),
        ...noteOf(
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
