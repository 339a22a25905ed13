import type { AgentReport } from './agent-report.ts';
import { type Check, notChecked, ok, problem, sudoAdvice } from './check.ts';
import { formatTime } from './format.ts';

export interface RunningFacts {
  os: string;
  stateDir: string;
  /** The process that holds the lock of the state folder. */
  holder: number | null;
  /** Its response on the report socket; `private`: another user owns the socket. */
  report: AgentReport | 'private' | 'no answer' | null;
  /** The version of the installed agent. */
  version: string;
}

const startCommand: Record<string, string> = {
  macos: 'Open the app, or log out and in again.',
  linux: 'Start its service, with systemctl for example, or the app.',
};

/** Whether an agent runs, responds, and is the installed one. */
export function checkRunning(facts: RunningFacts): Check[] {
  const id = 'agent';
  const { holder, report, stateDir, version, os } = facts;
  if (report === 'private')
    return [
      notChecked(id, `Only the owner of ${stateDir} can see whether an agent uses it.`, sudoAdvice),
    ];
  if (holder === null)
    return [
      problem(
        id,
        `No agent that uses ${stateDir} is running.`,
        'user',
        startCommand[os] ?? 'Start the agent.',
      ),
    ];
  if (report === null || report === 'no answer')
    return [
      problem(
        id,
        `The agent (process ${holder}) does not answer.`,
        'user',
        `End process ${holder} and start the agent again; if that happens again, send its log to support.`,
      ),
    ];
  if (report.version !== version)
    return [
      problem(
        id,
        `The agent that runs (process ${holder}) is version ${report.version}, and ${version} is installed.`,
        'user',
        'Restart the agent, or this computer.',
      ),
    ];
  return [
    ok(
      id,
      `The agent runs: process ${holder}, version ${version}, since ${formatTime(report.started_at)}.`,
    ),
  ];
}
