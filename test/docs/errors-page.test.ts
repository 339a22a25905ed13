import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorReasons } from '#contract/error-reasons.ts';
import { root } from '../support/processes.ts';
import { errorsPage } from './errors-page.ts';

test('docs/errors.md matches the contract: `npm run --silent errors > docs/errors.md`', () => {
  expect(readFileSync(join(root, 'docs/errors.md'), 'utf8')).toBe(errorsPage());
});

test('the control plane uses every reason, and reasons are in snake case', () => {
  const folder = join(root, 'control-plane');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => !/(^|\/)(dist|console|node_modules)\//.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const unused = errorReasons.filter((one) => !sources.some((text) => text.includes(`'${one}'`)));
  expect(unused).toEqual([]);
  expect(errorReasons.filter((one) => !/^[a-z]+(_[a-z]+)*$/.test(one))).toEqual([]);
});
