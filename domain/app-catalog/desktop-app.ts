import { type DesktopApp, cask } from './entry.ts';

type Signals = Pick<DesktopApp, 'darwin' | 'linux'>;

interface About {
  /** The Homebrew cask, if its name differs from the id. */
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

/** The traces on Linux of a fork of VS Code whose package is called `word`. */
export const fork = (word: string, title: string): Signals => ({
  linux: {
    desktopIds: [word],
    installDirs: [`/usr/share/${word}/`, `/opt/${title}/`],
    debs: [word],
    appImages: [title],
    settings: [`.config/${title}`],
  },
});

/** The traces on Linux of an app that is packaged with electron-builder. */
export const electron = (word: string, title: string, desktopIds = [word]): Signals => ({
  linux: {
    desktopIds,
    installDirs: [`/opt/${title}/`],
    debs: [word],
    appImages: [title.replaceAll(' ', '-'), title],
    settings: [`.config/${title}`, `.config/${word}`],
  },
});
