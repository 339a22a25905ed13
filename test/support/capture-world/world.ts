import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '#contract/client.ts';
import type { GuardFields } from '#contract/guard.ts';
import { contract } from '#contract/index.ts';
import type { PatternRule } from '#contract/settings.ts';
import { API_KEY, OWNER, type TestClient } from '../control-plane.ts';
import { built, pollUntil, type Program, root, startProgram } from '../processes.ts';
import {
  CONTROL_PLANE,
  installProfile,
  type Files,
  type Trust,
  withFiles,
  writeFiles,
} from './files.ts';
import { createNetworks, type Network } from './network.ts';

export interface ProgramResult {
  code: number | string | null;
  out: string;
  err: string;
}

/** A program that is running on the device. */
export interface RunningProgram {
  ended: Promise<ProgramResult>;
  /** Its output so far. */
  out: () => string;
  /** Writes a line to its standard input. */
  writeLine: (line: string) => void;
  kill: () => void;
  pid: number;
}

/**
 * A control plane, the servers of AI providers, and a device with an agent, each in its own
 * process.
 */
export interface CaptureWorld extends AsyncDisposable {
  owner: TestClient;
  upstreams: Program;
  /** The public authority. */
  authority: string;
  /** The certificates of the servers, in PEM. */
  certificates: { models: string; uncapturedHost: string };
  /**
   * Stores these fields in the global layer of Guard, and waits until the device has applied them.
   */
  setGuardConfig: (config: Partial<GuardFields>) => Promise<void>;
  /** Stores the masking patterns of the tenant, and waits until they apply. */
  setMaskingPatterns: (patterns: PatternRule[]) => Promise<void>;
  /** Starts the agent with the state folder of the previous one. */
  startAgent: (options?: { otherVersion?: boolean }) => Promise<Program>;
  /** The state folder of the agent, on its own small disk; `onDevice` is its path on the device. */
  state: { folder: string; onDevice: string };
  /** The data folder of the control plane. */
  data: string;
  /** Stops the control plane and starts it again. */
  restartControlPlane: () => Promise<void>;
  start: (command: readonly string[], trust: Trust, env?: Record<string, string>) => RunningProgram;
  /** The addresses that the kernel redirects to the agent. */
  readNftTable: () => Promise<string>;
  /** The output of the control plane and the agents. */
  output: () => string;
  /** The output and all files of the agents. */
  agentOutputAndFiles: () => string;
}

/** The exit code of `nsenter` and shells if there is no such program. */
const COMMAND_NOT_FOUND = 127;
const UPSTREAMS = 'test/support/capture-world/upstreams.ts';

/** `servers` is the program with the servers of AI providers. */
export async function startCaptureWorld(servers = UPSTREAMS): Promise<CaptureWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-capture-'));
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-home-'));
  const network = await createNetworks();
  const programs: Program[] = [];
  const clients: ChildProcess[] = [];
  const track = (program: Program): Program => {
    programs.push(program);
    return program;
  };
  const files = await writeFiles(folder);
  const upstreams = await startUpstreams(servers, network, files);
  mkdirSync(files.state);
  mountSmallDisk(network, files.state);
  mkdirSync(files.data);
  let controlPlane = track(await startControlPlane(network, files));
  const owner = await installProfileAndSignIn(network, files);
  const onDevice = (trust: Trust): string[] => [...network.onDevice, ...withFiles(files, trust)];

  const start: CaptureWorld['start'] = (command, trust, more) => {
    const [nsenter = '', ...args] = [...onDevice(trust), ...command];
    const env = {
      PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
      HOME: home,
      NODE_EXTRA_CA_CERTS: files[trust],
      SSL_CERT_FILE: files[trust],
      ...more,
    };
    const client = spawn(nsenter, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    client.stdin.on('error', () => undefined);
    clients.push(client);
    return readOutput(client);
  };
  const startAgent: CaptureWorld['startAgent'] = async ({ otherVersion = false } = {}) => {
    const environment = {
      MANAGED_PREFERENCES: files.preferences,
      AGENT_TRUSTED_ROOTS: files.roots,
      AGENT_STATE_DIR: files.state,
      AGENT_HEARTBEAT_SECONDS: '0.5',
      AGENT_FLOW_UPLOAD_SECONDS: '0.2',
      AGENT_POLICY_CHECK_SECONDS: '30',
      NODE_EXTRA_CA_CERTS: files.public,
    };
    const others = otherVersion ? { [join(root, 'package.json')]: files.otherVersion } : {};
    const commandPrefix = [...network.onDevice, ...withFiles(files, 'public', others)];
    const agent = track(startProgram('agent/headless.ts', environment, commandPrefix));
    await agent.waitForOutput('agent started');
    return agent;
  };

  const waitUntilApplied = () =>
    pollUntil(
      async () => (await owner.devices.listDevices({ query: {} })).results[0],
      (device) => device !== undefined && device.applied_version === device.config_version,
    );
  const output = (): string => programs.map((program) => program.output()).join('\n');

  return {
    owner,
    upstreams,
    authority: files.public,
    certificates: {
      models: readFileSync(files.certificate, 'utf8').trim(),
      uncapturedHost: readFileSync(files.otherCertificate, 'utf8').trim(),
    },
    startAgent,
    start,
    state: { folder: network.pathOnDevice(files.state), onDevice: files.state },
    data: files.data,
    async restartControlPlane() {
      await controlPlane.stop();
      controlPlane = track(await startControlPlane(network, files));
    },
    async setGuardConfig(config) {
      await owner.guard.putLayer({ body: { layer: 'global', config } });
      await waitUntilApplied();
    },
    async setMaskingPatterns(patterns) {
      const masking = { enabled: true, builtin: [], keys: [], patterns };
      await owner.settings.putRecordingSettings({ body: { retention_days: null, masking } });
      await waitUntilApplied();
    },
    readNftTable: async () => {
      const { ended } = start(['nft', 'list', 'table', 'inet', 'gatehouse'], 'public');
      const { code, out, err } = await ended;
      if (code === COMMAND_NOT_FOUND) throw new Error(err);
      return out;
    },
    output,
    agentOutputAndFiles: () => [...filesIn(network.pathOnDevice(folder)), output()].join('\n'),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.kill('SIGKILL');
      for (const program of [...programs.toReversed(), upstreams]) await program.stop('SIGKILL');
      await network[Symbol.asyncDispose]();
      for (const each of [folder, home]) rmSync(each, { recursive: true, force: true });
    },
  };
}

