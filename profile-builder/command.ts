import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readApiKey, readProductConfig } from './config.ts';
import { buildProfile } from './profile.ts';
import { writeSecretFile } from './write-secret-file.ts';

const usage =
  'usage: npm run --silent profile -- --api-url URL (--api-key KEY | --api-key-env NAME) ' +
  '--ca CA.pem --out FILE [--hosts a,b]';

const options = {
  'api-url': { type: 'string' },
  'api-key': { type: 'string' },
  'api-key-env': { type: 'string' },
  ca: { type: 'string', multiple: true },
  out: { type: 'string' },
  hosts: { type: 'string', default: '' },
  help: { type: 'boolean', default: false },
} as const;

async function run(args: string[]): Promise<void> {
  const given = readArguments(args);
  if (given === 'help') return console.log(usage);
  const profile = buildProfile({
    apiUrl: given.apiUrl,
    apiKey: given.apiKey,
    rootCertificates: (await Promise.all(given.ca.map(readCertificates))).flat(),
    hosts: given.hosts,
    ...readProductConfig(),
  });
  await writeSecretFile(given.out, profile).catch((error: Error) => {
    throw new Error(`--out ${given.out} cannot be written: ${error.message}`);
  });
}

/** Positional arguments are taken and refused here: Node's own refusal would print a stray key. */
function readArguments(args: string[]) {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const { 'api-url': apiUrl, ca, out, hosts } = values;
  if (values.help) return 'help';
  const apiKey = chooseApiKey(values['api-key'], values['api-key-env']);
  if (!apiUrl || !apiKey || !ca || !out || positionals.length > 0) throw new Error(usage);
  const names = hosts.split(',').map((name) => name.trim());
  return { apiUrl, apiKey, ca, out, hosts: names.filter((name) => name !== '') };
}

/**
 * A variable, unlike an argument, is not shown to whoever lists the processes of this computer. Its
 * name is in no line either: it may be the key, given by mistake.
 */
function chooseApiKey(given?: string, variable?: string): string | undefined {
  if (variable === undefined) return given;
  if (given !== undefined)
    throw new Error('expected one of --api-key and --api-key-env, found both');
  const apiKey = readApiKey(variable);
  if (apiKey === null)
    throw new Error('--api-key-env: expected the name of a variable that is set and not empty');
  return apiKey;
}

/** A file may hold several certificates, as while a tenant changes its root. */
async function readCertificates(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new Error(`--ca ${path} cannot be read: ${error.message}`);
  });
  const blocks = text.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs);
  if (!blocks) throw new Error(`--ca ${path}: expected a certificate as PEM, found something else`);
  return blocks;
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const [line] = (error as Error).message.split('\n');
  console.error(line);
  process.exitCode = 1;
}
