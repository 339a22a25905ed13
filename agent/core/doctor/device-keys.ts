import type { AgentReport } from './agent-report.ts';
import { type Check, ok, problem } from './check.ts';
import { toSentence } from './format.ts';

const ID = 'device-keys';

/** Whether a copy of the state folder can act as this device on another computer. */
export function checkDeviceKeys(report: AgentReport | null): Check[] {
  const binding = report?.key_binding;
  if (binding?.state === 'bound')
    return [ok(ID, "The keys of this device are bound to this computer's TPM.")];
  if (binding?.state === 'not_bound')
    return [
      ok(
        ID,
        `Note: the keys of this device are kept in a file, not bound to this computer's TPM: ${toSentence(binding.reason)}`,
      ),
    ];
  if (binding?.state !== 'locked') return [];
  return [
    problem(
      ID,
      `The keys of this device are bound to this computer's TPM, which cannot be used now: ${toSentence(binding.reason ?? 'it has not responded yet')}`,
      'IT',
      'Switch the TPM on in the firmware, and install tpm2-tools; the agent tries again by itself.',
    ),
  ];
}
