import { join } from 'node:path';
import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
import { agentEnvironment, localFiles } from '#control-plane/startup/local/config.ts';
import { deployProfile } from '#control-plane/startup/local/deploy.ts';
import { stopOnSignal } from '#control-plane/startup/shutdown.ts';
import { version } from '#control-plane/startup/version.ts';
import type { Client } from '#contract/client.ts';
import { recordIncidents } from '#test/support/recorded-incidents.ts';
import { recordWeek } from '#test/support/recorded-week.ts';
import { type DevConfig, readDevConfig } from './config.ts';
import { serveConsole } from './console.ts';
import { buildSdkPackages } from './sdk-packages.ts';
import { runWatched } from './watched-program.ts';

/** A part ended, and its own output says why. */
class AlreadyPrinted extends Error {}

/** `npm run dev`: control plane, console and agent run from their sources and follow changes. */
const root = join(import.meta.dirname, '..');
const inRoot = (...paths: string[]): string[] => paths.map((path) => join(root, path));

const config = readDevConfig();
if ('error' in config) {
  prefixedPrinter('settings')(config.error);
  process.exit(1);
}
await startAll(config);

async function startAll(dev: DevConfig): Promise<void> {
  const parts = new AsyncDisposableStack();
  stopOnSignal(
    ['SIGINT', 'SIGTERM', 'SIGHUP'],
    () => parts.disposeAsync(),
    (error) => {
      prefixedPrinter('dev')(reasonOf(error));
      process.exit(1);
    },
  );
  // After each step Ctrl-C may have ended what was started so far.
  const step = async (name: string, start: () => Promise<unknown>): Promise<void> => {
    if (parts.disposed) return;
    try {
      await start();
    } catch (error) {
      if (parts.disposed) return;
      if (!(error instanceof AlreadyPrinted)) prefixedPrinter(name)(reasonOf(error));
      await parts.disposeAsync();
      process.exit(1);
    }
  };
  await step('control plane', () => startControlPlane(dev, parts));
  await step('console', async () => {
    const server = await serveConsole(dev, prefixedPrinter('console'));
    parts.defer(() => server.close());
  });
  await step('sdk packages', () => buildPackages(parts));
  await step('agent', () => startAgent(dev, parts));
  await step('seed', () => seedData(dev));
  if (!parts.disposed) process.stdout.write(banner(dev));
}

/** Resolves when it listens. @throws AlreadyPrinted when it ended before: its output says why */
function startControlPlane(dev: DevConfig, parts: AsyncDisposableStack): Promise<void> {
  const say = prefixedPrinter('control plane');
  return new Promise((resolve, reject) => {
    let isReady = false;
    const program = runWatched({
      program: join(root, 'dev/control-plane.ts'),
      env: dev.env,
      code: {
        folders: inRoot(
          'control-plane',
          'contract',
          'domain',
          'lib',
          'pki',
          'profile-builder',
          'installer',
        ),
        without: inRoot('control-plane/console'),
      },
      print: say,
      onEnd(how) {
        if (isReady) say(`ended (${how}); it starts again when its code changes`);
        else reject(new AlreadyPrinted(how));
      },
    });
    parts.defer(() => program.stop());
    void program.ready.then(() => {
      isReady = true;
      resolve();
    });
  });
}

/** The rest works without them. */
async function buildPackages(parts: AsyncDisposableStack): Promise<void> {
  const say = prefixedPrinter('sdk packages');
  const stopping = new AbortController();
  parts.defer(() => stopping.abort());
  await buildSdkPackages(say, stopping.signal).catch((error: unknown) => {
    if (!parts.disposed) say(`cannot be built: ${reasonOf(error)}`);
  });
}

async function startAgent(dev: DevConfig, parts: AsyncDisposableStack): Promise<void> {
  const { controlPlane } = dev;
  const say = prefixedPrinter('agent');
  const files = localFiles(controlPlane);
  const urls = { public: addressOf(dev), device: '' };
  const obstacle = await deployProfile({ urls, firstCredentials: null }, controlPlane, files);
  if (obstacle) return say(obstacle);
  if (parts.disposed) return;
  const program = runWatched({
    program: join(root, 'agent/headless.ts'),
    env: agentEnvironment(controlPlane, files),
    code: {
      folders: inRoot('agent', 'contract', 'domain', 'lib', 'pki'),
      without: inRoot('agent/electron', 'agent/macos', 'agent/packaging'),
    },
    print: say,
    onEnd: (how) => say(`ended (${how}); it starts again when its code changes`),
  });
  parts.defer(() => program.stop());
}

function seedData(dev: DevConfig): Promise<void> {
  const headers = () => ({ 'X-Svc-Key': dev.credentials.apiKey });
  return seed(createClient(contract, { baseUrl: addressOf(dev), headers }), Date.now());
}

function addressOf({ controlPlane }: DevConfig): string {
  return `http://localhost:${controlPlane.port}`;
}

function banner({ controlPlane, consolePort, credentials }: DevConfig): string {
  return [
    `${controlPlane.app.name} ${version}, in development`,
    `  console    http://localhost:${consolePort}, with hot reload`,
    `  API        http://localhost:${controlPlane.port}/docs; starts again when its code changes`,
    `  sign in    ${credentials.email}   ${credentials.password}`,
    `  API key    ${credentials.apiKey}`,
    `  data       ${controlPlane.dataDir}`,
    '  Ctrl-C ends everything.\n',
  ].join('\n');
}

/** Each part's lines begin with its name. */
function prefixedPrinter(name: string): (line: string) => void {
  return (line) => process.stdout.write(`${name}: ${line}\n`);
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
}

/** Creates sample data: a week of runs, policies, and the incidents raised by them. */
async function seed(client: Client<typeof contract>, now: number): Promise<void> {
  const { results } = await client.policies.listPolicies({ query: {} });
  if (results.length > 0) return;
  await recordWeek(client, now);
  // Last: a later start finds the policies, and seeds nothing.
  await recordIncidents(client, now);
}
