import { isAboutAi } from '#agent/core/recognition/description/about-ai.ts';
import type { Signal } from '#agent/core/recognition/signals.ts';
import { displayName } from '#agent/core/display.ts';
import { desktopApps } from '#domain/app-catalog/desktop-apps.ts';
import type { DesktopApp } from '#domain/app-catalog/entry.ts';
import { CONFIG_LIMIT } from '../config-file.ts';
import type { Finding } from '../finding.ts';
import { limited } from '../limited.ts';
import type { Home, Scan } from '../platform-paths/platform-paths.ts';
import { aiEvidenceInElectron, callsModels } from './app-contents.ts';
import { addressInProgram } from './model-calls.ts';

const known: ReadonlyMap<string, DesktopApp> = new Map(
  desktopApps.flatMap((entry) =>
    (entry.linux?.desktopIds ?? []).map((id) => [`${id}.desktop`, entry] as const),
  ),
);

/** The limit of one folder: more than any desktop shows. */
const MAX_ENTRIES = 2000;

/** Returns the main group of a desktop entry, without keys that have a language in brackets. */
function fieldsOf(text: string): ReadonlyMap<string, string> {
  const [, group = ''] = /^\[Desktop Entry\][^\n]*\n((?:(?!\[)[^\n]*\n?)*)/m.exec(text) ?? [];
  return new Map(
    [...group.matchAll(/^(\w+)[ \t]*=[ \t]*(\S(?:.*\S)?)/gm)].map(([, key = '', value = '']) => [
      key,
      value,
    ]),
  );
}

/** The program of an entry, if it exists and belongs to the app itself. */
async function programOf(scan: Scan, exec: string): Promise<string | undefined> {
  const [, quoted, plain] = /^(?:"([^"]+)"|(\S+))/.exec(exec) ?? [];
  const path = quoted ?? plain ?? '';
  const paths = path.startsWith('/') ? [path] : [`/usr/bin/${path}`, `/usr/local/bin/${path}`];
  const present = await Promise.all(paths.map((one) => scan.tree.resolve(one)));
  return paths.find((_, i) => present[i] !== undefined);
}

/**
 * Returns evidence in the program or next to it. Programs of the distribution are not searched:
 * there are many, and their entries have comments.
 */
async function aiEvidenceInProgram(
  scan: Scan,
  entry: string,
  program: string,
): Promise<Signal | undefined> {
  const target = await scan.tree.resolve(program);
  const dir = target?.slice(0, target.lastIndexOf('/'));
  if (!target || !dir || !/^\/(?:opt|usr\/(?:lib|share)|home)\//.test(`${dir}/`)) return undefined;
  const found = await aiEvidenceInElectron(scan, entry, `${dir}/resources`);
  if (found || !/^\/(?:opt|home)\//.test(`${dir}/`)) return found;
  for (const path of [target, `${dir}/lib/libapp.so`]) {
    const address = await addressInProgram(scan, entry, path);
    if (address !== undefined) return callsModels(address);
  }
  return undefined;
}

/** Whether an entry's name or description says that it is about AI. */
function entryNamesAi(fields: ReadonlyMap<string, string>): boolean {
  const name = fields.get('Name') ?? '';
  const texts = [fields.get('GenericName'), fields.get('Comment')].filter(Boolean);
  return isAboutAi({ name, summary: texts.join('. ') });
}

async function inspect(scan: Scan, path: string, home: Home | undefined): Promise<Finding[]> {
  const content = await scan.tree.read(path, CONFIG_LIMIT);
  if (!content || 'error' in content) return [];
  const fields = fieldsOf(content.bytes.toString('utf8'));
  const isApp = fields.get('Type') === 'Application' && fields.get('Hidden') !== 'true';
  const program = isApp ? await programOf(scan, fields.get('Exec') ?? '') : undefined;
  if (program === undefined) return [];
  const signal = entryNamesAi(fields) ? named : await aiEvidenceInProgram(scan, path, program);
  return signal ? [findingOf({ path, home, fields, program, signal })] : [];
}

const named: Signal = { kind: 'description', text: 'it says that it is about AI' };

function findingOf(found: {
  path: string;
  home: Home | undefined;
  fields: ReadonlyMap<string, string>;
  program: string;
  signal: Signal;
}): Finding {
  const { path, home, fields, program, signal } = found;
  const entry = known.get(path.slice(path.lastIndexOf('/') + 1));
  return {
    kind: 'desktop_app',
    name: entry?.name ?? displayName(fields.get('Name') ?? ''),
    catalogId: entry?.id ?? null,
    version: fields.get('X-AppImage-Version') ?? null,
    path,
    user: home?.user ?? null,
    signals: [{ kind: 'registration', text: `desktop entry ${path}` }, signal],
    notes: [`starts ${displayName(program)}`],
  };
}

/**
 * Apps outside the catalog, or with too little evidence here, whose desktop entry or package says
 * that they are about AI. `certain`: catalog ids that are reported anyway.
 */
export async function findDescribedEntries(
  scan: Scan,
  owners: readonly { home: Home | undefined; entryDirs: readonly string[] }[],
  certain: ReadonlySet<string>,
): Promise<Finding[]> {
  const isReported = (name: string) => certain.has(known.get(name)?.id ?? '');
  const found: Finding[] = [];
  for (const { home, entryDirs } of owners)
    for (const dir of entryDirs) {
      const names = (await scan.tree.list(dir)).map((item) => item.name);
      const entries = names.filter((name) => name.endsWith('.desktop') && !isReported(name));
      for (const name of limited(scan, entries, MAX_ENTRIES, { path: `${dir}/`, of: 'entries' })) {
        scan.checkpoint();
        found.push(...(await inspect(scan, `${dir}/${name}`, home)));
      }
    }
  return found;
}
