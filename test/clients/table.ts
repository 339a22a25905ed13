import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clients } from './clients.ts';
import { columns, NEVER } from './compare.ts';
import type { Recording } from './try-client.ts';

const guide = join(import.meta.dirname, '../../docs/opentelemetry.md');
const START = '<!-- clients: printed by npm run clients -->\n';
const END = '<!-- end of clients -->';

/** The recordings of all clients that were run, in the order of the table. */
export const recordings = (): Recording[] =>
  clients.flatMap(({ name }) => {
    const file = join(import.meta.dirname, `recordings/${name}.json`);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Recording) : [];
  });

/** The table of the documentation: ✓ if it is correct, – if the export lacks it. */
export function tableOf(recorded: readonly Recording[]): string {
  const rows = recorded.map(({ client, versions, cells }) => {
    const title = clients.find(({ name }) => name === client)?.title ?? client;
    const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
    return [
      `${title} (${packages.join(', ')})`,
      ...columns.map((column) => {
        const cell = cells[column];
        return cell === NEVER ? '–' : cell === 'yes' ? '✓' : 'wrong';
      }),
    ];
  });
  const table = [['client', ...columns], ...rows];
  const widths = table[0]?.map((_, i) => Math.max(...table.map((row) => (row[i] ?? '').length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell + ' '.repeat((widths?.[i] ?? 0) - cell.length)).join(' | ')} |`;
  const [head = [], ...body] = table;
  const rule = `| ${(widths ?? []).map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...body.map(line)].join('\n');
}

/** The table that the documentation contains. */
export function writtenTable(): string {
  const text = readFileSync(guide, 'utf8');
  return text.slice(text.indexOf(START) + START.length, text.indexOf(END)).trim();
}

export function writeTable(table: string): void {
  const text = readFileSync(guide, 'utf8');
  const [before, after] = [text.indexOf(START) + START.length, text.indexOf(END)];
  if (after < 0) throw new Error(`${guide} has no marker for the table`);
  writeFileSync(guide, `${text.slice(0, before)}\n${table}\n\n${text.slice(after)}`);
}
