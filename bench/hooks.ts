/**
 * Measures the cost of a hook before each tool call of a coding agent: the curl command that the
 * agent writes, its Node command, and the decision alone, and of a hook that records an event of
 * Cursor, compared with the bare start of a shell and of Node, alternating.
 *
 * hooks.ts [ROUNDS]     rounds of one process each; default 300
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'plist';
import { hookCommand } from '#domain/coding-agents/hook-command.ts';
import { cursorRecordCommand } from '#agent/core/coding-agents/cursor-record-command.ts';
import { hookSamples } from '#agent/core/tool-checks/testing/hook-samples.ts';
import { noCapture, startTestControlPlane } from '#agent/node/testing/control-plane.ts';
import { requestFromAgent } from '#agent/node/tool-checks/agent-client.ts';
import { pollUntil, root, startProgram } from '#test/support/processes.ts';
import { percentile } from './support/load.ts';
import { type Row, writeSection } from './support/report.ts';

const ROUNDS = Number(process.argv[2] ?? 300);
const DECISIONS = 5000;
const NAMES_LISTED = 200;

const plane = await startTestControlPlane();
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const socket = join(folder, 'state/tools.sock');
const blocked_tools = Array.from({ length: NAMES_LISTED }, (_, index) => `mcp:server-${index}:*`);
plane.config = { ...noCapture, version: 2, tool_checks: 'open', coding_agents: 'tools' };
plane.toolPolicies = {
  clients: {
    'claude-code': {
      agent: 'claude-code',
      policies: [
        {
          decides: 'tools',
          id: 'pol_1',
          name: 'Tools',
          rules: { allowed_tools: [], blocked_tools, action_on_violation: 'block' },
        },
      ],
    },
  },
};
mkdirSync(join(folder, 'home'));
writeFileSync(join(folder, 'roots.pem'), plane.root.certificatePem);
writeFileSync(
  join(folder, 'managed.plist'),
  build({ api_url: plane.url(), api_key: plane.apiKey }),
);
const env = {
  HOME: join(folder, 'home'),
  MANAGED_PREFERENCES: join(folder, 'managed.plist'),
  AGENT_TRUSTED_ROOTS: join(folder, 'roots.pem'),
  AGENT_STATE_DIR: join(folder, 'state'),
  AGENT_HARDWARE_ID: 'machine-of-the-bench',
  AGENT_HEARTBEAT_SECONDS: '0.5',
  AGENT_PROXY_PORT: 'off',
};
const agent = startProgram('agent/headless.ts', env);
await pollUntil(
  () => {
    try {
      return readFileSync(join(folder, 'state/tool-policies.json'), 'utf8');
    } catch {
      return '';
    }
  },
  (text) => text.includes('Tools'),
);

const event = JSON.stringify(hookSamples[0]?.event);
const hook = hookCommand('claude-code', { socket, failMode: 'closed' });
const recorded = JSON.stringify({
  hook_event_name: 'postToolUse',
  conversation_id: '6d0f6f2e-3f0c-4c55-9a3e-0d7a1f6f9c11',
  generation_id: '0b9f6c1e-5d1c-4c56-9a3e-1f2d3c4b5a69',
  tool_name: 'Shell',
  tool_input: { command: 'npm test' },
  tool_output: 'x'.repeat(4000),
  tool_use_id: 'tool_1',
});

/**
 * Runs a process with an event on its input. Returns the milliseconds from its start to its end.
 */
async function timeOf({ command: [program, args], input = event }: Arm): Promise<number> {
  const started = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...env, PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} exited with ${code}`);
  return performance.now() - started;
}

interface Arm {
  what: string;
  goal: string;
  command: readonly [program: string, args: readonly string[]];
  /** Without it, an event before a tool call. */
  input?: string;
  /** The interval in rounds at which the arm runs. */
  every: number;
}

const arms: readonly Arm[] = [
  {
    what: 'the hook that the agent installs (sh, curl)',
    goal: '',
    command: ['/bin/sh', ['-c', hook]],
    every: 1,
  },
  {
    what: 'the hook that records an event of Cursor (sh, curl)',
    goal: '',
    command: ['/bin/sh', ['-c', cursorRecordCommand(socket)]],
    input: recorded,
    every: 1,
  },
  {
    what: 'for comparison: `node -e 0`',
    goal: '',
    command: [process.execPath, ['-e', '0']],
    every: 1,
  },
  { what: 'for comparison: `sh -c :`', goal: '', command: ['/bin/sh', ['-c', ':']], every: 1 },
  {
    what: 'the command in Node (`hook claude-code`)',
    goal: '',
    command: [process.execPath, ['agent/headless.ts', 'hook', 'claude-code', '--closed']],
    // In this bench, the command runs from TypeScript, which takes most of the time.
    every: 10,
  },
];

const times = arms.map((): number[] => []);
for (const arm of arms) await timeOf(arm);
for (let round = 0; round < ROUNDS; round += 1)
  for (const [index, arm] of arms.entries())
    if (round % arm.every === 0) times[index]?.push(await timeOf(arm));

const decisions: number[] = [];
for (let index = 0; index < DECISIONS; index += 1) {
  const started = performance.now();
  const reply = await requestFromAgent(socket, '/hook/claude-code', event, 1000);
  if (reply?.status !== 200) throw new Error(`the agent answered ${reply?.status}`);
  decisions.push(performance.now() - started);
}
await agent.stop();
await plane.stop();
rmSync(folder, { recursive: true, force: true });

const rowOf = (what: string, measured: number[], goal: string): Row => {
  const sorted = measured.toSorted((a, b) => a - b);
  const [p50, p99] = [50, 99].map((p) => `${percentile(sorted, p).toFixed(1)} ms`);
  return [what, p50 ?? '', p99 ?? '', goal];
};
writeSection(
  'hooks',
  ['what', 'p50', 'p99', 'goal'],
  [
    rowOf('decision only, one connection each', decisions, '< 30 ms at p99'),
    ...arms.map(({ what, goal }, index) => rowOf(what, times[index] ?? [], goal)),
  ],
  `${ROUNDS} processes of each kind, alternating (a tenth as many of the command in Node); ${DECISIONS} decisions. The device decides by a list of ${NAMES_LISTED} names and reports the calls afterwards. Load average at the end: ${loadavg()[0]?.toFixed(0)}. The command in Node runs from TypeScript sources.`,
);
