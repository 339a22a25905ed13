import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { root } from '../support/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lint-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEY = 'gatehouse/translated-texts';

const texts = [
  '<p>Delete the run</p>',
  '<p>{done ? "The run is deleted" : ""}</p>',
  '<p title="Delete"/>',
  '<p aria-label={`Delete the run ${name}`}/>',
  '({ name: "Agent" })',
  '[["Agent", name]]',
  '"Deletes the run"',
];

const exempt = [
  '<Trans>Delete the <b>run</b></Trans>',
  '<p title={t`Delete`}/>',
  't`Delete the run ${name}`',
  'plural(count, { one: "Delete # run", other: "Delete # runs" })',
  '<code>Delete the run</code>',
  '<p className="Card wide"/>',
  '<p>Gatehouse</p>',
  '({ name: "Jamf Pro" })',
  '({ name: "agent" })',
  'new Error("Expected a run of the tenant")',
];

test('texts that cannot be translated are reported, and nothing else', async () => {
  writeFileSync(
    join(folder, 'rule.json'),
    JSON.stringify({
      jsPlugins: [join(root, 'dev/lint/plugin.mjs')],
      categories: { correctness: 'off' },
      rules: { [KEY]: 'error' },
    }),
  );
  for (const [index, code] of [...texts, ...exempt].entries())
    writeFileSync(join(folder, `sample-${index}.tsx`), `export const value = (${code});\n`);
  const program = join(root, 'node_modules/oxlint/bin/oxlint');
  const args = [program, '--config', 'rule.json', '--format', 'json', '.'];
  // The linter exits with an error because it reports texts.
  const output = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  const { diagnostics } = JSON.parse(output.stdout) as { diagnostics: { filename: string }[] };
  const found = new Set(diagnostics.map(({ filename }) => /sample-\d+/.exec(filename)?.[0]));
  expect(found).toEqual(new Set(texts.map((_, index) => `sample-${index}`)));
});
