import { app, session, type Session, type WebContents } from 'electron';
import { buildPaths } from './build-paths.ts';
import { APP_SCHEME, serveWindowFiles } from './app-scheme.ts';

/** Takes from every page, whatever opened it, the ways out of the window. */
export function setupHardening(): void {
  // A window that is rarely open needs no process for the graphics card.
  app.disableHardwareAcceleration();
  app.on('web-contents-created', (_event, contents) => restrict(contents));
}

function restrict(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

// The developer tools, which a packaged app does not have, are pages too.
const schemes = app.isPackaged ? [APP_SCHEME] : [APP_SCHEME, 'devtools'];
const isAllowedUrl = (url: string): boolean =>
  schemes.some((scheme) => url.startsWith(`${scheme}:`));

/** A session that stores nothing, is permitted nothing and reaches only the files of the window. */
export function createConfinedSession(): Session {
  const confined = session.fromPartition('status-window', { cache: false });
  confined.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  confined.setPermissionCheckHandler(() => false);
  confined.setDevicePermissionHandler(() => false);
  confined.on('will-download', (event) => event.preventDefault());
  serveWindowFiles(confined, buildPaths.windowFiles);
  confined.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isAllowedUrl(url) }));
  return confined;
}