async function startUpstreams(
  program: string,
  { onInternet }: Network,
  files: Files,
): Promise<Program> {
  const environment = {
    KEY: files.key,
    CERTIFICATE: files.certificate,
    OTHER_KEY: files.otherKey,
    OTHER_CERTIFICATE: files.otherCertificate,
  };
  const upstreams = startProgram(program, environment, onInternet);
  await upstreams.waitForOutput('listening');
  return upstreams;
}

function mountSmallDisk({ onDevice }: Network, folder: string): void {
  const [nsenter = '', ...args] = onDevice;
  const mount = ['mount', '-t', 'tmpfs', '-o', 'size=64m,mode=700', 'none', folder];
  execFileSync(nsenter, [...args, ...mount]);
}

async function startControlPlane(network: Network, { data }: Files): Promise<Program> {
  const environment = {
    PUBLIC_URL: urlOf(network),
    DEVICE_URL: `https://${CONTROL_PLANE}:8443`,
    DATA_DIR: data,
    BOOTSTRAP_API_KEY: API_KEY,
    BOOTSTRAP_ADMIN_EMAIL: OWNER.email,
    BOOTSTRAP_ADMIN_PASSWORD: OWNER.password,
    APPLE_TEAM_ID: 'GATEHOUSE1',
  };
  const program = startProgram(built.controlPlane, environment, network.onInternet);
  await program.waitForOutput('devices ');
  return program;
}

const urlOf = ({ address }: Network): string => `http://${address}:8080`;

/** Installs the profile of the tenant on the device, and signs the owner in. */
async function installProfileAndSignIn(network: Network, files: Files): Promise<TestClient> {
  const clientWith = (headers: Record<string, string>): TestClient =>
    createClient(contract, { baseUrl: urlOf(network), headers: () => headers });
  const profile = await clientWith({ 'X-Svc-Key': API_KEY }).deployment.getMdmProfile({
    query: {},
  });
  installProfile(profile, files);
  const { token } = await clientWith({}).identity.login({ body: OWNER });
  return clientWith({ Authorization: `Bearer ${token}` });
}

function readOutput(child: ChildProcess): RunningProgram {
  const outputs = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (outputs.out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (outputs.err += text));
  const ended = new Promise<ProgramResult>((resolve) => {
    child.on('close', (code, signal) => resolve({ code: code ?? signal, ...outputs }));
  });
  return {
    ended,
    out: () => outputs.out,
    writeLine: (line) => void child.stdin?.write(`${line}\n`),
    kill: () => void child.kill('SIGKILL'),
    pid: child.pid ?? 0,
  };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => readIfStillThere(join(entry.parentPath, entry.name)));

/** Programs may delete files, such as uploaded segments of the spool, while the folder is read. */
function readIfStillThere(file: string): string[] {
  try {
    return [readFileSync(file, 'latin1')];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
