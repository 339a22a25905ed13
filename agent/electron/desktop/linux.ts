import { built } from '../built.ts';
import type { Desktop } from './desktop.ts';
import { setupWindowMenu } from './window-menu.ts';

export const linux: Desktop = {
  trayIcon: 'tray.png',

  // The menu stays out of the window until Alt is pressed.
  windowOptions: { icon: built.icon('tray.png'), autoHideMenuBar: true },

  setupBackground: setupWindowMenu,

  bringToFront(window) {
    window.show();
    window.focus();
  },
};
