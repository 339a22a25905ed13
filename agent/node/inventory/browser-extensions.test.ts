import { expect, test } from 'vitest';
import { chromiumBrowsers, firefoxBrowsers } from '#domain/app-catalog/browsers.ts';
import { json, makeRoot, type FakeFile } from './testing/fixtures.ts';
import { scanInventory } from './testing/scan.ts';

const CLAUDE = 'fcoeoabgfenejglbffodgkkbkcdhcgfn';
const SIDER = 'difoiogjjojoaoomphldepapgpbgkhkb';
const OTHER = 'aaaabbbbccccddddeeeeffffgggghhhh';
const PROFILE = '/home/ada/.config/google-chrome/Default';

async function found(files: Record<string, FakeFile>, platform: 'linux' | 'darwin' = 'linux') {
  await using root = await makeRoot(files);
  const homes = [{ user: 'ada', dir: platform === 'linux' ? '/home/ada' : '/Users/ada' }];
  const { apps, problems } = await scanInventory({ homes, root: root.dir, platform });
  return { apps: apps.filter((app) => app.kind === 'browser_extension'), problems };
}

const manifest = (fields: object = {}) =>
  json({ manifest_version: 3, name: 'X', version: '1.0', ...fields });

test('an extension of the catalog is reported with version, state, permissions and flags', async () => {
  const { apps } = await found({
    [`${PROFILE}/Extensions/${CLAUDE}/1.0.9_0/manifest.json`]: manifest({ version: '1.0.9' }),
    [`${PROFILE}/Extensions/${CLAUDE}/1.0.10_0/manifest.json`]: manifest({
      version: '1.0.10',
      permissions: ['debugger', 'nativeMessaging', 'tabs'],
      host_permissions: ['<all_urls>', 'https://claude.ai/*'],
    }),
    [`${PROFILE}/Secure Preferences`]: json({
      extensions: { settings: { [CLAUDE]: { state: 1, location: 1 } } },
    }),
  });
  expect(apps).toEqual([
    {
      kind: 'browser_extension',
      name: 'Claude',
      catalog_id: 'claude-in-chrome-browser-extension',
      version: '1.0.10',
      path: `${PROFILE}/Extensions/${CLAUDE}/1.0.10_0`,
      user: 'ada',
      confidence: 0.92,
      evidence: [
        `extension ${CLAUDE} of Chrome, profile Default`,
        `declared in ${PROFILE}/Extensions/${CLAUDE}/1.0.10_0/manifest.json`,
        'switched on',
        'AI hosts: https://claude.ai/*',
        'permissions: debugger, nativeMessaging, tabs',
        'hosts: <all_urls>',
      ],
      risk_flags: ['broad_host_permissions', 'native_messaging', 'debugger_access'],
    },
  ]);
});

test('an unknown extension is reported if it names an AI host', async () => {
  const { apps } = await found({
    [`${PROFILE}/Extensions/${OTHER}/2.1_0/manifest.json`]: manifest({
      name: '__MSG_Title__',
      default_locale: 'en',
      version: '2.1',
      content_scripts: [{ matches: ['https://chatgpt.com/*'] }],
    }),
    [`${PROFILE}/Extensions/${OTHER}/2.1_0/_locales/en/messages.json`]: json({
      title: { message: 'Prompt keeper' },
    }),
    [`${PROFILE}/Preferences`]: json({
      extensions: { settings: { [OTHER]: { disable_reasons: [1] } } },
    }),
  });
  expect(apps.map((app) => [app.name, app.catalog_id, app.version, app.evidence.slice(2)])).toEqual(
    [['Prompt keeper', null, '2.1', ['switched off', 'AI hosts: https://chatgpt.com/*']]],
  );
});

test('an extension describes itself in its default language', async () => {
  const { apps } = await found({
    [`${PROFILE}/Extensions/${OTHER}/2.1_0/manifest.json`]: manifest({
      name: 'Acme',
      description: '__MSG_desc__',
      default_locale: 'en',
    }),
    [`${PROFILE}/Extensions/${OTHER}/2.1_0/_locales/en/messages.json`]: json({
      desc: { message: 'Chat with large language models on every page' },
    }),
  });
  expect(apps.map((app) => app.name)).toEqual(['Acme']);
});

