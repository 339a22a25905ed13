import { type AgentReport, problemsOf } from './agent-report.ts';
import { type Check, notChecked, ok, problem } from './check.ts';
import { formatTime, toSentence } from './format.ts';

export interface ConfigurationFacts {
  report: AgentReport | null;
  /** The version on disk. */
  stored: number | null;
  isEnrolled: boolean;
}

/** Whether the latest configuration is applied, and whether changes arrive at once. */
export const checkConfiguration = (facts: ConfigurationFacts): Check[] => [
  checkVersion(facts),
  checkChannel(facts),
];

function checkVersion({ report, stored }: ConfigurationFacts): Check {
  const id = 'configuration';
  const version = report?.applied ?? stored;
  if (version === null) return notChecked(id, 'A configuration comes with the enrollment.');
  if (!report)
    return notChecked(
      id,
      `Version ${version} of the configuration is stored; only a running agent knows the latest.`,
    );
  const { wanted } = report;
  const [why] = problemsOf(report, 'configuration', 'renewal');
  if (wanted !== null && wanted !== version)
    return problem(
      id,
      `Version ${version} of the configuration is in force, and the control plane wants ${wanted}${why ? `: ${toSentence(why)}` : '.'}`,
      'IT',
      'Fix the problems above; if there are none, restart the agent and send its log to support.',
    );
  if (why !== undefined)
    return problem(
      id,
      `The configuration ${toSentence(why)}`,
      'IT',
      'Fix the problems above; if there are none, restart the agent and send its log to support.',
    );
  const latest = wanted === null ? '' : ', the one that the control plane wants';
  return ok(id, `Version ${version} of the configuration is in force${latest}.`);
}

function checkChannel({ report, isEnrolled }: ConfigurationFacts): Check {
  const id = 'channel';
  if (!report) return notChecked(id, 'The channel is open only while an agent runs.');
  if (report.connected_since !== null)
    return ok(
      id,
      `The channel to the control plane has been open since ${formatTime(report.connected_since)}: changes arrive at once.`,
    );
  if (!isEnrolled) return notChecked(id, 'The channel opens once this computer is enrolled.');
  const [unreachable] = problemsOf(report, 'control plane');
  if (unreachable !== undefined)
    return problem(
      id,
      `The agent has no connection to the control plane: ${toSentence(unreachable)}`,
      'IT',
      'Fix the problems above. If there are none, restart the agent: it reads the trusted certificates of the system when it starts.',
    );
  const [why] = problemsOf(report, 'channel');
  return problem(
    id,
    `The channel (a WebSocket) to the control plane is closed${why ? `: ${toSentence(why)}` : '.'} Changes arrive with the next heartbeat instead.`,
    'IT',
    'Let WebSockets pass in every proxy and firewall between this computer and the control plane.',
  );
}
