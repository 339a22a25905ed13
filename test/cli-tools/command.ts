import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import buildPrograms from '../support/processes.ts';
import { hosts } from '../support/capture-world/clients.ts';
import type { Trust } from '../support/capture-world/files.ts';
import { secretOf } from '../support/capture-world/model-traffic.ts';
import { type CaptureWorld, startCaptureWorld } from '../support/capture-world/world.ts';
import { pollUntil } from '../support/processes.ts';
import { takeArguments } from '../support/take-arguments.ts';
import { answerText, TOKENS } from './answers.ts';
import { commandOf, type Tool, tools } from './tools.ts';

const usage = `usage: npm run cli-tools [-- FOLDER [NAME…]]

Runs AI command-line tools from npm, and tools and libraries from PyPI, on a device whose AI hosts are
captured, and prints what became of each. Linux, as root, with Python; needs the network once, to
install them in FOLDER, a new one unless said. Tools: ${tools.map(({ name }) => name).join(', ')}.`;

const [given, ...names] = takeArguments({ usage });
const unknown = names.find((one) => !tools.some(({ name }) => name === one));
if (unknown !== undefined) {
  console.error(`unknown tool: ${unknown}\n${usage}`);
  process.exit(2);
}
const installed = given ? resolve(given) : mkdtempSync(join(tmpdir(), 'gatehouse-tools-'));
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-work-'));
const tried = tools.filter(({ name }) => names.length === 0 || names.includes(name));
const on = {
  capture_enabled: true,
  intercept_hosts: [hosts.openai, hosts.anthropic, hosts.gemini],
};
const off = { capture_enabled: false };

/**
 * The number of failures after which a tool that does not accept the certificate is passed through.
 */
const MAX_FAILURES = 3;

mkdirSync(installed, { recursive: true });
install('npm', ['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error']);
install('PyPI', ['python/bin/pip', 'install', '--quiet', '--disable-pip-version-check'], () =>
  run(['python3', '-m', 'venv', 'python']),
);
await buildPrograms();
const world = await startCaptureWorld('test/cli-tools/upstreams.ts');
await world.startAgent();
let isGood = true;
try {
  for (const tool of tried) console.log(`${tool.package}: ${await lineOf(tool)}`);
  const leaked = tried.filter(({ name }) => world.agentOutputAndFiles().includes(secretOf(name)));
  report(leaked.length === 0, `secrets stored: ${leaked.length}`);
} finally {
  await world[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
  if (!given) rmSync(installed, { recursive: true, force: true });
}
process.exit(isGood ? 0 : 1);

function install(registry: Tool['registry'], command: string[], prepare?: () => void): void {
  const packages = tried.filter((tool) => tool.registry === registry).map((tool) => tool.package);
  if (packages.length === 0) return;
  prepare?.();
  run([...command, ...packages]);
}

function run([program = '', ...args]: string[]): void {
  execFileSync(program, args, { cwd: installed, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function lineOf(tool: Tool): Promise<string> {
  await world.setGuardConfig(off);
  const parts = [report(await works(tool, 'off', 'managed'), 'capture off')];
  await switchOn(world);
  parts.push(report(await works(tool, 'on', 'managed'), 'on'));
  parts.push(await seen(tool, 'on'));
  parts.push(report(await worksWhenSwitched(tool), 'switched off in the middle'));
  await switchOn(world);
  let failures = 0;
  while (failures <= MAX_FAILURES && !(await works(tool, `refuses${failures}`, 'public')))
    failures += 1;
  parts.push(report(failures <= MAX_FAILURES, `root not trusted (failed ${failures} times)`));
  return parts.join(', ');
}

function report(isRight: boolean, what: string): string {
  isGood &&= isRight;
  return `${isRight ? 'ok' : 'NOT OK'} ${what}`;
}

function markOf(tool: Tool, phase: string): string {
  return `mark-${tool.name}-${phase}`;
}

function start(tool: Tool, phase: string, trust: Trust, more = '') {
  const prompt =
    `Say ${markOf(tool, phase)}, whatever else I write. My key ${secretOf(tool.name)} ` +
    `does not work. ${more}`;
  return world.start(commandOf(tool, prompt, { installed, folder }), trust);
}

async function works(tool: Tool, phase: string, trust: Trust): Promise<boolean> {
  const { code, out, err } = await start(tool, phase, trust).ended;
  const isRight = code === 0 && out.includes(answerText(markOf(tool, phase)));
  if (!isRight)
    console.error(`${tool.name} ${phase}: ${code} ${out.slice(-500)} ${err.slice(-500)}`);
  return isRight;
}

async function worksWhenSwitched(tool: Tool): Promise<boolean> {
  const mark = markOf(tool, 'switched');
  const running = start(tool, 'switched', 'managed', 'And please hold.');
  await world.upstreams.waitForOutput(`holding: ${mark}`);
  await world.setGuardConfig(off);
  world.upstreams.child.kill('SIGUSR2');
  const { code, out } = await running.ended;
  return code === 0 && out.includes(answerText(mark));
}

/** Checks the capture as an administrator sees it: redacted, with the app and the run. */
async function seen(tool: Tool, phase: string): Promise<string> {
  const mark = answerText(markOf(tool, phase));
  const { captures, runs } = world.owner;
  const found = await pollUntil(
    async () => {
      const { results } = await captures.listCaptures({ query: { limit: 100 } });
      for (const { id } of results) {
        const one = await captures.getCapture({ params: { id } });
        if (one.response_body?.includes(mark) && one.run_id) return one;
      }
      return undefined;
    },
    (one) => one !== undefined,
  );
  if (!found) return report(false, 'seen');
  const run = await runs.getRun({ params: { id: String(found.run_id) } });
  const [call] = run.llm_calls;
  const isRedacted =
    found.request_body?.includes('##API_KEY##') === true &&
    !found.request_body.includes(secretOf(tool.name));
  return [
    report(found.app_id === tool.app, `app ${found.app_id ?? 'unknown'}`),
    report(isRedacted, 'redacted'),
    report(
      call?.model === tool.model && call.tokens_in === TOKENS.in && call.tokens_out === TOKENS.out,
      `${call?.model} ${call?.tokens_in}/${call?.tokens_out} tokens, $${call?.cost}`,
    ),
  ].join(', ');
}

async function switchOn({ setGuardConfig, readNftTable }: CaptureWorld): Promise<void> {
  await setGuardConfig(on);
  await pollUntil(readNftTable, (table) => table.includes('443 timeout'));
}
