import type { Incoming, Outgoing, Transport } from './transport.ts';
import { unref } from '../unref.ts';

type Http = NonNullable<ReturnType<typeof clientsOf>>['http'];
type ClientRequest = InstanceType<Http['ClientRequest']>;
type IncomingMessage = InstanceType<Http['IncomingMessage']>;
type Socket = NonNullable<ClientRequest['socket']>;

// Servers commonly close what is idle after 5 s: a request sent just then would be lost.
const IDLE_MS = 4000;
// A connection that is being made keeps a process alive, whatever it is told.
const CONNECT_MS = 3000;

const clientsOf = ({ getBuiltinModule }: Pick<NodeJS.Process, 'getBuiltinModule'>) => ({
  http: getBuiltinModule('node:http'),
  https: getBuiltinModule('node:https'),
});

/** Requests of Node's own client. Those in the background do not keep the process alive. */
export function nodeTransport(process: NodeJS.Process): Transport {
  const { http, https } = clientsOf(process);
  const agents = {
    plain: new http.Agent(optionsLike(http.globalAgent)),
    secure: new https.Agent(optionsLike(https.globalAgent)),
  };
  const open = ({ url, method, headers, signal }: Outgoing): ClientRequest =>
    url.startsWith('https:')
      ? https.request(url, { method, headers, signal, agent: agents.secure })
      : http.request(url, { method, headers, signal, agent: agents.plain });

  const send: Transport = (outgoing) =>
    new Promise((resolve, reject) => {
      const request = open(outgoing);
      request.on('error', (error) =>
        reject(request.reusedSocket && isReset(error) ? new StaleConnection() : error),
      );
      request.on('response', (response) => void readAnswer(response).then(resolve, reject));
      if (outgoing.background) request.on('socket', letProcessEnd);
      request.end(outgoing.body);
    });
  return (outgoing) =>
    send(outgoing).catch((error: unknown) => {
      if (error instanceof StaleConnection) return send(outgoing);
      throw error;
    });
}

/** The server closed a connection that was idle just when it was used again. */
class StaleConnection extends Error {
  constructor() {
    super('the server closed the connection');
  }
}

const isReset = (error: Error): boolean => 'code' in error && error.code === 'ECONNRESET';

/** Those of the process's own agent, which knows the proxy that Node was told to use. */
const optionsLike = (agent: object) => ({
  ...('options' in agent && (agent.options as object)),
  keepAlive: true,
  timeout: IDLE_MS,
});

// An agent hands sockets out referenced again, so this is for one request only.
function letProcessEnd(socket: Socket): void {
  socket.unref();
  if (!socket.connecting) return;
  const giveUp = (): unknown => socket.destroy(new Error(`no connection within ${CONNECT_MS} ms`));
  const late = setTimeout(giveUp, CONNECT_MS);
  unref(late);
  socket.once('close', () => clearTimeout(late));
  socket.once('connect', () => {
    clearTimeout(late);
    // Where a host has several addresses, the attempt that succeeded began referenced.
    socket.unref();
  });
}

async function readAnswer(response: IncomingMessage): Promise<Incoming> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return {
    status: response.statusCode ?? 0,
    header: (name) => {
      const value = response.headers[name];
      return typeof value === 'string' ? value : null;
    },
    text,
  };
}
