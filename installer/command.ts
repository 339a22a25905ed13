import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { allowClosedReader, errorLine } from '#profile-builder/terminal-output.ts';
import { readProductConfig } from '#profile-builder/config.ts';
import { InstallerError } from './installer-error.ts';
import { createTerminalReporter } from './terminal-reporter.ts';

const USAGE =
  'usage: npm run --silent installer -- build --app DIR.app --version X.Y.Z --out FILE [signing options] | ' +
  'build-uninstaller --version X.Y.Z --out FILE [signing options] | ' +
  'inspect FILE [--trust CA.pem] [--allow-unsigned] [--strict] [--all | --json]';

const SIGNING_USAGE =
  'signing options: --identity ID.p12 --identity-password-env NAME [--timestamp-url URL|none] ' +
  '[--notary-key KEY.p8 --notary-key-id ID --notary-issuer UUID] ' +
  '[--notary-url URL] [--s3-url URL] [--ticket-url URL]';

allowClosedReader();
const report = createTerminalReporter(process.stdout);

/**
 * Runs a task and returns the exit code. Dependencies are loaded per task: inspecting needs no
 * signing code.
 */
async function run([task, ...args]: string[]): Promise<number> {
  switch (task) {
    case 'build':
    case 'build-uninstaller':
      await build(task, args);
      return 0;
    case 'inspect': {
      const { inspectCommand } = await import('./inspect/command.ts');
      return inspectCommand(args);
    }
    case '--help':
    case '-h':
    case 'help':
      printUsage();
      return 0;
    case undefined:
    default:
      throw new InstallerError(USAGE);
  }
}

const printUsage = (): void => console.log(`${USAGE}\n${SIGNING_USAGE}`);

async function build(task: 'build' | 'build-uninstaller', args: string[]): Promise<void> {
  const { readSigningOptions, signingOptions } = await import('./signing/signing-options.ts');
  const { values } = parseArgs({
    args,
    options: {
      ...signingOptions,
      app: { type: 'string' },
      version: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return printUsage();
  const { app, version, out } = values;
  if (!version || !out || (task === 'build') !== Boolean(app)) throw new InstallerError(USAGE);
  const { teamId: configuredTeam, ...config } = readProductConfig();
  const product = { ...config, version };
  const { teamId, ...signing } = await readSigningOptions(values);
  if (teamId !== undefined && configuredTeam !== null && teamId !== configuredTeam)
    report.log(
      `note: the identity is of team ${teamId ?? '-'}, APPLE_TEAM_ID is ${configuredTeam}`,
    );
  if (task === 'build-uninstaller') {
    const { buildUninstaller } = await import('./build-uninstaller.ts');
    await buildUninstaller({ out, product, report, ...signing });
  } else {
    const { buildPackage } = await import('./build.ts');
    await buildPackage({ app: app as string, out, product, report, ...signing });
  }
  const { size } = statSync(out);
  report.log(`${out}: ${size} bytes, ${signing.signer ? 'signed' : 'not signed'}`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => fail(new InstallerError(`interrupted (${signal})`)));

try {
  process.exitCode = await run(process.argv.slice(2));
  report.end();
} catch (error) {
  fail(error as Error);
}

/** Exits at once, after removing partially written files. */
function fail(error: Error): never {
  report.end();
  console.error(errorLine(error));
  process.exit(1);
}
