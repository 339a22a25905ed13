import { MAX_ADDRESSES, MAX_HOSTS } from '#agent/core/extension-protocol/messages.ts';
import { openExtensionLink } from '#agent/node/extensions/extension-link.ts';
import { reportChanges } from './capture-listener.ts';
import type { CaptureListener, CaptureListenerOptions } from './capture-listener.ts';
import { createHostAddresses } from './host-addresses.ts';

export interface ProxyMonitorOptions {
  /** Accepts the flows that ProxyMonitor hands over, at `socketPath`. */
  listener: CaptureListener;
  socketPath: string;
  /** The path of ProxyMonitor's own Unix socket. */
  path: string;
  /** The user id that ProxyMonitor runs as; root by default. */
  owner?: number | undefined;
  onProblem: CaptureListenerOptions['onProblem'];
  lookup?: ((host: string) => Promise<string[]>) | undefined;
}

const ACKNOWLEDGE_TIMEOUT_MS = 5_000;
const NOT_RUNNING = 'ProxyMonitor is not running: connections are not captured transparently';

/**
 * Combines the listener for handed-over flows with the extension that diverts them. The extension
 * gets the enabled hosts once the listener accepts their flows, and an empty list before the
 * listener closes. It also gets the addresses of the hosts, for programs that resolve names
 * themselves.
 */
export function openProxyMonitor(options: ProxyMonitorOptions): CaptureListener {
  const { listener, path, owner, socketPath, lookup } = options;
  const reportProblem = reportChanges(options.onProblem);
  let hosts: readonly string[] = [];
  let sent = { number: 0, order: '' };
  let acknowledged = Promise.withResolvers<void>();
  let linkProblem: string | null = null;

  const addresses = createHostAddresses({ onChange: () => sendDiversion(), lookup });
  const link = openExtensionLink({
    path,
    owner,
    extension: 'proxymonitor',
    onReady: () => sendDiversion(true),
    onMessage(message) {
      if (message.type !== 'diverting' || message.number !== sent.number) return;
      reportProblem(
        message.problem === null ? null : `ProxyMonitor cannot divert: ${message.problem}`,
      );
      acknowledged.resolve();
    },
    onGone: reportNotRunning,
    onProblem(line) {
      linkProblem = line;
      if (!link.isReady()) reportNotRunning();
    },
  });

  /** Sends the current diversion if it has changed. */
  function sendDiversion(isNew = false): void {
    const list = hosts.slice(0, MAX_HOSTS);
    const diversion = {
      hosts: list,
      addresses: list.length > 0 ? [...addresses.current().keys()].slice(0, MAX_ADDRESSES) : [],
      socket: socketPath,
    };
    const text = JSON.stringify(diversion);
    if (!link.isReady() || (text === sent.order && !isNew)) return;
    sent = { number: sent.number + 1, order: text };
    link.send({ type: 'divert', number: sent.number, ...diversion });
  }

  function reportNotRunning(): void {
    reportProblem(hosts.length === 0 ? null : (linkProblem ?? NOT_RUNNING));
  }

  async function setHosts(wanted: readonly string[]): Promise<void> {
    if (wanted.length > 0) await listener.setHosts(wanted);
    hosts = wanted;
    acknowledged = Promise.withResolvers();
    await addresses.setHosts(wanted);
    const before = sent.number;
    sendDiversion();
    if (!link.isReady()) reportNotRunning();
    else if (sent.number > before) await withTimeout(acknowledged.promise);
    if (wanted.length === 0) await listener.setHosts(wanted);
  }

  let queue: Promise<void> = Promise.resolve();
  const enqueue = (wanted: readonly string[]): Promise<void> =>
    (queue = queue.then(() => setHosts(wanted)));

  return {
    name: listener.name,
    setHosts: enqueue,
    addResolved: addresses.addResolved,
    async close() {
      await enqueue([]);
      addresses.stop();
      link.close();
      await listener.close();
    },
  };
}

async function withTimeout(acknowledged: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ACKNOWLEDGE_TIMEOUT_MS);
  await Promise.race([acknowledged, promise]);
  clearTimeout(timer);
}
