import { expect, test } from 'vitest';
import type { ToolCheckMode } from '#contract/guard.ts';
import type { CompiledPolicy, ToolCall, ToolVerdict } from '#contract/tool-checks.ts';
import { createToolChecks } from './tool-checks.ts';

const blocksRm: CompiledPolicy = {
  decides: 'tools',
  id: 'pol_1',
  name: 'No rm',
  rules: { allowed_tools: [], blocked_tools: ['rm'], action_on_violation: 'block' },
};
const asksForDeploy: CompiledPolicy = {
  decides: 'control-plane',
  id: 'pol_2',
  name: 'Ask',
  tools: ['deploy'],
};
const call = (tool: string): ToolCall => ({
  client: 'codex',
  tool,
  mcp_server: null,
  session: null,
  user: 'grace',
});

function checksWith(mode: ToolCheckMode, policies: CompiledPolicy[] | null, answer?: ToolVerdict) {
  const seen = { reported: [] as string[], askVerdict: [] as string[], reached: [] as boolean[] };
  const checks = createToolChecks({
    mode: () => mode,
    policiesOf: () => policies,
    requestVerdict: async ({ tool }) => {
      seen.askVerdict.push(tool);
      return answer ?? null;
    },
    report: ({ tool }) => void seen.reported.push(tool),
    onReached: (reached) => void seen.reached.push(reached),
  });
  return { ...checks, seen };
}
const decisionsOf = async ({ decide }: Pick<ReturnType<typeof checksWith>, 'decide'>) => [
  (await decide(call('rm'))).decision,
  (await decide(call('ls'))).decision,
  (await decide(call('deploy'))).decision,
];
const policies = [blocksRm, asksForDeploy];
const askVerdict: ToolVerdict = { decision: 'ask', policy: 'Ask', reason: 'needs approval' };

test("calls that the device's policies decide are reported, and others are sent to the control plane", async () => {
  const checks = checksWith('open', policies, askVerdict);
  expect(await decisionsOf(checks)).toEqual(['deny', 'allow', 'ask']);
  expect(checks.seen).toEqual({ reported: ['rm', 'ls'], askVerdict: ['deploy'], reached: [true] });
});

test.each([
  ['open', ['deny', 'allow', 'allow']],
  ['closed', ['deny', 'allow', 'deny']],
] as const)('%s: decisions while the control plane is unavailable', async (mode, decisions) => {
  const checks = checksWith(mode, policies);
  expect(await decisionsOf(checks)).toEqual(decisions);
  expect(checks.seen).toMatchObject({ reported: ['rm', 'ls', 'deploy'], reached: [false] });
});

test.each([
  ['open', 'allow'],
  ['closed', 'deny'],
] as const)(
  '%s: a device without policies asks the control plane about every call',
  async (mode, decision) => {
    const checks = checksWith(mode, null);
    expect(await decisionsOf(checks)).toEqual([decision, decision, decision]);
    expect(checks.seen.askVerdict).toEqual(['rm', 'ls', 'deploy']);
  },
);

test('off: nothing is refused, checked or reported', async () => {
  const checks = checksWith('off', policies, askVerdict);
  expect(await decisionsOf(checks)).toEqual(['allow', 'allow', 'allow']);
  expect(checks.seen).toEqual({ reported: [], askVerdict: [], reached: [] });
  expect(checks.filterRefused([call('rm')])).toEqual([]);
});

test('the listed tools that policies on the device refuse are returned', () => {
  const { filterRefused, seen } = checksWith('open', policies);
  expect(filterRefused(['rm', 'ls', 'deploy'].map(call))).toEqual(['rm']);
  expect(seen.reported).toEqual([]);
});
