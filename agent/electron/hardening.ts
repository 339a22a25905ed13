import { app, session, type Session, type WebContents } from 'electron';
import { buildPaths } from './build-paths.ts';
import { APP_SCHEME, serveWindowFiles } from './app-scheme.ts';

/** Prevents every page from navigating and from opening windows. */
export function setupHardening(): void {
  // The window is rarely open and does not justify a GPU process.
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

// The developer tools are pages as well; a packaged app has none.
const schemes = app.isPackaged ? [APP_SCHEME] : [APP_SCHEME, 'devtools'];
const isAllowedUrl = (url: string): boolean =>
  schemes.some((scheme) => url.startsWith(`${scheme}:`));

/** Creates a session without storage and permissions that can load only the files of the window. */
export function createConfinedSession(): Session {
  const confined = session.fromPartition('status-window', { cache: false });
  confined.setPermissionRequestHandler((_contents, _permission, respond) => respond(false));
  confined.setPermissionCheckHandler(() => false);
  confined.setDevicePermissionHandler(() => false);
  confined.on('will-download', (event) => event.preventDefault());
  serveWindowFiles(confined, buildPaths.windowFiles);
  confined.webRequest.onBeforeRequest(({ url }, respond) =>
    respond({ cancel: !isAllowedUrl(url) }),
  );
  return confined;
}