test('large files of a browser are read in part', async () => {
  const filler = { history: ['x'.repeat(2_000_000)] };
  const { apps, problems } = await found({
    [`${PROFILE}/Extensions/${OTHER}/2.1_0/manifest.json`]: manifest({
      ...filler,
      name: '__MSG_n__',
      default_locale: 'en',
      content_scripts: [{ js: ['a.js'] }, { matches: ['https://chatgpt.com/*'], js: ['b.js'] }],
    }),
    [`${PROFILE}/Extensions/${OTHER}/2.1_0/_locales/en/messages.json`]: json({
      a: { message: 'x', description: 'x'.repeat(2_000_000) },
      n: { message: 'Prompt keeper' },
    }),
    [`${PROFILE}/Preferences`]: json({
      ...filler,
      extensions: { settings: { [OTHER]: { manifest: filler, disable_reasons: [1] } } },
    }),
    '/home/ada/.mozilla/firefox/profiles.ini': '[Profile0]\nName=me\nIsRelative=1\nPath=ab.me\n',
    '/home/ada/.mozilla/firefox/ab.me/extensions.json': addons(
      { id: 'other@x', ...filler },
      { id: 'page-assist@nazeem', active: true },
    ),
  });
  expect(problems).toEqual([]);
  expect(apps.map((app) => [app.name, app.evidence[2]])).toEqual([
    ['Page Assist', 'switched on'],
    ['Prompt keeper', 'switched off'],
  ]);
});

test.each<[string, string[]]>([
  ['the hosts of a company that has AI too', ['*://*.google.com/*', 'https://*.microsoft.com/*']],
  ['every host', ['<all_urls>', '*://*/*']],
  ['no host', []],
  ['a host that looks like one', ['https://chatgpt.com.example/*', 'https://notclaude.ai/*']],
  ['what is no pattern', ['chatgpt.com', 'claude.ai']],
])('an extension that may reach %s is not reported', async (_, hosts) => {
  const { apps } = await found({
    [`${PROFILE}/Extensions/${OTHER}/1.0_0/manifest.json`]: manifest({ host_permissions: hosts }),
  });
  expect(apps).toEqual([]);
});

test('an extension loaded from a folder is reported', async () => {
  const { apps } = await found({
    '/home/ada/src/sider/manifest.json': manifest({ version: '9.9' }),
    [`${PROFILE}/Secure Preferences`]: json({
      extensions: { settings: { [SIDER]: { location: 4, path: '/home/ada/src/sider', state: 1 } } },
    }),
  });
  expect(apps.map((app) => [app.name, app.version, app.path, app.evidence.at(-1)])).toEqual([
    ['Sider', '9.9', '/home/ada/src/sider', 'loaded from a folder, not from a store'],
  ]);
});

test.each(['linux', 'darwin'] as const)(
  'every browser and profile on %s is searched',
  async (platform) => {
    const home = platform === 'linux' ? '/home/ada' : '/Users/ada';
    const dirs = chromiumBrowsers.flatMap((browser) => browser[platform] ?? []);
    const files = dirs.flatMap((dir) =>
      ['Default', 'Profile 1'].map((name) => [
        `${home}/${dir}/${name}/Extensions/${CLAUDE}/1.0_0/manifest.json`,
        manifest(),
      ]),
    );
    const firefox = firefoxBrowsers.flatMap((browser) => browser[platform] ?? []);
    const lists = firefox.flatMap((dir) => [
      [
        `${home}/${dir}/profiles.ini`,
        '[General]\nX=1\n\n[Profile0]\nName=me\nIsRelative=1\nPath=ab.me\n',
      ],
      [`${home}/${dir}/ab.me/extensions.json`, addons({ id: 'page-assist@nazeem', active: true })],
    ]);
    const { apps } = await found(Object.fromEntries([...files, ...lists]), platform);
    expect(apps.filter((app) => app.name === 'Claude').length).toBe(dirs.length * 2);
    expect(apps.filter((app) => app.name === 'Page Assist').length).toBe(firefox.length);
    expect(new Set(apps.map((app) => app.path)).size).toBe(apps.length);
  },
);

