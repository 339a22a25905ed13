import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { readBanner } from './banner.ts';

const connections = new Map<number, Socket>();

/** Returns who responds: `server`, `agent`, or an error code. */
async function bannerOf(host: string, port: number): Promise<string> {
  const socket = connect(port, host);
  try {
    return await readBanner(socket);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    socket.destroy();
  }
}

/** Opens a connection that stays open; its number is for `echo`. */
async function openConnection(host: string): Promise<{ who: string; number: number }> {
  const socket = connect(443, host).on('error', () => undefined);
  const who = await readBanner(socket);
  connections.set(connections.size, socket);
  return { who, number: connections.size - 1 };
}

async function echo(number: number, text: string): Promise<string> {
  const socket = connections.get(number);
  if (!socket) throw new Error('no such connection');
  if (socket.destroyed) return 'closed';
  socket.write(text);
  const data = once(socket.resume(), 'data').then(([chunk]) => String(chunk));
  return Promise.race([data, once(socket, 'close').then(() => 'closed')]);
}

/** Returns the text of the response, or the code of the error. */
async function sendUdp(host: string): Promise<string> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.connect(443, host);
  await once(socket, 'connect');
  socket.send('hello', () => undefined); // only the returned error counts
  try {
    return String((await once(socket, 'message'))[0]);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    socket.close();
  }
}

/** Sends nothing, and waits for the connection to end. */
async function untilClosed(number: number): Promise<void> {
  const socket = connections.get(number)?.resume();
  if (socket && !socket.destroyed) await once(socket, 'close');
}

/** The methods of a client on the device, or of the agent as a client. */
export const clientMethods = {
  whoAnswers: bannerOf,
  openTo: openConnection,
  echo,
  sendUdp,
  untilClosed,
  close: (number: number) => void connections.get(number)?.destroy(),
};
