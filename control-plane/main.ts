import { banner } from './banner.ts';
import { readConfig } from './config.ts';
import { type ControlPlane, startControlPlane } from './start.ts';
import { explain } from './startup-errors.ts';

const config = readConfig();
if ('error' in config) fail(config.error);
else
  startControlPlane(config).then(
    (controlPlane) => {
      stopOnSignal(controlPlane);
      process.stdout.write(banner(config.app.name, controlPlane));
    },
    (error: unknown) => fail(explain(error, config)),
  );

function fail(line: string): never {
  process.stderr.write(`control plane: ${line}\n`);
  process.exit(1);
}

function stopOnSignal(controlPlane: ControlPlane): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      controlPlane.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
}
