import { expect, test } from 'vitest';
import { infoPlist, json, makeRoot, type FakeFile } from './testing/fixtures.ts';
import { scanInventory } from './testing/scan.ts';

async function found(files: Record<string, FakeFile>, platform: 'linux' | 'darwin' = 'linux') {
  await using root = await makeRoot(files);
  const homes = [{ user: 'ada', dir: platform === 'linux' ? '/home/ada' : '/Users/ada' }];
  const { apps } = await scanInventory({ homes, root: root.dir, platform });
  return apps
    .filter((app) => app.kind === 'built_in_feature')
    .map((app) => [app.catalog_id, app.user, app.version, ...app.evidence.slice(2)]);
}

const BUNDLED = '/usr/share/code/resources/app/extensions/copilot/package.json';
const copilot = json({ publisher: 'GitHub', name: 'copilot-chat', version: '0.40.0' });
const SETTINGS = '/home/ada/.config/Code/User/settings.json';
const CHROME = '/home/ada/.config/google-chrome';
const FIREFOX = '/home/ada/.mozilla/firefox';
const PROFILES = '[Profile0]\nName=me\nIsRelative=1\nPath=ab.me\n';
const PROVIDER = 'user_pref("browser.ml.chat.provider", "https://chatgpt.com/?k=1");\n';
const IDE = '/opt/idea-IU';

test.each<[string, Record<string, FakeFile>, unknown[][]]>([
  ['Copilot in VS Code', { [BUNDLED]: copilot }, [['vscode-copilot', null, '0.40.0']]],
  [
    'Copilot that a user switched off',
    { [BUNDLED]: copilot, [SETTINGS]: '{// no AI\n"chat.disableAIFeatures": true}' },
    [['vscode-copilot', null, '0.40.0', 'switched off by ada (chat.disableAIFeatures)']],
  ],
  [
    'Zed',
    { '/usr/bin/zeditor': 'x', '/home/ada/.config/zed/settings.json': '{"disable_ai": true}' },
    [['zed-ai', 'ada', null, 'switched off (disable_ai)']],
  ],
  [
    'JetBrains',
    {
      [`${IDE}/product-info.json`]: json({
        name: 'IntelliJ IDEA',
        version: '2026.2',
        dataDirectoryName: 'IntelliJIdea2026.2',
      }),
      [`${IDE}/plugins/fullLine/lib/fullLine.jar`]: 'x',
      '/home/ada/.config/JetBrains/IntelliJIdea2026.2/disabled_plugins.txt':
        'org.jetbrains.completion.full.line\n',
    },
    [['jetbrains-full-line', null, '2026.2', 'switched off by ada']],
  ],
  [
    'the model of Chrome, under a policy',
    {
      [`${CHROME}/OptGuideOnDeviceModel/2026.1.2/weights.bin`]: 'x',
      '/etc/opt/chrome/policies/managed/a.json': json({ GenAILocalFoundationalModelSettings: 1 }),
    },
    [['chrome-built-in-ai', 'ada', '2026.1.2', 'switched off by policy']],
  ],
  [
    'Gemini in Chrome',
    { [`${CHROME}/Default/Preferences`]: json({ glic: { completed_fre: 1 } }) },
    [['gemini-in-chrome', 'ada', null]],
  ],
  [
    'Leo',
    {
      '/home/ada/.config/BraveSoftware/Brave-Browser/Default/Preferences': json({
        brave: { ai_chat: { last_accepted_disclaimer: '13390000000000000' } },
      }),
    },
    [['brave-leo', 'ada', null]],
  ],
  [
    'the chatbot of Firefox',
    { [`${FIREFOX}/profiles.ini`]: PROFILES, [`${FIREFOX}/ab.me/prefs.js`]: PROVIDER },
    [['firefox-ai-chatbot', 'ada', null, 'switched on']],
  ],
])('%s', async (_, files, expected) => expect(await found(files)).toEqual(expected));

test('Apple Intelligence and Xcode are reported', async () => {
  const files = {
    '/Users/ada/Library/Preferences/com.apple.CloudSubscriptionFeatures.optIn.plist': infoPlist({
      '545129924': 'true',
    }),
    '/Applications/Xcode.app/Contents/Info.plist': infoPlist({ CFBundleIdentifier: 'x' }),
    '/Users/ada/Library/Developer/Xcode/CodingAssistant/codex/config.toml': '',
  };
  expect(await found(files, 'darwin')).toEqual([
    ['apple-intelligence', 'ada', null, 'switched on'],
    ['xcode-coding-assistant', 'ada', null, 'agents: codex'],
  ]);
});

test('programs without the feature, or with one that was never set up, are not reported', async () => {
  expect(
    await found({
      '/usr/share/code/resources/app/extensions/git/package.json': copilot,
      '/usr/share/code/resources/app/extensions/my-copilot/package.json': json({
        publisher: 'x',
        name: 'copilot',
      }),
      [SETTINGS]: '{"chat.disableAIFeatures": false}',
      '/home/ada/.config/zed/settings.json': '{}',
      [`${IDE}/plugins/fullLine/lib/x.jar`]: 'x',
      [`${CHROME}/OptGuideOnDeviceModel/2026.1.2/manifest.json`]: '{}',
      [`${CHROME}/Default/Preferences`]: json({ glic: { completed_fre: 0 } }),
      '/home/ada/.config/BraveSoftware/Brave-Browser/Default/Preferences': json({
        brave: { ai_chat: { show_toolbar_button: true } },
      }),
      [`${FIREFOX}/profiles.ini`]: PROFILES,
      [`${FIREFOX}/ab.me/prefs.js`]: 'user_pref("browser.ml.chat.enabled", true);\n',
    }),
  ).toEqual([]);
});
