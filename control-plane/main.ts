import { banner } from './startup/banner.ts';
import { readConfig } from './config.ts';
import { startControlPlane } from './start.ts';
import { formatStartupError } from './lib/setting-error.ts';
import { stopOnSignal } from './startup/shutdown.ts';

const config = readConfig();
if ('error' in config) fail(config.error);
else
  startControlPlane(config).then(
    (controlPlane) => {
      stopOnSignal(
        ['SIGINT', 'SIGTERM'],
        () => controlPlane.close(),
        (error) => fail(formatStartupError(error, config)),
      );
      process.stdout.write(banner(config.app.name, controlPlane), () =>
        controlPlane.credentialsShown(),
      );
    },
    (error: unknown) => fail(formatStartupError(error, config)),
  );

function fail(message: string): never {
  process.stderr.write(`control plane: ${message}\n`);
  process.exit(1);
}
