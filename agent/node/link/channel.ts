import { WebSocket } from 'ws';
import { backoffMs, type BackoffLimits } from '#agent/core/backoff.ts';
import { ResponseError } from '#contract/client.ts';
import type { ChannelReply, DeviceConfig } from '#contract/device-protocol.ts';
import { CHANNEL_REPLACED, channelPush, DEVICE_CHANNEL_PATH } from '#contract/device-protocol.ts';
import type { Connection } from './connection.ts';
import { startLoop } from '#lib/loop.ts';
import type { Problems } from '../status/problems.ts';
import type { ControlPlaneClient } from './control-plane-client.ts';
import { describeFailure } from './request-failure.ts';

export interface ChannelOptions {
  connection: Pick<Connection, 'asDevice'>;
  problems: Problems;
  onConfig: (config: DeviceConfig) => void;
  onConnected: (connected: boolean) => void;
  onRefused: () => void;
  backoff?: BackoffLimits | undefined;
  /** The control plane pings every 20 s; a connection that is silent for this long is closed. */
  timeoutMs?: number;
}

export interface Channel {
  /**
   * Reports the applied version to the control plane; while disconnected, the next heartbeat does.
   */
  acknowledge: (version: number) => void;
  /** Reconnects now, because the address or the identity has changed. */
  restart: () => void;
  stop: () => Promise<void>;
}

/** Keeps open the channel over which the control plane pushes configurations. */
export function startChannel(options: ChannelOptions): Channel {
  let socket: WebSocket | null = null;
  let failures = 0;

  const loop = startLoop(async (signal) => {
    const client = options.connection.asDevice();
    if (!client) return null;
    socket = client.openWebSocket(DEVICE_CHANNEL_PATH);
    const abort = (): void => socket?.terminate();
    signal.addEventListener('abort', abort);
    const code = await serveConnection(socket, client, options, () => (failures = 0));
    signal.removeEventListener('abort', abort);
    socket = null;
    // Another process uses this identity. The longest backoff prevents both from replacing each
    // other forever.
    if (code === CHANNEL_REPLACED) failures = Infinity;
    return backoffMs(failures++, Math.random(), options.backoff);
  });

  return {
    acknowledge: (version) => {
      if (socket?.readyState !== WebSocket.OPEN) return;
      socket.send(JSON.stringify({ type: 'applied', version } satisfies ChannelReply));
    },
    restart: () => {
      loop.runNow();
      socket?.terminate();
    },
    stop: loop.stop,
  };
}

/** Serves one connection until it closes. Returns the close code. */
async function serveConnection(
  socket: WebSocket,
  client: ControlPlaneClient,
  options: ChannelOptions,
  onOpen: () => void,
): Promise<number> {
  const { problems, timeoutMs = 60_000 } = options;
  const timeout = setTimeout(() => socket.terminate(), timeoutMs);
  const resetTimeout = (): void => void timeout.refresh();

  socket.on('open', () => {
    onOpen();
    problems.set('channel');
    options.onConnected(true);
  });
  socket.on('ping', resetTimeout);
  socket.on('message', (data) => {
    resetTimeout();
    const config = readPush(data as Buffer);
    problems.set('channel', config ? [] : [`unexpected message from ${client.origin}`]);
    if (config) options.onConfig(config);
  });
  const fail = (error: unknown): void => {
    const failure = describeFailure(error, client.origin);
    problems.set('channel', [failure.line]);
    // A refusal of an earlier identity does not concern the current one.
    const current = options.connection.asDevice() === client;
    if (failure.identityRefused && current) options.onRefused();
  };
  // Without a listener, ws would convert the status to an error that contains it only as text.
  socket.on('unexpected-response', (_, response) => {
    fail(new ResponseError(response.statusCode ?? 0, 'the channel was refused'));
    socket.terminate();
  });
  socket.on('error', (error) => {
    // ws emits this error for a connection that this process ended before it was open.
    if (!error.message.startsWith('WebSocket was closed before')) fail(error);
  });
  const code = await new Promise<number>((resolve) => socket.once('close', resolve));
  clearTimeout(timeout);
  options.onConnected(false);
  return code;
}

function readPush(data: Buffer): DeviceConfig | null {
  try {
    return channelPush.parse(JSON.parse(data.toString())).config;
  } catch {
    return null;
  }
}
