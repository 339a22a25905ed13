import { valueAt } from '#agent/core/recognition/mcp-server.ts';
import { displayAddress, displayName } from '#agent/core/display.ts';
import { chromiumBrowsers, firefoxBrowsers } from '#domain/app-catalog/browsers.ts';
import { builtInFeatures } from '#domain/app-catalog/built-in-features.ts';
import { readBrowserFile, type Fields } from '../browser-file.ts';
import {
  browserRoots,
  chromiumProfiles,
  firefoxProfiles,
  type BrowserProfile,
  type BrowserRoot,
} from '../browser-profiles.ts';
import { readHomeFile } from '../config-file.ts';
import { expand } from '../expand.ts';
import type { Finding } from '../finding.ts';
import { readJsonManifest } from '../manifest.ts';
import type { Scan } from '../platform-paths/platform-paths.ts';
import { findingOfFeature } from './finding-of-feature.ts';

const POLICY_FILES = '/etc/opt/chrome/policies/managed/*.json';

/** Policies of Chrome on Linux, in the order in which Chrome merges their files. */
async function chromePolicies(scan: Scan): Promise<Fields> {
  const files = await expand(scan.tree, POLICY_FILES);
  const all = await Promise.all(files.map((path) => readJsonManifest(scan.tree, path)));
  return Object.assign({}, ...all) as Fields;
}

const byPolicy = (policies: Fields, name: string) =>
  Object.hasOwn(policies, name) && policies[name] === 1 ? ['switched off by policy'] : [];

/** Finds Gemini Nano: the model is next to the profiles of Chrome, in a folder for each version. */
async function geminiNano(scan: Scan, root: BrowserRoot, policies: Fields): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const dir of await expand(scan.tree, `${root.dir}/OptGuideOnDeviceModel/*`)) {
    const weights = await scan.tree.stat(`${dir}/weights.bin`);
    if (!weights?.isFile()) continue;
    found.push(
      findingOfFeature(builtInFeatures.geminiNano, {
        path: dir,
        user: root.home.user,
        version: dir.slice(dir.lastIndexOf('/') + 1),
        signals: [
          { kind: 'location', text: `in ${dir}, of ${root.browser}` },
          { kind: 'manifest', text: 'its weights are on disk' },
        ],
        notes: byPolicy(policies, 'GenAILocalFoundationalModelSettings'),
      }),
    );
  }
  return found;
}

const inProfile = ({ browser, name }: BrowserProfile) =>
  ({ kind: 'location', text: `${browser}, profile ${displayName(name)}` }) as const;

const glicKey = ['glic', 'completed_fre'];
const leoKey = ['brave', 'ai_chat', 'last_accepted_disclaimer'];

async function inChromium(
  scan: Scan,
  profile: BrowserProfile,
  policies: Fields,
): Promise<Finding[]> {
  const path = `${profile.dir}/Preferences`;
  const settings = await readBrowserFile(scan, profile, path, [glicKey, leoKey]);
  const at = { path, user: profile.home.user };
  const gemini = profile.browser.startsWith('Chrome') && valueAt(settings, glicKey) === 1;
  const accepted = valueAt(settings, leoKey);
  const leo = profile.browser.startsWith('Brave') && accepted !== undefined && accepted !== '0';
  return [
    ...(gemini
      ? [
          findingOfFeature(builtInFeatures.geminiInChrome, {
            ...at,
            signals: [inProfile(profile), { kind: 'declaration', text: 'the person set it up' }],
            notes: byPolicy(policies, 'GeminiSettings'),
          }),
        ]
      : []),
    ...(leo
      ? [
          findingOfFeature(builtInFeatures.braveLeo, {
            ...at,
            signals: [
              inProfile(profile),
              { kind: 'declaration', text: 'the person accepted its terms' },
            ],
          }),
        ]
      : []),
  ];
}

const PREFS_LIMIT = 4 * 1024 * 1024;
const pref = (text: string, name: string) =>
  new RegExp(`^user_pref\\("${name.replaceAll('.', '\\.')}", (.{1,2000})\\);\\s*$`, 'm').exec(
    text,
  )?.[1];

async function inFirefox(scan: Scan, profile: BrowserProfile): Promise<Finding[]> {
  const path = `${profile.dir}/prefs.js`;
  const content = await readHomeFile(scan, profile.home, path, PREFS_LIMIT);
  if (!content || 'error' in content) return [];
  const text = content.bytes.toString('utf8');
  const provider = /^"(https?:.+)"$/.exec(pref(text, 'browser.ml.chat.provider') ?? '')?.[1];
  if (provider === undefined) return [];
  const off = pref(text, 'browser.ml.chat.enabled') === 'false';
  return [
    findingOfFeature(builtInFeatures.firefoxChatbot, {
      path,
      user: profile.home.user,
      signals: [
        inProfile(profile),
        { kind: 'declaration', text: `the person chose ${displayAddress(provider)}` },
      ],
      notes: [off ? 'switched off in the settings' : 'switched on'],
    }),
  ];
}

/** Finds AI features of browsers that a person set up, and models that browsers downloaded. */
export async function findBrowserFeatures(scan: Scan): Promise<Finding[]> {
  const policies = await chromePolicies(scan);
  const found: Finding[] = [];
  for (const root of await browserRoots(scan, chromiumBrowsers)) {
    if (root.browser.startsWith('Chrome')) found.push(...(await geminiNano(scan, root, policies)));
    for (const profile of await chromiumProfiles(scan, root)) {
      scan.checkpoint();
      found.push(...(await inChromium(scan, profile, policies)));
    }
  }
  for (const root of await browserRoots(scan, firefoxBrowsers))
    for (const profile of await firefoxProfiles(scan, root)) {
      scan.checkpoint();
      found.push(...(await inFirefox(scan, profile)));
    }

  return found;
}
