import { flowOf } from '#test/support/device-reports.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/time-units.ts';
import { pseudoRandom } from './pseudo-random.ts';

/** What the sample devices have, with the hosts that each program connects to. */
const programs = {
  claude: { app_id: 'claude-code', hosts: ['api.anthropic.com', 'mcp.sentry.dev'] },
  codex: { app_id: 'codex', hosts: ['chatgpt.com', 'api.openai.com'] },
  aider: { app_id: 'aider', hosts: ['api.openai.com', 'api.deepseek.com'] },
  opencode: { app_id: 'opencode', hosts: ['openrouter.ai', 'api.groq.com'] },
} as const;

export type SampleProgram = keyof typeof programs;

const PER_PROGRAM = 14;
const WORKDAY_MINUTES = 9 * 60;

/** The connections of one program on one device in the hours before; the last one is still open. */
export function sampleFlows(user: string, process: SampleProgram, now: number) {
  const { app_id, hosts } = programs[process];
  const seed = Buffer.from(user + process).reduce((sum, byte) => sum + byte, 0);
  return Array.from({ length: PER_PROGRAM }, (_, nth) => {
    const random = (of: number, most: number) =>
      pseudoRandom(seed * 31 + nth * 389 + of * 1733, most);
    const isLast = nth === PER_PROGRAM - 1;
    const started = now - (isLast ? MINUTE_MS : MINUTE_MS * (3 + random(1, WORKDAY_MINUTES)));
    const lasted = SECOND_MS * (2 + random(2, 100));
    return flowOf(`sample-${process}-${nth}`, {
      app_id,
      process,
      path: `/usr/local/bin/${process}`,
      pid: 2000 + (seed % 100) * 31 + random(3, 3),
      user,
      host: hosts[random(4, 10) < 8 ? 0 : 1],
      address: `203.0.113.${1 + random(5, 200)}`,
      started_at: new Date(started).toISOString(),
      ended_at: isLast ? null : new Date(started + lasted).toISOString(),
      bytes_in: 4000 + random(6, 9973) * 37,
      bytes_out: 2000 + random(7, 9973) * 11,
    });
  });
}
