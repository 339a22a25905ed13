import type { AgentConfig } from '#agent/config.ts';
import { problemsIn, writeJson, writePage } from '#agent/core/doctor/page.ts';
import { examine } from './examine.ts';

export interface DoctorRun {
  /** 0: no problem was found. 1: at least one. */
  code: 0 | 1;
  output: string;
}

/** Examines this computer, and answers what to print. */
export async function runDoctor(
  config: AgentConfig,
  { json }: { json: boolean },
): Promise<DoctorRun> {
  const at = Date.now();
  const checks = await examine({ config });
  const write = json ? writeJson : writePage;
  return { code: problemsIn(checks).length > 0 ? 1 : 0, output: write({ at, checks }) };
}
