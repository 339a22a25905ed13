import { app } from 'electron';
import type { Desktop } from './desktop.ts';
import { setupWindowMenu } from './window-menu.ts';

export const darwin: Desktop = {
  // The name's ending makes it a template image, which the system colours to fit the menu bar.
  trayIcon: 'trayTemplate.png',

  windowOptions: {},

  setupBackground(speaker) {
    // An installed app has LSUIElement in its Info.plist, which spares it the moment in the Dock.
    app.setActivationPolicy('accessory');
    // The menu bar of an accessory app is never seen.
    setupWindowMenu(speaker);
  },

  bringToFront(window) {
    window.show();
    // An accessory app is not brought to the front with its window.
    app.focus({ steal: true });
  },
};
