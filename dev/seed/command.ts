import { createClient, ResponseError } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { readSeedConfig } from './config.ts';
import { fill } from './fill.ts';

/** `npm run seed -- [URL]`: sample data for the installation at URL. */
const config = readSeedConfig(process.argv[2]);
if ('error' in config) fail(config.error);

const { url, apiKey, user, model } = config;
const by = (headers: Record<string, string>) =>
  createClient(contract, { baseUrl: url, headers: () => headers });
try {
  const session = user && (await by({}).identity.login({ body: user }));
  const bySession = session && by({ Authorization: `Bearer ${session.token}` });
  await fill({ byKey: by({ 'X-Svc-Key': apiKey }), bySession, model }, Date.now(), (line) =>
    process.stdout.write(`seed: ${line}\n`),
  );
} catch (error) {
  fail(error instanceof ResponseError ? error.message : `cannot reach ${url}: ${String(error)}`);
}

function fail(line: string): never {
  process.stderr.write(`seed: ${line}\n`);
  process.exit(1);
}
