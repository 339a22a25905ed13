import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parse } from 'plist';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordingLevels } from '#contract/guard.ts';
import { hostCatalog } from '#domain/hosts/host-catalog.ts';
import { createRoot } from '#pki/authority.ts';
import { buildProfile, ProfileError, type ProfileInput } from './profile.ts';
import { checkAgainstSchema } from './testing/apple-schema/check.ts';
import type { Dictionary } from './testing/apple-schema/rule.ts';
import { checkForUpload } from './testing/upload-rules.ts';

const now = Date.UTC(2026, 10, 21);

let roots: string[];
beforeAll(async () => {
  const names = ['one', 'two', 'three'];
  const issued = await Promise.all(names.map((name) => createRoot({ name, now })));
  roots = issued.map(({ certificatePem }) => certificatePem);
});

const word = fc.stringMatching(/^[A-Za-z0-9-]{1,12}$/);
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const catalogHosts = hostCatalog.hosts
  .map(({ host }) => host)
  .filter((host) => !host.includes('*'));

/** Possible inputs, including some that must be rejected. */
const inputs = (): fc.Arbitrary<ProfileInput> =>
  fc.record<ProfileInput>(
    {
      now: fc.constant(now),
      apiUrl: fc.webUrl({ validSchemes: ['https'] }),
      apiKey: fc.oneof(fc.stringMatching(/^svc_sk_[0-9a-f]{8,64}$/), name),
      rootCertificates: fc.subarray(roots, { minLength: 1 }),
      hosts: fc.subarray(catalogHosts, { maxLength: 5 }),
      payloads: fc.constantFrom('full', undefined),
      codingAgents: fc.constantFrom(...recordingLevels, undefined),
      processes: fc.array(name, { maxLength: 3 }),
      appName: name,
      bundleId: fc.array(word, { minLength: 2, maxLength: 4 }).map((words) => words.join('.')),
      teamId: fc.stringMatching(/^[A-Z0-9]{10}$/),
      organization: name,
    },
    {
      requiredKeys: [
        'now',
        'apiUrl',
        'apiKey',
        'rootCertificates',
        'hosts',
        'appName',
        'bundleId',
        'teamId',
      ],
    },
  );

function build(input: ProfileInput): string | undefined {
  try {
    return buildProfile(input);
  } catch (error) {
    if (error instanceof ProfileError) return undefined;
    throw error;
  }
}

const findings = (xml: string): string[] => {
  const profile = parse(xml) as Dictionary;
  return [...checkAgainstSchema(profile), ...checkForUpload(profile, xml)];
};

const READ_ALL =
  'import plistlib, sys\n' +
  'for file in sys.argv[1:]: plistlib.load(open(file, "rb"), fmt=plistlib.FMT_XML)';

const readers: [string, (files: string[]) => string[][]][] = [
  ['python3', (files) => [['-c', READ_ALL, ...files]]],
  ['plistutil', (files) => files.map((file) => ['-i', file, '-f', 'xml', '-o', '/dev/null'])],
  ['xmllint', (files) => [['--noout', '--nonet', ...files]]],
];

describe('every profile that can be built', () => {
  test("conforms to Apple's schema and the requirements of device management", () => {
    let built = 0;
    fc.assert(
      fc.property(inputs(), (input) => {
        const xml = build(input);
        if (xml === undefined) return;
        built += 1;
        expect(findings(xml)).toEqual([]);
      }),
      { numRuns: 60 },
    );
    expect(built).toBeGreaterThan(20);
  });

  for (const [command, callsFor] of readers)
    test(`is read by ${command}`, { tags: [command] }, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
      try {
        const many = fc.array(inputs(), { minLength: 20, maxLength: 20 });
        fc.assert(
          fc.property(many, (each) => {
            const files = writeEach(folder, each);
            for (const args of callsFor(files)) execFileSync(command, args, { stdio: 'pipe' });
          }),
          { numRuns: 1 },
        );
      } finally {
        await rm(folder, { recursive: true });
      }
    });
});

/** Writes the profiles that can be built to files, and returns their paths. */
function writeEach(folder: string, all: ProfileInput[]): string[] {
  const built = all.map(build).filter((xml) => xml !== undefined);
  return built.map((xml, i) => {
    const file = join(folder, `${i}.mobileconfig`);
    writeFileSync(file, xml);
    return file;
  });
}
