import { appOfProcess } from '#agent/core/app-catalog/app-of-process.ts';
import type { LocalModelServer } from '#agent/core/app-catalog/entry.ts';
import { localModelServers } from '#agent/core/app-catalog/local-model-servers.ts';
import type { Signal } from '#agent/core/app-catalog/signals.ts';
import type { Finding } from './finding.ts';
import type { Scan } from './places/places.ts';
import type { RunningProcess } from './processes/process.ts';

const interpreter = /^(python(\d+(\.\d+)*)?|node|bun|deno|uvicorn)$/i;
const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** `python -m module`, `python /x/bin/script`, `node /x/script.mjs`: the script names the server. */
function scriptSignals(running: RunningProcess, entry: LocalModelServer): Signal[] {
  const program = baseName(running.path ?? running.words[0] ?? running.name);
  if (!interpreter.test(program)) return [];
  const [, ...words] = running.words;
  const script = words.find((word) => !word.startsWith('-')) ?? '';
  const isModule = words.includes('-m');
  const name = entry.scripts?.find((known) => known === (isModule ? script : baseName(script)));
  // A script can have any name, a module is found by its package.
  const kind = isModule ? 'process' : 'name';
  return name ? [{ kind, text: `an interpreter runs ${name}` }] : [];
}

function signalsOf(running: RunningProcess, entry: LocalModelServer): Signal[] {
  const signals: Signal[] = [];
  if (entry.executables?.includes(running.name)) {
    signals.push({ kind: 'name', text: `a process is called ${running.name}` });
  }
  if (
    running.path &&
    appOfProcess({ name: baseName(running.path), path: running.path }) === entry.id
  ) {
    signals.push({ kind: 'process', text: `running: ${running.path}` });
    signals.push({ kind: 'name', text: `a process is called ${baseName(running.path)}` });
  }
  signals.push(...scriptSignals(running, entry));
  for (const { address, port } of signals.length === 0 ? [] : running.listens) {
    const usual = entry.ports.includes(port);
    const text = `listens on ${address.includes(':') ? `[${address}]` : address}:${port}`;
    if (usual) signals.push({ kind: 'port', text });
  }
  return signals;
}

function findingOf(running: RunningProcess, entry: LocalModelServer): Finding[] {
  const signals = signalsOf(running, entry);
  if (signals.length === 0) return [];
  return [
    {
      kind: 'local_model_server',
      name: entry.name,
      catalogId: entry.id,
      version: /\/(?:Cellar|Caskroom)\/[^/]+\/([^/]+)\//.exec(running.path ?? '')?.[1] ?? null,
      path: running.path ?? '',
      user: running.user,
      signals,
    },
  ];
}

/**
 * Model servers that run now: a process of the right path, or one of the right name or script
 * that also listens on the server's port. Several processes of one server are one finding.
 */
export async function findLocalModelServers(scan: Scan): Promise<Finding[]> {
  const processes = await scan.places.listProcesses(scan);
  return processes.flatMap((running) =>
    localModelServers.flatMap((entry) => findingOf(running, entry)),
  );
}
