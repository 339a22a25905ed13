import { protocol, type Session } from 'electron';
import { answerFile } from './window-files.ts';

export const appScheme = 'app';
export const startPage = `${appScheme}://status/index.html`;

/**
 * Makes `app:` a scheme with an origin of its own, as the policy of the window needs it. Module
 * scripts are fetched as cross-origin requests are, hence `corsEnabled`. Before the app is ready.
 */
export function registerAppScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, corsEnabled: true };
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges }]);
}

/** Serves the files of the window to this session. */
export function serveWindowFiles(session: Session, folder: string): void {
  session.protocol.handle(appScheme, (request) => answerFile(folder, request.url));
}
