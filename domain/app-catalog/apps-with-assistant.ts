import { app, mac } from './desktop-app.ts';
import type { DesktopApp } from './entry.ts';

const speech: DesktopApp[] = [
  app('granola', 'Granola', 'Granola', mac('Granola', 'com.granola.app', 'com.getgranola.app')),
  app('wispr-flow', 'Wispr Flow', 'Wispr', mac('Wispr Flow', 'com.electron.wispr-flow')),
  app(
    'superwhisper',
    'Superwhisper',
    'SuperUltra',
    mac('superwhisper', 'com.superduper.superwhisper'),
  ),
  app('macwhisper', 'MacWhisper', 'Good Snooze', mac('MacWhisper', 'com.goodsnooze.MacWhisper')),
  app('voiceink', 'VoiceInk', 'Prakash Joshi', mac('VoiceInk', 'com.prakashjoshipax.VoiceInk')),
  app('aqua-voice', 'Aqua Voice', 'Aqua', mac('Aqua Voice', 'com.electron.aqua-voice')),
  app('hyperwhisper', 'HyperWhisper', 'HyperWhisper', {
    ...mac('HyperWhisper', 'com.hyperwhisper.hyperwhisper'),
  }),
  app('spokenly', 'Spokenly', 'Spokenly', mac('Spokenly', 'app.spokenly')),
  app('willow-voice', 'Willow Voice', 'Willow', mac('Willow Voice', 'com.seewillow.WillowMac')),
  app('fluidvoice', 'FluidVoice', 'Altic', mac('FluidVoice', 'com.FluidApp.app')),
  app('handy', 'Handy', 'CJ Pais', {
    ...mac('Handy', 'com.pais.handy'),
    linux: {
      desktopIds: ['Handy', 'handy'],
      installDirs: ['/usr/lib/Handy/'],
      debs: ['handy'],
      appImages: ['Handy_'],
      settings: ['.local/share/com.pais.handy'],
    },
  }),
  app('buzz', 'Buzz', 'Chidi Williams', {
    ...mac('Buzz', 'com.chidiwilliams.buzz'),
    linux: { desktopIds: ['io.github.chidiwilliams.Buzz'], snaps: ['buzz'] },
  }),
  app('meetily', 'Meetily', 'Zackriya Solutions', mac('meetily', 'com.meetily.ai')),
  app('krisp', 'Krisp', 'Krisp', mac('krisp', 'ai.krisp.krispMac')),
];

const work: DesktopApp[] = [
  app('raycast', 'Raycast', 'Raycast', mac('Raycast', 'com.raycast.macos')),
  app('notion', 'Notion', 'Notion Labs', mac('Notion', 'notion.id')),
  app('tana', 'Tana', 'Tana', {
    darwin: { bundleIds: ['inc.tana.desktop'], appNames: ['Tana Outliner', 'Tana'] },
  }),
  app('heptabase', 'Heptabase', 'Heptabase', mac('Heptabase', 'app.projectmeta.projectmeta')),
];

/** Apps for other purposes (dictation, meetings, notes) with a built-in model. */
export const appsWithAssistant: readonly DesktopApp[] = [...speech, ...work];
