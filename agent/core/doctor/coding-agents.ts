import { type AgentReport, problemsOf } from './agent-report.ts';
import { type Check, notChecked, ok, problem } from './check.ts';
import { toSentence } from './format.ts';

/** The settings files of coding agents that the agent has written. */
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
  const listed = files.map(({ tool, path }) => `${path} (${tool})`).join(', ');
  const seen = files.length > 0 ? `The agent wrote ${listed}.` : 'The agent wrote no settings.';
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
