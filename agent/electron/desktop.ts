import { type BrowserWindow, type BrowserWindowConstructorOptions, app, Menu } from 'electron';
import type { Translator } from './messages/translator.ts';
import { buildPaths } from './build-paths.ts';

/**
 * Sets the menu of the window, for its shortcuts: copy, close and zoom. Electron's default menu would
 * also quit the app.
 */
export function setupWindowMenu({ translate }: Translator): void {
  const window = [{ role: 'copy' }, { role: 'selectAll' }, { role: 'close' }] as const;
  const view = [{ role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'resetZoom' }] as const;
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      { label: translate('menu.window'), submenu: [...window] },
      { label: translate('menu.view'), submenu: [...view] },
    ]),
  );
}

/** Differences between the desktops that the app runs on. */
export interface Desktop {
  trayIcon: string;
  windowOptions: BrowserWindowConstructorOptions;
  /** Shows the app only in the tray. Call when the app is ready. */
  setupBackground(translator: Translator): void;
  bringToFront(window: BrowserWindow): void;
}

export const linux: Desktop = {
  trayIcon: 'tray.png',

  // The menu bar is hidden until Alt is pressed.
  windowOptions: { icon: buildPaths.icon('tray.png'), autoHideMenuBar: true },

  setupBackground: setupWindowMenu,

  bringToFront(window) {
    window.show();
    window.focus();
  },
};

export const darwin: Desktop = {
  // `Template` at the end of the name marks a template image, which macOS colours to fit the menu bar.
  trayIcon: 'trayTemplate.png',

  windowOptions: {},

  setupBackground(translator) {
    // An installed app has LSUIElement in its Info.plist as well, so that it never appears in the Dock.
    app.setActivationPolicy('accessory');
    // The menu of an accessory app is not shown, but its shortcuts work.
    setupWindowMenu(translator);
  },

  bringToFront(window) {
    window.show();
    // Showing a window does not activate an accessory app.
    app.focus({ steal: true });
  },
};

export const desktop: Desktop = process.platform === 'darwin' ? darwin : linux;
