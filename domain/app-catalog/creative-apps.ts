import { app, mac } from './desktop-app.ts';
import type { DesktopApp } from './entry.ts';

type Row = readonly [
  cask: string,
  name: string,
  vendor: string,
  app: string,
  bundleId: string,
  ...more: string[],
];

/** Rows by Homebrew cask: the app's names and the bundle ids that its uninstallation removes. */
const rows: readonly Row[] = [
  ['comfy', 'Comfy Desktop', 'Comfy Org', 'Comfy Desktop', 'com.todesktop.241012ess7yxs0e'],
  ['cotypist', 'Cotypist', 'Cotypist', 'Cotypist', 'app.cotypist.Cotypist'],
  ['deepl', 'DeepL', 'DeepL', 'DeepL', 'com.linguee.DeepLCopyTranslator'],
  ['descript', 'Descript', 'Descript', 'Descript', 'com.descript.beachcube'],
  [
    'grammarly-desktop',
    'Grammarly Desktop',
    'Grammarly',
    'Grammarly Desktop',
    'com.grammarly.ProjectLlama',
  ],
  ['palmier-pro', 'Palmier Pro', 'Palmier', 'PalmierPro', 'io.palmier.pro'],
  ['renameclick', 'RenameClick', 'RenameClick', 'RenameClick', 'com.renameclick.app'],
  ['rewritebar', 'RewriteBar', 'Mathias Michel', 'RewriteBar', 'com.m91michel.rewritebar'],
  ['runway', 'Runway', 'Runway', 'Runway', 'com.runwayai.runway'],
  [
    'topaz-gigapixel',
    'Topaz Gigapixel',
    'Topaz Labs',
    'Topaz Gigapixel',
    'com.topazlabs.TopazGigapixel',
  ],
  [
    'topaz-gigapixel-ai',
    'Topaz Gigapixel AI',
    'Topaz Labs',
    'Topaz Gigapixel AI',
    'com.topazlabs.TopazGigapixelAI',
  ],
  ['topaz-photo', 'Topaz Photo', 'Topaz Labs', 'Topaz Photo', 'com.topazlabs.TopazPhoto'],
  [
    'topaz-photo-ai',
    'Topaz Photo AI',
    'Topaz Labs',
    'Topaz Photo AI',
    'com.topazlabs.TopazPhotoAI',
  ],
  ['topaz-video', 'Topaz Video', 'Topaz Labs', 'Topaz Video', 'com.topazlabs.Topaz-Video'],
  [
    'topaz-video-ai',
    'Topaz Video AI',
    'Topaz Labs',
    'Topaz Video AI',
    'com.topazlabs.Topaz-Video-AI',
  ],
  ['zush', 'Zush', 'Lirik', 'Zush', 'com.lirik.Zush'],
  ['brilliant', 'Brilliant', 'Brilliant', 'brilliant', 'design.brilliant'],
  ['rayon', 'Rayon', 'Rayon', 'Rayon', 'com.electron.rayon'],
];

/** Apps for writing, translation, pictures and film with a built-in model. */
export const creativeApps: readonly DesktopApp[] = rows.map(
  ([token, name, vendor, bundle, ...ids]) => app(token, name, vendor, mac(bundle, ...ids)),
);
