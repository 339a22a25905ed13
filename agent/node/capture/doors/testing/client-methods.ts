import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { readAnswer } from './banner.ts';

const open = new Map<number, Socket>();

/** Who answers there: `server`, `agent`, or an error's code. */
async function whoAnswers(host: string, port: number): Promise<string> {
  const socket = connect(port, host);
  try {
    return await readAnswer(socket);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    socket.destroy();
  }
}

/** The same for a connection that stays; its number is for `echo`. */
async function openTo(host: string): Promise<{ who: string; number: number }> {
  const socket = connect(443, host).on('error', () => undefined);
  const who = await readAnswer(socket);
  open.set(open.size, socket);
  return { who, number: open.size - 1 };
}

async function echo(number: number, text: string): Promise<string> {
  const socket = open.get(number);
  if (!socket) throw new Error('no such connection');
  if (socket.destroyed) return 'closed';
  socket.write(text);
  const data = once(socket.resume(), 'data').then(([chunk]) => String(chunk));
  return Promise.race([data, once(socket, 'close').then(() => 'closed')]);
}

/** Answers the text that comes back, or the code of the error that does. */
async function sendUdp(host: string): Promise<string> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.connect(443, host);
  await once(socket, 'connect');
  socket.send('hello', () => undefined); // the error that counts is the one that comes back
  try {
    return String((await once(socket, 'message'))[0]);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    socket.close();
  }
}

/** Says nothing, and waits for the connection to end. */
async function untilClosed(number: number): Promise<void> {
  const socket = open.get(number)?.resume();
  if (socket && !socket.destroyed) await once(socket, 'close');
}

/** What a client on the device, or the agent as a client, can be asked to do. */
export const clientMethods = {
  whoAnswers,
  openTo,
  echo,
  sendUdp,
  untilClosed,
  close: (number: number) => void open.get(number)?.destroy(),
};
