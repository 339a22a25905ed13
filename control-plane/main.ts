import { readConfig } from './config.ts';
import { type ControlPlane, startControlPlane } from './start.ts';
import { explain } from './startup-errors.ts';
import { version } from './version.ts';

const config = readConfig();
if ('error' in config) fail(config.error);
else
  startControlPlane(config).then(
    (controlPlane) => {
      process.stdout.write(banner(config.app.name, controlPlane));
      stopOnSignal(controlPlane);
    },
    (error: unknown) => fail(explain(error, config)),
  );

function fail(line: string): never {
  process.stderr.write(`control plane: ${line}\n`);
  process.exit(1);
}

function banner(name: string, { urls, firstCredentials }: ControlPlane): string {
  const lines = [
    `${name} ${version}`,
    `  console    ${urls.public}`,
    `  API        ${urls.public}/docs`,
    `  devices    ${urls.device}`,
  ];
  if (firstCredentials) {
    const { email, password, apiKey } = firstCredentials;
    lines.push(`  sign in    ${email}   ${password ?? 'with the password you gave'}`);
    if (apiKey) lines.push(`  API key    ${apiKey}`);
    if (password ?? apiKey) lines.push('  Keep these: they are shown only this once.');
  }
  return `${lines.join('\n')}\n`;
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
