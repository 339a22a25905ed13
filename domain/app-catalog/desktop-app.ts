import { type DesktopApp, cask } from './entry.ts';

type Signals = Pick<DesktopApp, 'darwin' | 'linux'>;

interface About {
  /** Its Homebrew cask, where the id is not the name of that. */
  cask?: string;
  source?: string;
}

export const app = (
  id: string,
  name: string,
  vendor: string,
  signals: Signals & About,
): DesktopApp => {
  const { cask: token = id, source = cask(token), ...found } = signals;
  return { id, name, vendor, kind: 'desktop_app', source, ...found };
};

export const mac = (appName: string, ...bundleIds: string[]): Signals => ({
  darwin: { bundleIds, appNames: [appName] },
});

/** What a fork of VS Code leaves on Linux when its package is called `word`. */
export const fork = (word: string, title: string): Signals => ({
  linux: {
    desktopIds: [word],
    installDirs: [`/usr/share/${word}/`, `/opt/${title}/`],
    debs: [word],
    appImages: [title],
    settings: [`.config/${title}`],
  },
});

/** What electron-builder's packages leave on Linux. */
export const electron = (word: string, title: string, desktopIds = [word]): Signals => ({
  linux: {
    desktopIds,
    installDirs: [`/opt/${title}/`],
    debs: [word],
    appImages: [title.replaceAll(' ', '-'), title],
    settings: [`.config/${title}`, `.config/${word}`],
  },
});
