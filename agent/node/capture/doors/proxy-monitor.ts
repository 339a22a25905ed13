import { mostAddresses, mostHosts } from '#agent/core/extension-protocol/messages.ts';
import { openExtensionLink } from '#agent/node/extensions/extension-link.ts';
import { sayChanges } from './door.ts';
import type { Door, DoorOptions } from './door.ts';
import { createHostAddresses } from './host-addresses.ts';

export interface ProxyMonitorOptions {
  /** Takes the flows that ProxyMonitor hands over, at `socketPath`. */
  door: Door;
  socketPath: string;
  /** Of ProxyMonitor's own Unix socket. */
  path: string;
  /** The user that it runs as, root unless given. */
  owner?: number | undefined;
  onProblem: DoorOptions['onProblem'];
  lookup?: ((host: string) => Promise<string[]>) | undefined;
}

const answerMs = 5_000;
const notThere =
  'ProxyMonitor does not run: no connection is captured on its way through the system';

/**
 * The door for handed-over flows, and the extension that diverts them. The extension gets the
 * enabled hosts once the door accepts their flows, and an empty list before the door closes.
 * Programs that resolve names themselves connect to addresses, so it gets those too.
 */
export function openProxyMonitorDoor(options: ProxyMonitorOptions): Door {
  const { door, path, owner, socketPath, lookup } = options;
  const say = sayChanges(options.onProblem);
  let hosts: readonly string[] = [];
  let sent = { number: 0, order: '' };
  let answered = Promise.withResolvers<void>();
  let linkProblem: string | null = null;

  const addresses = createHostAddresses({ onChange: () => divert(), lookup });
  const link = openExtensionLink({
    path,
    owner,
    extension: 'proxymonitor',
    onReady: () => divert(true),
    onMessage(message) {
      if (message.type !== 'diverting' || message.number !== sent.number) return;
      say(message.problem === null ? null : `ProxyMonitor cannot divert: ${message.problem}`);
      answered.resolve();
    },
    onGone: tellAbsence,
    onProblem(line) {
      linkProblem = line;
      if (!link.isReady()) tellAbsence();
    },
  });

  /** Sends what is to be diverted now, if that is something else than before. */
  function divert(isNew = false): void {
    const list = hosts.slice(0, mostHosts);
    const order = {
      hosts: list,
      addresses: list.length > 0 ? [...addresses.current().keys()].slice(0, mostAddresses) : [],
      socket: socketPath,
    };
    const text = JSON.stringify(order);
    if (!link.isReady() || (text === sent.order && !isNew)) return;
    sent = { number: sent.number + 1, order: text };
    link.send({ type: 'divert', number: sent.number, ...order });
  }

  function tellAbsence(): void {
    say(hosts.length === 0 ? null : (linkProblem ?? notThere));
  }

  async function setHosts(wanted: readonly string[]): Promise<void> {
    if (wanted.length > 0) await door.setHosts(wanted);
    hosts = wanted;
    answered = Promise.withResolvers();
    await addresses.setHosts(wanted);
    const before = sent.number;
    divert();
    if (!link.isReady()) tellAbsence();
    else if (sent.number > before) await inTime(answered.promise);
    if (wanted.length === 0) await door.setHosts(wanted);
  }

  let queue: Promise<void> = Promise.resolve();
  const inTurn = (wanted: readonly string[]): Promise<void> =>
    (queue = queue.then(() => setHosts(wanted)));

  return {
    name: door.name,
    setHosts: inTurn,
    learn: addresses.learn,
    async close() {
      await inTurn([]);
      addresses.stop();
      link.close();
      await door.close();
    },
  };
}

async function inTime(answer: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, answerMs);
  await Promise.race([answer, promise]);
  clearTimeout(timer);
}
