import { readFile } from 'node:fs/promises';
import { loadIdentity } from '#pki/pkcs12.ts';
import { type Arguments, readArguments, USAGE } from './arguments.ts';
import { exampleTeamNotice, readProductConfig } from './config.ts';
import { errorLine, systemReason } from './terminal-output.ts';
import { buildProfile } from './profile.ts';
import { signProfile } from './sign-profile.ts';
import { writeSecretFile } from './write-secret-file.ts';

const NO_TEAM_ID =
  'APPLE_TEAM_ID is not set: expected the ten-character id of the Apple team that signs the app, because ' +
  'the profile allows system extensions of that team only';

async function run(args: string[], now: number): Promise<void> {
  const options = readArguments(args);
  if (options === 'help') return console.log(USAGE);
  const { teamId, ...product } = readProductConfig();
  if (teamId === null) throw new Error(NO_TEAM_ID);
  const profile = buildProfile({
    apiUrl: options.apiUrl,
    apiKey: options.apiKey,
    rootCertificates: (await Promise.all(options.ca.map(readCertificates))).flat(),
    hosts: options.hosts,
    payloads: options.payloads,
    codingAgents: options.codingAgents,
    toolChecks: options.toolChecks,
    ...product,
    teamId,
    now,
  });
  const content = options.sign ? await sign(profile, options.sign, now) : profile;
  await writeSecretFile(options.out, content).catch((error: Error) => {
    throw new Error(`--out ${options.out} cannot be written: ${systemReason(error)}`);
  });
  const notice = exampleTeamNotice(teamId);
  if (notice !== null) console.error(`note: ${notice}`);
}

/**
 * Reads the certificates in a PEM file. There may be several, for example while a tenant replaces
 * its root.
 */
async function readCertificates(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new Error(`--ca ${path} cannot be read: ${systemReason(error)}`);
  });
  const blocks = text.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs);
  if (!blocks) throw new Error(`--ca ${path}: expected a certificate as PEM, found something else`);
  return blocks;
}

async function sign(profile: string, by: NonNullable<Arguments['sign']>, now: number) {
  try {
    return await signProfile(profile, await loadIdentity(by.identity, by.password, now), now);
  } catch (error) {
    throw new Error(`--sign: ${(error as Error).message}`, { cause: error });
  }
}

try {
  await run(process.argv.slice(2), Date.now());
} catch (error) {
  console.error(errorLine(error as Error));
  process.exitCode = 1;
}
