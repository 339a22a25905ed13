import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { takeArguments } from '../support/take-arguments.ts';
import { codingAgents } from './agents.ts';

const usage = `usage: npm run coding-agents [-- FOLDER [NAME…]]

Runs coding agents from npm with the settings and hooks that the Gatehouse agent writes, against
stand-ins of the providers, and prints what a control plane knows of each, and whether a policy holds.
Linux, as root, with curl; needs the network once, to install them in FOLDER, a new one unless said.
Coding agents: ${codingAgents.map(({ name }) => name).join(', ')}.`;

const [given, ...names] = takeArguments({ usage });
const unknown = names.find((one) => !codingAgents.some(({ name }) => name === one));
if (unknown !== undefined) {
  console.error(`unknown coding agent: ${unknown}\n${usage}`);
  process.exit(2);
}
const tried = codingAgents.filter(({ name, arch = process.arch }) =>
  names.length === 0 ? arch === process.arch : names.includes(name),
);
const installed = given ? resolve(given) : mkdtempSync(join(tmpdir(), 'gatehouse-agents-'));
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-device-'));
mkdirSync(installed, { recursive: true });
const install = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
execFileSync('npm', [...install, ...tried.map((agent) => agent.package)], {
  cwd: installed,
  stdio: ['ignore', 'ignore', 'inherit'],
});

/**
 * The prefix of a command with a network namespace that has only loopback, and with a copy of
 * `/etc` that the Gatehouse agent writes and the coding agents read.
 */
const APART = [
  'ip link set lo up',
  'cp -a /etc "$1/etc"',
  'mount --bind "$1/etc" /etc',
  'shift',
  'exec "$@"',
].join(' && ');
const program = join(import.meta.dirname, 'on-device.ts');
const { status } = spawnSync(
  'unshare',
  ['--net', '--mount', 'sh', '-c', APART, 'sh', folder].concat(
    [process.execPath, program, installed, folder],
    tried.map(({ name }) => name),
  ),
  { stdio: 'inherit' },
);
rmSync(folder, { recursive: true, force: true });
if (!given) rmSync(installed, { recursive: true, force: true });
process.exit(status ?? 1);
