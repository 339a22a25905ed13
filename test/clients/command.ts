import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeArguments } from '../support/take-arguments.ts';
import { clients } from './clients.ts';
import { RECORDING_KEY, startOwnControlPlane } from './control-plane.ts';
import { install } from './environment.ts';
import { recordings, tableOf, writeTable } from './table.ts';
import { tryClient } from './try-client.ts';

const usage = `usage: npm run clients [-- NAME…]

Installs the pinned packages of AI clients (PyPI, npm; once), runs each against a stand-in of its
provider with OTLP export into a control plane, compares what is stored with what really happened,
keeps the export in test/clients/recordings, and prints the table into docs/opentelemetry.md.
Needs Python 3.11 with venv. Clients: ${clients.map(({ name }) => name).join(', ')}.`;

const names = takeArguments({ usage });
const unknown = names.find((name) => !clients.some((client) => client.name === name));
if (unknown !== undefined) {
  console.error(`unknown client: ${unknown}\n${usage}`);
  process.exit(2);
}

let wrong = 0;
for (const client of clients.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const service = await startOwnControlPlane();
  try {
    install(client);
    const recording = await tryClient(client, service, RECORDING_KEY);
    const file = join(import.meta.dirname, `recordings/${client.name}.json`);
    writeFileSync(file, `${JSON.stringify(recording)}\n`);
    const bad = Object.entries(recording.cells).filter(([, cell]) => cell.startsWith('wrong'));
    wrong += bad.length;
    console.log(`${client.name}: ${bad.length === 0 ? 'right' : `${bad.length} wrong`}`);
    for (const [column, cell] of bad) console.log(`  ${column}: ${cell.slice(0, 600)}`);
  } catch (error) {
    wrong += 1;
    console.error(`${client.name}: ${(error as Error).message.slice(-2000)}`);
  } finally {
    await service.stop();
  }
}
writeTable(tableOf(recordings()));
process.exitCode = wrong > 0 ? 1 : 0;
