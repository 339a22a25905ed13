import type { TransportResponse, TransportRequest, Transport } from './transport.ts';
import { unref } from './alarm.ts';

type Http = NonNullable<ReturnType<typeof clientsOf>>['http'];
type ClientRequest = InstanceType<Http['ClientRequest']>;
type IncomingMessage = InstanceType<Http['IncomingMessage']>;
type Socket = NonNullable<ClientRequest['socket']>;

// Servers commonly close idle connections after 5 s, and a request sent at that moment would be
// lost.
const IDLE_MS = 4000;
// A connection that is being established keeps the process alive, even if it is unref'ed.
const CONNECT_MS = 3000;

const clientsOf = ({ getBuiltinModule }: Pick<NodeJS.Process, 'getBuiltinModule'>) => ({
  http: getBuiltinModule('node:http'),
  https: getBuiltinModule('node:https'),
});

/** Creates a transport with `node:http`. Background requests do not keep the process alive. */
export function nodeTransport(process: NodeJS.Process): Transport {
  const { http, https } = clientsOf(process);
  const agents = {
    plain: new http.Agent(copyAgentOptions(http.globalAgent)),
    secure: new https.Agent(copyAgentOptions(https.globalAgent)),
  };
  const open = ({ url, method, headers, signal }: TransportRequest): ClientRequest =>
    url.startsWith('https:')
      ? https.request(url, { method, headers, signal, agent: agents.secure })
      : http.request(url, { method, headers, signal, agent: agents.plain });

  const send: Transport = (outgoing) =>
    new Promise((resolve, reject) => {
      const request = open(outgoing);
      request.on('error', (error) =>
        reject(request.reusedSocket && isReset(error) ? new StaleConnection() : error),
      );
      request.on('response', (response) => void readResponse(response).then(resolve, reject));
      if (outgoing.background) request.on('socket', unrefWhenConnected);
      request.end(outgoing.body);
    });
  return (outgoing) =>
    send(outgoing).catch((error: unknown) => {
      if (error instanceof StaleConnection) return send(outgoing);
      throw error;
    });
}

/** An error for a reused connection that the server closed at the same moment. */
class StaleConnection extends Error {
  constructor() {
    super('the server closed the connection');
  }
}

const isReset = (error: Error): boolean => 'code' in error && error.code === 'ECONNRESET';

/** The options of the global agent, which contain the proxy settings of Node. */
const copyAgentOptions = (agent: object) => ({
  ...('options' in agent && (agent.options as object)),
  keepAlive: true,
  timeout: IDLE_MS,
});

// Applies to one request only, because an agent refs sockets again when it reuses them.
function unrefWhenConnected(socket: Socket): void {
  socket.unref();
  if (!socket.connecting) return;
  const onTimeout = (): unknown =>
    socket.destroy(new Error(`connection timed out after ${CONNECT_MS} ms`));
  const timer = setTimeout(onTimeout, CONNECT_MS);
  unref(timer);
  socket.once('close', () => clearTimeout(timer));
  socket.once('connect', () => {
    clearTimeout(timer);
    // If a host has several addresses, the successful attempt has a new, referenced handle.
    socket.unref();
  });
}

async function readResponse(response: IncomingMessage): Promise<TransportResponse> {
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
