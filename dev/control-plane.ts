import { startControlPlane } from '#control-plane/start.ts';
import { readLocalConfig } from '#control-plane/startup/local/config.ts';
import { formatStartupError } from '#control-plane/lib/setting-error.ts';

/** The control plane as a child process: says `ready` to its parent, and ends with it. */
const config = readLocalConfig();
if ('error' in config) fail(config.error);
else
  startControlPlane(config).then(
    (controlPlane) => {
      let closing: Promise<never> | undefined;
      const stop = (): void => {
        closing ??= controlPlane.close().then(() => process.exit(0));
      };
      process.on('SIGTERM', stop);
      process.on('disconnect', stop);
      if (!process.connected) return stop();
      // The parent made them and prints them at each start.
      controlPlane.credentialsShown();
      process.send?.('ready');
    },
    (error: unknown) => fail(formatStartupError(error, config)),
  );

function fail(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
