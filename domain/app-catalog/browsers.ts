/**
 * The folders, relative to a home folder, in which a browser keeps its profiles. Reports use
 * `name`.
 */
export interface Browser {
  name: string;
  darwin?: readonly string[];
  linux?: readonly string[];
}

const SUPPORT = 'Library/Application Support';

const channels = (
  name: string,
  mac: string,
  linux: string,
  suffixes: readonly (readonly [name: string, mac: string, linux: string])[],
): Browser[] =>
  [['', '', ''] as const, ...suffixes].map(([title, macSuffix, linuxSuffix]) => ({
    name: `${name}${title}`,
    darwin: [`${SUPPORT}/${mac}${macSuffix}`],
    linux: [`.config/${linux}${linuxSuffix}`],
  }));

/**
 * Browsers of the Chromium family:
 * https://chromium.googlesource.com/chromium/src/+/HEAD/docs/user_data_dir.md
 */
export const chromiumBrowsers: readonly Browser[] = [
  ...channels('Chrome', 'Google/Chrome', 'google-chrome', [
    [' Beta', ' Beta', '-beta'],
    [' Dev', ' Dev', '-unstable'],
    [' Canary', ' Canary', '-canary'],
    [' for Testing', ' for Testing', '-for-testing'],
  ]),
  { name: 'Chrome', linux: ['.var/app/com.google.Chrome/config/google-chrome'] },
  {
    name: 'Chromium',
    darwin: [`${SUPPORT}/Chromium`],
    linux: [
      '.config/chromium',
      'snap/chromium/common/chromium',
      '.var/app/org.chromium.Chromium/config/chromium',
    ],
  },
  ...channels('Edge', 'Microsoft Edge', 'microsoft-edge', [
    [' Beta', ' Beta', '-beta'],
    [' Dev', ' Dev', '-dev'],
    [' Canary', ' Canary', '-canary'],
  ]),
  { name: 'Edge', linux: ['.var/app/com.microsoft.Edge/config/microsoft-edge'] },
  ...channels('Brave', 'BraveSoftware/Brave-Browser', 'BraveSoftware/Brave-Browser', [
    [' Beta', '-Beta', '-Beta'],
    [' Nightly', '-Nightly', '-Nightly'],
    [' Dev', '-Dev', '-Dev'],
  ]),
  {
    name: 'Brave',
    linux: [
      'snap/brave/current/.config/BraveSoftware/Brave-Browser',
      '.var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser',
    ],
  },
  ...channels('Vivaldi', 'Vivaldi', 'vivaldi', [[' Snapshot', ' Snapshot', '-snapshot']]),
  { name: 'Vivaldi', linux: ['.var/app/com.vivaldi.Vivaldi/config/vivaldi'] },
  ...channels('Opera', 'com.operasoftware.Opera', 'opera', [
    [' GX', 'GX', '-gx'],
    [' Beta', 'Next', '-beta'],
    [' Developer', 'Developer', '-developer'],
    [' Air', 'Air', '-air'],
  ]),
  {
    name: 'Opera',
    linux: ['snap/opera/current/.config/opera', '.var/app/com.opera.Opera/config/opera'],
  },
  { name: 'Opera Neon', darwin: [`${SUPPORT}/com.operasoftware.OperaNeon`] },
  { name: 'Arc', darwin: [`${SUPPORT}/Arc/User Data`] },
  { name: 'Dia', darwin: [`${SUPPORT}/Dia/User Data`] },
  { name: 'Comet', darwin: [`${SUPPORT}/Comet`, `${SUPPORT}/Perplexity/Comet`] },
  { name: 'ChatGPT Atlas', darwin: [`${SUPPORT}/com.openai.atlas/browser-data/host`] },
  { name: 'Sidekick', darwin: [`${SUPPORT}/Sidekick`], linux: ['.config/sidekick'] },
  { name: 'SigmaOS', darwin: [`${SUPPORT}/SigmaOS`] },
  { name: 'Genspark', darwin: [`${SUPPORT}/GensparkSoftware/Genspark-Browser`] },
  { name: 'Fellou', darwin: [`${SUPPORT}/Fellou`] },
  { name: 'BrowserOS', darwin: [`${SUPPORT}/BrowserOS`], linux: ['.config/browser-os'] },
  { name: 'Helium', darwin: [`${SUPPORT}/net.imput.helium`], linux: ['.config/net.imput.helium'] },
  {
    name: 'Yandex',
    darwin: [`${SUPPORT}/Yandex/YandexBrowser`],
    linux: ['.config/yandex-browser'],
  },
  { name: 'Thorium', darwin: [`${SUPPORT}/Thorium`], linux: ['.config/thorium'] },
  {
    name: 'Ungoogled Chromium',
    linux: ['.var/app/io.github.ungoogled_software.ungoogled_chromium/config/chromium'],
  },
];

/**
 * Firefox and its derivatives:
 * https://support.mozilla.org/kb/profiles-where-firefox-stores-user-data
 */
export const firefoxBrowsers: readonly Browser[] = [
  {
    name: 'Firefox',
    darwin: [`${SUPPORT}/Firefox`],
    linux: [
      '.mozilla/firefox',
      '.config/mozilla/firefox',
      'snap/firefox/common/.mozilla/firefox',
      '.var/app/org.mozilla.firefox/.mozilla/firefox',
      '.var/app/org.mozilla.firefox/config/mozilla/firefox',
    ],
  },
  {
    name: 'Zen',
    darwin: [`${SUPPORT}/zen`],
    linux: ['.zen', '.config/zen', '.var/app/app.zen_browser.zen/.zen'],
  },
  {
    name: 'LibreWolf',
    darwin: [`${SUPPORT}/librewolf`],
    linux: [
      '.librewolf',
      '.config/librewolf/librewolf',
      '.var/app/io.gitlab.librewolf-community/.librewolf',
    ],
  },
  {
    name: 'Waterfox',
    darwin: [`${SUPPORT}/Waterfox`],
    linux: ['.waterfox', '.var/app/net.waterfox.waterfox/.waterfox'],
  },
  {
    name: 'Floorp',
    darwin: [`${SUPPORT}/Floorp`],
    linux: ['.floorp', '.var/app/one.ablaze.floorp/.floorp'],
  },
];
