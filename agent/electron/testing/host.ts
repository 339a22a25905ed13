import { registerHooks } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Action, perform } from './actions.ts';
import { app, becomeReady, record } from './electron.ts';

/**
 * The options of this program, which runs a built main module with the stand-in for Electron:
 * `host.ts <main.js> <json of HostOptions> [arguments]`. The parent process sends actions and receives
 * their results.
 */
export interface HostOptions {
  packaged: boolean;
  isFirst: boolean;
  platform: 'linux' | 'darwin';
}

const [main = '', json = '', ...args] = process.argv.slice(2);
const { packaged, isFirst, platform } = JSON.parse(json) as HostOptions;
Object.assign(app, { isPackaged: packaged });
// As in Electron, the folder is an argument only if the app is not packaged.
process.argv = [process.execPath, ...(packaged ? [] : [dirname(main)]), ...args];
record.isFirst = isFirst;
Object.defineProperty(process, 'platform', { value: platform });

const standIn = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: standIn, shortCircuit: true } : next(specifier, context),
});

process.on('message', ({ id, action }: { id: number; action: Action }) => {
  perform(action).then(
    (result) => process.send?.({ id, result }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});

// Ends with the test that started it.
process.once('disconnect', () => process.exit());

await import(pathToFileURL(main).href);
becomeReady();
