import type { AgentConfig } from '#agent/config.ts';
import { problemsIn, writeJson, writePage } from '#agent/core/doctor/page.ts';
import { examine } from './examine.ts';

const usage = 'usage: doctor [--json]';

export interface DoctorRun {
  /** 0: no problem was found. 1: at least one. 2: the command was not understood. */
  code: 0 | 1 | 2;
  output: string;
}

/** `doctor` as a command: examines this computer, and answers what to print. */
export async function runDoctor(config: AgentConfig, args: readonly string[]): Promise<DoctorRun> {
  if (args.some((arg) => arg !== '--json')) return { code: 2, output: `${usage}\n` };
  const at = Date.now();
  const checks = await examine({ config });
  const write = args.includes('--json') ? writeJson : writePage;
  return { code: problemsIn(checks).length > 0 ? 1 : 0, output: write({ at, checks }) };
}
