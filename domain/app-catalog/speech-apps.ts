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
  ['altar-ai', 'Altar AI', 'Altar', 'Altar AI', 'com.electron.altar-app'],
  ['amical', 'Amical', 'Amical', 'Amical', 'com.amical.desktop'],
  [
    'free-podcast-transcription',
    'Free Podcast Transcription',
    'Spreaker',
    'Free Podcast Transcription',
    'com.spreaker.freepodcasttranscription',
  ],
  [
    'ghostpepper',
    'GhostPepper',
    'Matt Hartman',
    'GhostPepper',
    'com.github.matthartman.ghostpepper',
  ],
  ['hedy', 'Hedy AI', 'Hedy', 'Hedy', 'bot.hedy.mobile'],
  ['input0', 'Input 0', 'Input0', 'Input0', 'com.input0'],
  ['jamie', 'Jamie', 'Jamie', 'Jamie', 'com.jamie.app'],
  ['kitlangton-hex', 'Hex', 'Kit Langton', 'Hex', 'com.kitlangton.Hex'],
  ['macparakeet', 'MacParakeet', 'MacParakeet', 'MacParakeet', 'com.macparakeet.MacParakeet'],
  ['meetmic', 'MeetMic', 'IWT', 'MeetMic', 'ltd.iwt.QuickWhisper'],
  ['monologue', 'Monologue', 'Every', 'Monologue', 'com.zeitalabs.jottleai'],
  ['muesli', 'Muesli', 'Muesli', 'Muesli', 'com.muesli.app'],
  ['openwhispr', 'OpenWhispr', 'Gizmo Labs', 'OpenWhispr', 'com.gizmolabs.openwhispr'],
  ['plaud', 'Plaud', 'Plaud', 'Plaud', 'ai.plaud.desktop.plaud'],
  [
    'speechify-voice-ai',
    'Speechify AI Assistant',
    'Speechify',
    'Speechify Voice AI',
    'com.cliffweitzman.speechifymacagent',
  ],
  [
    'subtitle-studio',
    'Subtitle Studio',
    'Subtitle Studio',
    'Subtitle Studio',
    'com.subtitle.studio',
  ],
  ['transcribex', 'TranscribeX', 'TranscribeX', 'TranscribeX', 'com.wlly.janome.AudioTranscribe'],
  ['typeless', 'Typeless', 'Typeless', 'Typeless', 'now.typeless.desktop', 'com.typeless'],
  ['typewhisper', 'TypeWhisper', 'TypeWhisper', 'TypeWhisper', 'com.typewhisper.mac'],
  ['voicenotes', 'Voicenotes', 'Voicenotes', 'Voicenotes', 'com.voicenotes.app'],
  ['whispering', 'Whispering', 'Braden Wong', 'Whispering', 'com.bradenwong.whispering'],
  ['limitless', 'Limitless', 'Limitless', 'Limitless', 'ai.limitless.desktop'],
  ['rewind', 'Rewind', 'Rewind AI', 'Rewind', 'com.memoryvault.MemoryVault'],
  ['fellow', 'Fellow', 'Fellow', 'Fellow', 'com.electron.fellow'],
];

/** Apps for dictation, transcription and meeting notes. */
export const speechApps: readonly DesktopApp[] = rows.map(([token, name, vendor, bundle, ...ids]) =>
  app(token, name, vendor, mac(bundle, ...ids)),
);
