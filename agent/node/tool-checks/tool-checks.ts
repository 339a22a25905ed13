import type { ToolCheckMode } from '#contract/guard.ts';
import type { CompiledPolicy, ToolCall, ToolVerdict } from '#contract/tool-checks.ts';
import { ALLOWED, decideTool } from '#domain/tool-policies/decide-tool.ts';

export interface ToolCheckOptions {
  mode: () => ToolCheckMode;
  /** Returns the policies for a client; null if this device has none yet. */
  policiesOf: (client: string) => readonly CompiledPolicy[] | null;
  /** Requests a decision of the control plane; null if it does not respond in time. */
  requestVerdict: (call: ToolCall) => Promise<ToolVerdict | null>;
  /** Reports a call that the control plane has not seen. */
  report: (call: ToolCall) => void;
  /** Called after each request for a decision, with whether the control plane responded. */
  onReached: (reached: boolean) => void;
}

export interface ToolChecks {
  decide: (call: ToolCall) => Promise<ToolVerdict>;
  /** Returns the tools that the policies on this device refuse. Records nothing. */
  filterRefused: (calls: readonly ToolCall[]) => string[];
}

const UNREACHABLE: ToolVerdict = {
  decision: 'deny',
  policy: null,
  reason: 'the control plane cannot be reached to decide about this tool',
};

/** Decides tool calls with the policies on this device, else by asking the control plane. */
export function createToolChecks(options: ToolCheckOptions): ToolChecks {
  const { mode, policiesOf, requestVerdict, report, onReached } = options;

  const decideOnDevice = (call: ToolCall): ToolVerdict | null => {
    const policies = policiesOf(call.client);
    return policies && decideTool(policies, call);
  };
  return {
    decide: async (call) => {
      const current = mode();
      if (current === 'off') return ALLOWED;
      const here = decideOnDevice(call);
      if (here) {
        report(call);
        return here;
      }
      const verdict = await requestVerdict(call);
      onReached(verdict !== null);
      if (verdict) return verdict;
      report(call);
      return current === 'open' ? ALLOWED : UNREACHABLE;
    },
    filterRefused: (calls) =>
      mode() === 'off'
        ? []
        : calls.filter((call) => decideOnDevice(call)?.decision === 'deny').map(({ tool }) => tool),
  };
}
