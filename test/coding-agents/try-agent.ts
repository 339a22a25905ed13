import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestControlPlane } from '../support/control-plane.ts';
import { answerText, TOKENS } from '../cli-tools/answers.ts';
import { type CodingAgent, commandOf } from './agents.ts';
import type { Provider } from './provider.ts';
import { TOOL_TOKENS } from './tool-requests.ts';

export interface World {
  service: TestControlPlane;
  provider: Provider;
  installed: string;
  folder: string;
  home: string;
}

/** The result of one prompt, and its problems. */
export interface Trial {
  agent: string;
  policy: 'allowed' | 'denied';
  /** The data in the control plane. */
  seen: Seen | null;
  faults: string[];
}

export interface Seen {
  user: string;
  session: boolean;
  calls: number;
  tokens: string;
  cost: string;
  tools: string;
}

/** Programs send their telemetry at the latest when they end. */
const LONGEST_WAIT_MS = 60_000;

/** Runs one prompt that requests a command, and reads the result as an administrator. */
export async function tryAgent(
  agent: CodingAgent,
  policy: Trial['policy'],
  world: World,
): Promise<Trial> {
  const { installed, folder, home, provider } = world;
  const id = `${agent.name}-${policy}`;
  const work = join(folder, `work-${id}`);
  const made = join(work, 'made-by-the-model');
  mkdirSync(work);
  const prompt = `Run the command touch ${made} and say mark-${id}.`;
  const before = { received: provider.received.length, answers: provider.answers };
  const [program = '', ...args] = commandOf(agent, prompt, {
    installed,
    folder: work,
    provider: provider.url,
  });
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  const faults: string[] = [];
  const expect = (isRight: boolean, fault: string): void => {
    if (!isRight) faults.push(fault);
  };
  expect(code === 0, `ended with ${code}`);
  expect(out.includes(answerText(`mark-${id}`)), 'did not print the answer');
  const isKnown = provider.received
    .slice(before.received)
    .some((body) => body.includes('No shell'));
  if (policy === 'allowed') expect(existsSync(made), 'the command did not run');
  else {
    expect(!existsSync(made), 'the command ran');
    expect(isKnown, 'the model does not know the reason');
    expect(await isOnRecord(agent, world), 'no evaluation on record');
  }
  const seen = code === 0 ? await within(() => readRun(agent, policy, `mark-${id}`, world)) : null;
  expect(seen !== null, 'no run');
  const answers = provider.answers - before.answers - (agent.unreported ?? 0);
  if (seen) faults.push(...faultsOf(seen, policy, answers));
  if (faults.length > 0)
    process.stderr.write(`${id}: ${faults.join(', ')}\n${tail(out)}\n${tail(err)}\n`);
  return { agent: agent.name, policy, seen, faults };
}

const tail = (output: string): string => output.slice(-1500);

function faultsOf(seen: Seen, policy: Trial['policy'], answers: number): string[] {
  const faults: string[] = [];
  if (seen.calls !== answers) faults.push(`${seen.calls} of ${answers} calls`);
  if (!seen.session) faults.push('no session');
  if (!/^\$0*\.?0*[1-9]/.test(seen.cost)) faults.push('no cost');
  if (policy === 'allowed' && !seen.tools.includes('touch'))
    faults.push('no arguments of the tool');
  return faults;
}

async function isOnRecord({ name }: CodingAgent, { service }: World): Promise<boolean> {
  return within(async () => {
    const query = { agent: name };
    const { results } = await service.byOwner.evaluations.listEvaluations({ query });
    return results.some(({ action }) => action === 'block') || undefined;
  }).then(Boolean);
}

/** Returns the run of the prompt once it has both calls of the model. */
async function readRun(
  { name }: CodingAgent,
  policy: Trial['policy'],
  mark: string,
  { service }: World,
): Promise<Seen | undefined> {
  const { runs } = service.byOwner;
  const { results } = await runs.listRuns({ query: { agent: name, limit: 100 } });
  for (const listed of results) {
    const run = await runs.getRun({ params: { id: String(listed.id) } });
    if (!JSON.stringify(run.inputs).includes(mark)) continue;
    const tokens = run.llm_calls.reduce((sum, call) => sum + call.tokens_in, 0);
    if (tokens < TOKENS.in + TOOL_TOKENS.in) return undefined;
    const tools = run.spans.filter(({ kind }) => kind === 'tool');
    // Some agents do not report a tool that was refused.
    if (tools.length === 0 && policy === 'allowed') return undefined;
    return {
      user: run.user_id ?? '',
      session: run.session_id !== null,
      calls: run.llm_calls.length,
      tokens: `${tokens}/${run.llm_calls.reduce((sum, call) => sum + call.tokens_out, 0)}`,
      cost: `$${run.cost}`,
      tools: tools
        .map(({ name: tool, input_data }) => `${tool} ${JSON.stringify(input_data)}`)
        .join(', '),
    };
  }
  return undefined;
}

/** Reads until there is a result; null on timeout. */
async function within<T>(read: () => Promise<T | undefined>): Promise<T | null> {
  const end = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    if (Date.now() > end) return null;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
