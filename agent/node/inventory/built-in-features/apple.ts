import { displayNames } from '#agent/core/display.ts';
import { builtInFeatures } from '#domain/app-catalog/built-in-features.ts';
import { expand } from '../expand.ts';
import type { Finding } from '../finding.ts';
import { readInfoPlist } from '../manifest.ts';
import type { Home, Scan } from '../platform-paths/platform-paths.ts';
import { findingOfFeature } from './finding-of-feature.ts';

/** The key under which macOS 15 and 26 store the choice for Apple Intelligence. */
const INTELLIGENCE = '545129924';
const CHOICES = 'Library/Preferences/com.apple.CloudSubscriptionFeatures.optIn.plist';

const isOn = (value: unknown) => value === true || value === 1 || value === 'true' || value === '1';

async function appleIntelligence(scan: Scan, home: Home): Promise<Finding[]> {
  const path = `${home.dir}/${CHOICES}`;
  const settings = await readInfoPlist(scan, path);
  if (!settings || !Object.hasOwn(settings, INTELLIGENCE)) return [];
  return [
    findingOfFeature(builtInFeatures.appleIntelligence, {
      path,
      user: home.user,
      signals: [
        { kind: 'location', text: `in ${path}` },
        { kind: 'declaration', text: `the person's choice, number ${INTELLIGENCE}` },
      ],
      notes: [isOn(settings[INTELLIGENCE]) ? 'switched on' : 'switched off'],
    }),
  ];
}

async function xcode(scan: Scan, home: Home): Promise<Finding[]> {
  const apps = await expand(scan.tree, '/Applications/Xcode*.app');
  const path = `${home.dir}/Library/Developer/Xcode/CodingAssistant`;
  const agents = (await scan.tree.list(path)).filter((item) => item.kind === 'directory');
  if (apps.length === 0 || agents.length === 0) return [];
  return [
    findingOfFeature(builtInFeatures.xcodeCodingAssistant, {
      path,
      user: home.user,
      signals: [
        { kind: 'location', text: `Xcode in ${apps[0]}` },
        { kind: 'declaration', text: `agents are set up in ${path}` },
      ],
      notes: [`agents: ${displayNames(agents.map(({ name }) => name)).join(', ')}`],
    }),
  ];
}

/** AI features of macOS and Xcode. */
export async function findAppleFeatures(scan: Scan): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const home of scan.homes)
    found.push(...(await appleIntelligence(scan, home)), ...(await xcode(scan, home)));

  return found;
}
