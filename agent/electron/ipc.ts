import { app, ipcMain } from 'electron';
import { z } from 'zod';
import type { Log } from '#agent/node/log.ts';
import { describeIssues } from '#contract/errors.ts';
import type { AgentRuntime } from '#agent/node/runtime.ts';
import { type IpcRequests, ipcRequests, type SentExchange, type StatusMessage } from './bridge.ts';
import { encodeStatus, isUploaded } from './status-message.ts';
import type { StatusWindow } from './status-window.ts';

const noArguments = z.tuple([]);

/** What may come with each question. */
const given: { [Q in keyof IpcRequests]: z.ZodType<IpcRequests[Q]['given']> } = {
  status: noArguments,
  about: noArguments,
  exchange: z.tuple([z.string().min(1).max(64)]),
  pause: noArguments,
  resume: noArguments,
};

type IpcHandlers = {
  [Q in keyof IpcRequests]: (...given: IpcRequests[Q]['given']) => IpcRequests[Q]['answer'];
};

/** Answers requests of the window and sends it changes. Refuses all other senders. */
export function setupIpc(agent: AgentRuntime, window: StatusWindow, log: Log): void {
  const answers: IpcHandlers = {
    status: () => readStatus(agent),
    about: () => ({ name: app.getName(), version: app.getVersion(), locale: app.getLocale() }),
    exchange: (id) => readExchange(agent, id),
    pause: () => agent.pause(),
    resume: () => {
      agent.resume();
      return agent.status().pause.until !== null;
    },
  };
  // oxlint-disable-next-line no-unnecessary-type-parameters -- ties what is given to the answer
  const listen = <Q extends keyof IpcRequests>(question: Q): void =>
    ipcMain.handle(ipcRequests[question], (event, ...values: unknown[]) => {
      if (!window.owns(event.senderFrame))
        throw new Error('refused: the sender is not the window of this app');
      const read = given[question].safeParse(values);
      if (!read.success)
        throw new Error(`refused: ${question}: ${describeIssues(read.error, 'given')}`);
      return answers[question](...read.data);
    });
  for (const question of Object.keys(answers) as (keyof IpcRequests)[]) listen(question);

  agent.onStatus((status) => {
    if (!window.isOpen()) return;
    const encoded = encodeStatus(status);
    if ('error' in encoded) log.error(`window: ${encoded.error}`);
    else window.send(encoded.message);
  });
}

function readStatus(agent: AgentRuntime): StatusMessage {
  const encoded = encodeStatus(agent.status());
  if ('error' in encoded) throw new Error(encoded.error);
  return encoded.message;
}

function readExchange(agent: AgentRuntime, id: string): SentExchange | null {
  const exchange = agent.exchange(id);
  if (exchange !== null && !isUploaded(exchange))
    throw new Error('exchange: does not match the upload format');
  return exchange;
}
