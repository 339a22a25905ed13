import { Menu } from 'electron';
import type { Speaker } from '../words/speaker.ts';

/**
 * A menu that is hardly seen, for its shortcuts: copy, close and zoom are wanted. Electron's own would
 * add quit.
 */
export function setupWindowMenu({ say }: Speaker): void {
  const window = [{ role: 'copy' }, { role: 'selectAll' }, { role: 'close' }] as const;
  const view = [{ role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'resetZoom' }] as const;
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      { label: say('menu.window'), submenu: [...window] },
      { label: say('menu.view'), submenu: [...view] },
    ]),
  );
}
