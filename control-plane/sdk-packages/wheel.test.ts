import { createHash } from 'node:crypto';
import { strFromU8, strToU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { makeWheel } from './wheel.ts';

const PYPROJECT = `
[project]
name = "acme-sdk"
version = "1.2.3"
description = "Records what happens"
readme = "README.md"
requires-python = ">=3.9"
license = "MIT"
dependencies = ["attrs>=24"]

[project.optional-dependencies]
langchain = ["langchain-core>=0.3"]
`;
const files = new Map([
  ['acme_sdk/__init__.py', strToU8('VERSION = "1.2.3"\n')],
  ['acme_sdk/py.typed', strToU8('')],
]);
const source = { pyproject: PYPROJECT, readme: '# Acme\n', files };
const INFO = 'acme_sdk-1.2.3.dist-info';

describe('a wheel', () => {
  const contents = unzipSync(makeWheel(source));
  const textOf = (path: string): string => strFromU8(contents[path]!);

  test('contains the files, and the metadata of the project', () => {
    expect(Object.keys(contents)).toEqual([
      ...files.keys(),
      ...['METADATA', 'WHEEL', 'RECORD'].map((name) => `${INFO}/${name}`),
    ]);
    expect(textOf('acme_sdk/__init__.py')).toBe('VERSION = "1.2.3"\n');
    expect(textOf(`${INFO}/METADATA`)).toBe(
      `Metadata-Version: 2.4
Name: acme-sdk
Version: 1.2.3
Summary: Records what happens
License-Expression: MIT
Requires-Python: >=3.9
Description-Content-Type: text/markdown
Requires-Dist: attrs>=24
Provides-Extra: langchain
Requires-Dist: langchain-core>=0.3; extra == "langchain"

# Acme
`,
    );
  });

  test('records the hash and size of every file except of the record', () => {
    const rows = textOf(`${INFO}/RECORD`).trimEnd().split('\n');
    const expected = Object.entries(contents).map(([path, content]) => {
      const hash = createHash('sha256').update(content).digest('base64url');
      return path.endsWith('/RECORD') ? `${path},,` : `${path},sha256=${hash},${content.length}`;
    });
    expect(rows).toEqual(expected);
  });

  test('has the same bytes if it is made again', () => {
    expect(makeWheel(source)).toEqual(makeWheel(source));
  });

  test('is refused if the project has metadata that it would lose', () => {
    const scripts = `${PYPROJECT}\n[project.scripts]\nacme = "acme_sdk:main"\n`;
    expect(() => makeWheel({ ...source, pyproject: scripts })).toThrow('scripts');
  });
});
