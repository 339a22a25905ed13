import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createTerminalReporter } from '#installer/terminal-reporter.ts';
import { errorLine } from '#profile-builder/terminal-output.ts';
import { readPackagingConfig } from './config.ts';

const USAGE = 'usage: npm run app -- [--linux] [--stand-in] [--out FOLDER]';

const report = createTerminalReporter(process.stdout);

try {
  const made = await run(process.argv.slice(2));
  report.end();
  for (const file of made)
    console.log(`${relative(process.cwd(), file)}: ${statSync(file).size} bytes`);
} catch (error) {
  report.end();
  console.error(errorLine(error as Error));
  process.exitCode = 1;
}

/** Builds the packages; returns their paths. */
async function run(args: string[]): Promise<string[]> {
  const { values } = parseArgs({
    args,
    options: {
      linux: { type: 'boolean', default: false },
      'stand-in': { type: 'boolean', default: false },
      out: { type: 'string', default: join(import.meta.dirname, 'dist') },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return [];
  }
  const release = { config: readPackagingConfig(), output: resolve(values.out), report };
  if (values.linux) {
    const { releaseForLinux } = await import('./linux/release.ts');
    return releaseForLinux(release, values['stand-in']);
  }
  const { releaseForMac, standInForMac } = await import('./mac/release.ts');
  return [await (values['stand-in'] ? standInForMac(release) : releaseForMac(release))];
}
