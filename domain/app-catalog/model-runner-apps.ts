import { app, electron, mac } from './desktop-app.ts';
import type { DesktopApp } from './entry.ts';

/** Apps that run models locally. */
export const modelRunnerApps: readonly DesktopApp[] = [
  app('ollama-app', 'Ollama', 'Ollama', mac('Ollama', 'com.electron.ollama')),
  app('lm-studio-app', 'LM Studio', 'Element Labs', {
    cask: 'lm-studio',
    ...mac('LM Studio', 'ai.elementlabs.lmstudio'),
    linux: {
      desktopIds: ['lm-studio'],
      installDirs: ['/opt/LM Studio/', '/opt/LM-Studio/'],
      debs: ['lm-studio'],
      appImages: ['LM-Studio', 'LM_Studio'],
      settings: ['.lmstudio', '.config/LM Studio'],
    },
  }),
  app('jan-app', 'Jan', 'Menlo Research', {
    cask: 'jan',
    ...mac('Jan', 'jan.ai.app'),
    linux: {
      desktopIds: ['Jan', 'jan', 'ai.jan.Jan'],
      installDirs: ['/opt/Jan/', '/usr/lib/Jan/'],
      debs: ['jan'],
      appImages: ['Jan_', 'jan-linux'],
      settings: ['.local/share/Jan', '.config/Jan'],
    },
  }),
  app('gpt4all-app', 'GPT4All', 'Nomic', {
    cask: 'gpt4all',
    ...mac('gpt4all', 'gpt4all', 'com.nomic-ai.gpt4all'),
    linux: {
      desktopIds: ['io.gpt4all.gpt4all', 'GPT4All'],
      installDirs: ['/opt/gpt4all/', '~/gpt4all/'],
    },
  }),
  app('anythingllm', 'AnythingLLM', 'Mintplex Labs', {
    ...mac('AnythingLLM', 'com.anythingllm', 'com.mintplexlabs.anythingllm'),
    linux: {
      desktopIds: ['anythingllmdesktop', 'anythingllm-desktop'],
      appImages: ['AnythingLLMDesktop'],
      settings: ['.config/anythingllm-desktop'],
    },
  }),
  app('msty', 'Msty', 'CloudStack', {
    ...mac('Msty', 'app.msty.app'),
    linux: {
      desktopIds: ['msty'],
      installDirs: ['/opt/Msty/'],
      debs: ['msty'],
      appImages: ['Msty_'],
      settings: ['.config/Msty'],
    },
  }),
  app('msty-studio', 'Msty Studio', 'CloudStack', {
    source: 'https://docs.msty.studio',
    ...mac('MstyStudio', 'com.MstyStudio.app'),
    linux: {
      desktopIds: ['mstystudio'],
      installDirs: ['/opt/MstyStudio/'],
      debs: ['mstystudio'],
      appImages: ['MstyStudio_'],
      settings: ['.config/MstyStudio'],
    },
  }),
  app('alpaca', 'Alpaca', 'Jeffry Samuel', {
    source: 'https://flathub.org/apps/com.jeffser.Alpaca',
    linux: {
      desktopIds: ['com.jeffser.Alpaca'],
      installDirs: ['/var/lib/flatpak/app/com.jeffser.Alpaca/'],
      snaps: ['alpaca'],
    },
  }),
  app('newelle', 'Newelle', 'Qwersyk', {
    source: 'https://flathub.org/apps/io.github.qwersyk.Newelle',
    linux: { desktopIds: ['io.github.qwersyk.Newelle'] },
  }),
  app('pinokio', 'Pinokio', 'Pinokio', {
    ...mac('Pinokio', 'computer.pinokio'),
    ...electron('pinokio', 'Pinokio'),
  }),
  app('draw-things', 'Draw Things', 'Draw Things', {
    source: 'https://apps.apple.com/us/app/draw-things-ai-generation/id6444050820',
    ...mac('Draw Things', 'com.liuliu.draw-things'),
  }),
  app('mochi-diffusion', 'Mochi Diffusion', 'Joshua Park', {
    ...mac('Mochi Diffusion', 'com.joshua-park.Mochi-Diffusion'),
  }),
  app('backyard-ai', 'Backyard AI', 'Ahoy Labs', mac('Backyard AI', 'com.ahoylabs.faraday')),
];
