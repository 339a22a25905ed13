import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { allowClosedReader } from '#profile-builder/terminal-output.ts';
import { readTarget, type Target } from './files/config.ts';
import { connect, type ControlPlane } from './files/control-plane.ts';
import { compare, describePlan, isEmpty, type Plan, titleOf } from './files/plan.ts';
import { readFolder, listSkippedFiles } from './files/read-folder.ts';
import { writeFiles } from './files/write-files.ts';

const USAGE = `usage: npm run --silent policies -- plan|apply|export [DIR] [--url URL] [--key-env NAME]
         [--prune] [--force] [--note TEXT]

plan    shows the differences between the files of DIR (default: policies) and the control plane
apply   makes the control plane match the files; --prune deletes policies that are in no file, and needs
               --force if DIR contains no policies
export  writes a file for each policy that is in no file; --force also overwrites files that differ

URL is the control plane's address (default: SVC_API_URL). NAME is the environment variable that
holds an API key with the permission policies:write (default: SVC_API_KEY). TEXT is stored with
each change.
Exit codes: 0 success or nothing to do; 1 error; 2 plan found differences.`;

const options = {
  url: { type: 'string' },
  'key-env': { type: 'string' },
  prune: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  note: { type: 'string', default: 'policy files' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

interface Task {
  name: string;
  folder: string;
  target: Target;
  prune: boolean;
  force: boolean;
  note: string;
}

const DIFFERENT = 2;

const tasks: Readonly<Record<string, (task: Task) => Promise<number>>> = {
  async plan({ folder, target, prune }) {
    const files = await readFolder(folder);
    print(await skippedLines(folder));
    const plan = compare(files, await connect(target).list());
    print(describePlan(plan, prune));
    if (prune && files.size === 0) print([`! ${wouldDeleteAll(folder)}`]);
    return isEmpty(plan, prune) ? 0 : DIFFERENT;
  },

  async apply({ folder, target, prune, force, note }) {
    const files = await readFolder(folder);
    print(await skippedLines(folder));
    if (prune && !force && files.size === 0) throw new Error(wouldDeleteAll(folder));
    const controlPlane = connect(target);
    const plan = compare(files, await controlPlane.list());
    if (isEmpty(plan, prune)) print(['nothing to do']);
    else await applyPlan(plan, controlPlane, { prune, note });
    return 0;
  },

  async export({ folder, target, force }) {
    const files = existsSync(folder) ? await readFolder(folder) : new Map<never, never>();
    const plan = compare(files, await connect(target).list());
    const written = await writeFiles(folder, plan, force);
    print(written.length > 0 ? written.map((file) => `wrote ${file}`) : ['nothing to do']);
    return 0;
  },
};

const skippedLines = async (folder: string): Promise<string[]> =>
  (await listSkippedFiles(folder)).map(
    (file) => `skipped ${file}: subfolders of ${folder} are not read`,
  );

const wouldDeleteAll = (folder: string): string =>
  `${folder}: contains no policies: apply --prune would delete every policy, and needs --force`;

/** Prints each change as soon as it is made, so that the output is correct even after a failure. */
async function applyPlan(
  { create, change, extra }: Plan,
  controlPlane: ControlPlane,
  { prune, note }: Pick<Task, 'prune' | 'note'>,
): Promise<void> {
  for (const { document } of create) {
    await controlPlane.create(document, note);
    print([`created ${titleOf(document)}`]);
  }
  for (const { stored, written } of change) {
    await controlPlane.replace(stored, written.document, note);
    print([`changed ${titleOf(written.document)}`]);
  }
  for (const stored of prune ? extra : []) {
    await controlPlane.remove(stored, note);
    print([`deleted ${titleOf(stored.document)}`]);
  }
}

/**
 * Checks positional arguments itself, because Node's own error would print a key that was passed by
 * mistake.
 */
function readArguments(args: string[]): Task | 'help' {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return 'help';
  const [name = '', folder = 'policies', ...rest] = positionals;
  if (!Object.hasOwn(tasks, name) || rest.length > 0) throw new Error(USAGE);
  const target = readTarget({ url: values.url, keyEnv: values['key-env'] });
  if ('error' in target) throw new Error(`policies: ${target.error}`);
  const { prune, force, note } = values;
  return { name, folder, target, prune, force, note };
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

function fail(line: string): void {
  console.error(line);
  process.exitCode = 1;
}

allowClosedReader();
try {
  const task = readArguments(process.argv.slice(2));
  if (task === 'help') print([USAGE]);
  else
    process.exitCode = await (tasks[task.name] as (task: Task) => Promise<number>)(task).catch(
      (error: unknown) => {
        fail(`policies: ${(error as Error).message.replace(/\s+/g, ' ')}`);
        return 1;
      },
    );
} catch (error) {
  fail((error as Error).message);
}