const addons = (...given: object[]) =>
  json({ addons: given.map((addon) => ({ type: 'extension', version: '1.0', ...addon })) });

test('extensions of Firefox are found by id and by origin', async () => {
  const dir = '/home/ada/.mozilla/firefox/ab.me';
  const { apps } = await found({
    '/home/ada/.mozilla/firefox/profiles.ini': '[Profile0]\nName=me\nIsRelative=1\nPath=ab.me\n',
    [`${dir}/extensions.json`]: addons(
      {
        id: '87677a2c52b84ad3a151a4a72f5bd3c4@jetpack',
        active: false,
        path: `${dir}/extensions/g.xpi`,
        userPermissions: { permissions: ['nativeMessaging'], origins: ['<all_urls>'] },
      },
      {
        id: 'x@example',
        active: true,
        defaultLocale: { name: 'Chat helper' },
        userPermissions: { origins: ['*://*.openai.com/*'] },
      },
      { id: 'y@example', userPermissions: { origins: ['<all_urls>'] } },
      { id: 'page-assist@nazeem', type: 'theme' },
      { id: 'page-assist@nazeem', location: 'app-builtin-addons' },
    ),
  });
  expect(apps.map((app) => [app.name, app.catalog_id, app.path, app.risk_flags])).toEqual([
    ['Chat helper', null, `${dir}/extensions.json`, []],
    [
      'Grammarly',
      'grammarly-browser-extension',
      `${dir}/extensions/g.xpi`,
      ['broad_host_permissions', 'native_messaging'],
    ],
  ]);
});

test('lookalikes and folders without a manifest are not reported', async () => {
  const { apps, problems } = await found({
    [`${PROFILE}/Preferences`]: '{}',
    [`${PROFILE}/Extensions/${CLAUDE}/notes.txt`]: 'x',
    [`${PROFILE}/Extensions/${SIDER}/1.0_0/README`]: 'x',
    [`${PROFILE}/Extensions/${CLAUDE.slice(1)}/1.0_0/manifest.json`]: manifest(),
    [`/home/ada/Downloads/${CLAUDE}/1.0_0/manifest.json`]: manifest(),
    [`/home/ada/.config/google-chrome/Crashpad/Extensions.txt`]: 'x',
    '/home/ada/.mozilla/firefox/profiles.ini': '[Install1]\nDefault=ab.me\n',
    '/home/ada/.mozilla/firefox/ab.me/extensions.json': addons({ id: 'page-assist@nazeem' }),
  });
  expect({ apps, problems }).toEqual({ apps: [], problems: [] });
});

test('hostile profiles result in one line each and hide nothing', async () => {
  const chrome = '/home/ada/.config/google-chrome';
  const { apps, problems } = await found({
    '/etc/secret/manifest.json': { text: manifest({ name: 'secret' }), mode: 0o600 },
    [`${PROFILE}/Preferences`]: '['.repeat(300_000),
    [`${PROFILE}/Secure Preferences`]: `{"extensions": {"settings": {"__proto__": {"state": 0},
      "${OTHER}": {"location": 4, "path": "/etc/secret"}}}}`,
    [`${PROFILE}/Extensions/${CLAUDE}/1.0_0/manifest.json`]: manifest({
      name: 'a\u202Eb',
      permissions: 'tabs',
      content_scripts: [null, 3],
    }),
    [`${chrome}/Profile 1/Extensions`]: { link: '.' },
    [`${chrome}/Profile 2`]: { link: '/home/ada/.config' },
  });
  expect(apps.map((app) => [app.name, app.evidence.slice(2), app.risk_flags])).toEqual([
    ['Claude', [], []],
  ]);
  expect(problems).toEqual([
    '/etc/secret/manifest.json: is a link to a private file outside of /home/ada, not read',
    `${PROFILE}/Preferences: is not valid JSON (nested too deeply or too many references)`,
  ]);
});
