import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { errorLine, printable } from '#profile-builder/terminal-output.ts';
import { InstallerError } from '../installer-error.ts';
import { inspectPackage } from './inspect-package.ts';
import { reportLines } from './report.ts';
import { readTrust, type Trust } from './signature/trust.ts';

const USAGE =
  'usage: npm run --silent installer -- inspect FILE [--trust CA.pem] [--allow-unsigned] ' +
  '[--strict] [--all | --json]';

const options = {
  trust: { type: 'string' },
  'allow-unsigned': { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Describes a package and verifies all of it. Returns the exit code: 0, or 1 after one line on
 * standard error with the problem.
 */
export async function inspectCommand(args: string[]): Promise<number> {
  try {
    const [problem, ...more] = await run(args);
    if (problem === undefined) return 0;
    console.error(more.length > 0 ? `${problem} (and ${more.length} more)` : problem);
  } catch (error) {
    console.error(errorLine(error as Error));
  }
  return 1;
}

/** Returns the problems of the package. */
async function run(args: string[]): Promise<readonly string[]> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) {
    console.log(USAGE);
    return [];
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new InstallerError(USAGE);
  const inspection = await inspectPackage(file, {
    allowUnsigned: values['allow-unsigned'],
    strict: values.strict,
    ...(values.trust === undefined ? {} : { trust: await readTrustFile(values.trust) }),
  });
  if (values.json) console.log(JSON.stringify(inspection, null, 2));
  else for (const output of reportLines(inspection, values)) console.log(printable(output));
  return inspection.problems;
}

async function readTrustFile(path: string): Promise<Trust> {
  const pem = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InstallerError(`--trust ${path} cannot be read: ${error.code ?? error.message}`);
  });
  try {
    return readTrust(pem);
  } catch (error) {
    throw new InstallerError(`--trust ${path}: ${(error as Error).message}`, { cause: error });
  }
}
