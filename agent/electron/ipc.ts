import { app, ipcMain } from 'electron';
import type { Log } from '#agent/node/log.ts';
import type { AgentRuntime } from '#agent/node/runtime.ts';
import { type Answers, questions, type StatusMessage } from './bridge.ts';
import { encodeStatus } from './status-message.ts';
import type { StatusWindow } from './status-window.ts';

/** Answers the window's questions and tells it of changes. Nobody else is answered. */
export function setupIpc(agent: AgentRuntime, window: StatusWindow, log: Log): void {
  const answers: { [Q in keyof Answers]: () => Answers[Q] } = {
    status: () => readStatus(agent),
    about: () => ({ name: app.getName(), version: app.getVersion() }),
  };
  for (const question of Object.keys(answers) as (keyof Answers)[])
    ipcMain.handle(questions[question], (event, ...given: unknown[]) => {
      if (!window.owns(event.senderFrame)) throw new Error('refused: not the window of this app');
      if (given.length > 0) throw new Error('refused: this question takes nothing');
      return answers[question]();
    });

  agent.onStatus((status) => {
    if (!window.isOpen()) return;
    const encoded = encodeStatus(status);
    if ('error' in encoded) log.error(`window: ${encoded.error}`);
    else window.tell(encoded.message);
  });
}

function readStatus(agent: AgentRuntime): StatusMessage {
  const encoded = encodeStatus(agent.status());
  if ('error' in encoded) throw new Error(encoded.error);
  return encoded.message;
}
