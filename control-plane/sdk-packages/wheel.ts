import { createHash } from 'node:crypto';
import { type Zippable, zipSync } from 'fflate';
import { parse } from 'smol-toml';
import { z } from 'zod';

/** The parts of `pyproject.toml` that the metadata of a pure wheel needs. Others are refused. */
const project = z.strictObject({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  readme: z.literal('README.md'),
  'requires-python': z.string(),
  license: z.string(),
  dependencies: z.array(z.string()),
  'optional-dependencies': z.record(z.string(), z.array(z.string())),
});

export interface WheelSource {
  /** The text of `pyproject.toml`. */
  pyproject: string;
  readme: string;
  /** The files of the packages by their paths, such as `svc_observe/__init__.py`. */
  files: ReadonlyMap<string, Uint8Array>;
}

/**
 * Returns the bytes of a wheel, so that the SDK can be packed without Python. The format is that of
 * packaging.python.org, "Binary distribution format", and "Core metadata specifications" 2.4.
 * Equal sources make equal bytes.
 *
 * @throws ZodError if `pyproject.toml` has a field that would be lost
 */
export function makeWheel({ pyproject, readme, files }: WheelSource): Uint8Array {
  const config = project.parse(parse(pyproject).project);
  const info = `${config.name.replaceAll('-', '_')}-${config.version}.dist-info`;
  const all = new Map<string, Uint8Array>(files);
  all.set(`${info}/METADATA`, bytesOf(metadataOf(config, readme)));
  all.set(`${info}/WHEEL`, bytesOf(WHEEL));
  const record = [...all].map(
    ([path, content]) => `${path},sha256=${hashOf(content)},${content.length}`,
  );
  all.set(`${info}/RECORD`, bytesOf([...record, `${info}/RECORD,,`, ''].join('\n')));
  return zipSync(
    Object.fromEntries(
      [...all].map(([path, content]) => [path, [content, { mtime: EPOCH }]]),
    ) satisfies Zippable,
  );
}

const WHEEL =
  'Wheel-Version: 1.0\nGenerator: gatehouse\nRoot-Is-Purelib: true\nTag: py3-none-any\n';

/** The first date that a ZIP file can contain. */
const EPOCH = '1980-01-01T00:00:00';

function metadataOf(config: z.output<typeof project>, readme: string): string {
  const extras = Object.entries(config['optional-dependencies']).flatMap(
    ([extra, requirements]) => [
      `Provides-Extra: ${extra}`,
      ...requirements.map((requirement) => `Requires-Dist: ${requirement}; extra == "${extra}"`),
    ],
  );
  const head = [
    'Metadata-Version: 2.4',
    `Name: ${config.name}`,
    `Version: ${config.version}`,
    `Summary: ${config.description}`,
    `License-Expression: ${config.license}`,
    `Requires-Python: ${config['requires-python']}`,
    'Description-Content-Type: text/markdown',
    ...config.dependencies.map((requirement) => `Requires-Dist: ${requirement}`),
    ...extras,
  ];
  return `${head.join('\n')}\n\n${readme}`;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const hashOf = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url');
