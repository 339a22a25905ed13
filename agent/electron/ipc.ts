import { app, ipcMain } from 'electron';
import { z } from 'zod';
import type { Log } from '#agent/node/log.ts';
import { describeIssues } from '#contract/errors.ts';
import type { AgentRuntime } from '#agent/node/start-agent.ts';
import { type IpcRequests, ipcRequests, type SentExchange, type StatusMessage } from './bridge.ts';
import { encodeStatus, isUploaded } from './status-message.ts';
import type { StatusWindow } from './status-window.ts';

const noArguments = z.tuple([]);

/** The schemas of the parameters. */
const parameters: { [R in keyof IpcRequests]: z.ZodType<IpcRequests[R]['parameters']> } = {
  status: noArguments,
  about: noArguments,
  exchange: z.tuple([z.string().min(1).max(64)]),
  pause: noArguments,
  resume: noArguments,
};

type IpcHandlers = {
  [R in keyof IpcRequests]: (
    ...parameters: IpcRequests[R]['parameters']
  ) => IpcRequests[R]['response'];
};

/** Handles the requests of the window and sends it changes. All other senders are refused. */
export function setupIpc(agent: AgentRuntime, window: StatusWindow, log: Log): void {
  const handlers: IpcHandlers = {
    status: () => readStatus(agent),
    about: () => ({ name: app.getName(), version: app.getVersion(), locale: app.getLocale() }),
    exchange: (id) => readExchange(agent, id),
    pause: () => agent.pause(),
    resume: () => {
      agent.resume();
      return agent.status().pause.until !== null;
    },
  };
  // oxlint-disable-next-line no-unnecessary-type-parameters -- relates the parameters to the response
  const handle = <R extends keyof IpcRequests>(name: R): void =>
    ipcMain.handle(ipcRequests[name], (event, ...values: unknown[]) => {
      if (!window.owns(event.senderFrame))
        throw new Error('refused: the sender is not the window of this app');
      const read = parameters[name].safeParse(values);
      if (!read.success)
        throw new Error(`refused: ${name}: ${describeIssues(read.error, 'parameters')}`);
      return handlers[name](...read.data);
    });
  for (const name of Object.keys(handlers) as (keyof IpcRequests)[]) handle(name);

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
