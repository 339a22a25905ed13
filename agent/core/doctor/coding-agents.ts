import { type AgentReport, problemsOf } from './agent-report.ts';
import { type Check, notChecked, ok, problem } from './check.ts';
import { toSentence } from './format.ts';

/** The settings of coding agents that the agent wrote or that device management delivered. */
export function checkCodingAgents(report: AgentReport | null): Check[] {
  const id = 'coding-agents';
  if (!report?.coding_agents)
    return [notChecked(id, 'Only a running agent knows which settings of coding agents it wrote.')];
  const { level, files } = report.coding_agents;
  const [why] = problemsOf(
    report,
    'coding agents',
    'recording key',
    'telemetry relay',
    'tool hooks',
    'tool socket',
  );
  const delivered = files.filter((file) => file.delivered);
  const written = files.filter((file) => !file.delivered);
  const seen = [
    written.length > 0 ? `The agent wrote ${listFiles(written)}.` : 'The agent wrote no settings.',
    ...(delivered.length > 0 ? [`Device management delivered ${listFiles(delivered)}.`] : []),
  ].join(' ');
  if (why !== undefined)
    return [
      problem(
        id,
        `Coding agents (${level}): ${toSentence(why)} ${seen}`,
        'IT',
        'See docs/coding-agents.md: the agent writes these files as root, and leaves settings of others alone.',
      ),
    ];
  return [
    ok(
      id,
      `Coding agents are ${level === 'off' ? 'not recorded' : `recorded (${level})`}. ${seen}`,
    ),
  ];
}

/** Lists each file once: one may be for telemetry and for checks of tool calls. */
const listFiles = (files: readonly { tool: string; path: string }[]): string =>
  [...new Set(files.map(({ tool, path }) => `${path} (${tool})`))].join(', ');
