import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse as parsePlist } from 'plist';
import { afterAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { writeMacParts } from '../stand-in/mac-parts.ts';
import { type CodeKind, entitlementsOf } from './entitlements.ts';
import { EXTENSION_TOOL_NAME, partsIn } from './parts.ts';

/** Compares the Xcode project with the names and entitlements of the packaging. */
const folder = join(import.meta.dirname, '../../macos');
const ids = { teamId: 'EXAMPLE123', bundleId: 'com.example.lookout' };

const settings = z.object({ base: z.record(z.string(), z.string()) });
const properties = z.record(z.string(), z.unknown());
const target = z.object({
  templateAttributes: z.record(z.string(), z.string()).default({}),
  settings: settings.default({ base: {} }),
  info: z.object({ properties }).optional(),
  entitlements: z.object({ properties }),
});
const project = z
  .object({
    targetTemplates: z.object({ Extension: z.object({ settings }) }),
    targets: z.object({ FlowMonitor: target, ProxyMonitor: target, ExtensionsCommand: target }),
  })
  .parse(parseYaml(readFileSync(join(folder, 'project.yml'), 'utf8')));

type TargetName = keyof typeof project.targets;

/** The target with the values that XcodeGen and Xcode insert into it. */
function resolve(name: TargetName) {
  const { templateAttributes, settings: own, info, entitlements } = project.targets[name];
  const isExtension = name !== 'ExtensionsCommand';
  const base = isExtension ? project.targetTemplates.Extension.settings.base : own.base;
  const variables: Record<string, string> = {
    ...templateAttributes,
    target_name: name,
    AGENT_BUNDLE_ID: ids.bundleId,
    TeamIdentifierPrefix: `${ids.teamId}.`,
  };
  const insert = (text: string): string =>
    text.replaceAll(/\$(?:\{(\w+)\}|\((\w+)\))/g, (whole, attribute?: string, setting?: string) => {
      const key = attribute ?? setting ?? '';
      const value = variables[key] ?? base[key];
      return value === undefined ? whole : insert(value);
    });
  const insertAll = (value: unknown): unknown => JSON.parse(insert(JSON.stringify(value)));
  return {
    bundleId: insert('$(PRODUCT_BUNDLE_IDENTIFIER)'),
    product: insert('$(PRODUCT_NAME)'),
    moduleName: insert('$(PRODUCT_MODULE_NAME)'),
    info: insertAll(info?.properties ?? {}) as Record<string, unknown>,
    entitlements: insertAll(entitlements.properties) as Record<string, unknown>,
  };
}

const standIn = mkdtempSync(join(tmpdir(), 'project-'));
const parts = partsIn(standIn, ids.bundleId);
writeMacParts(parts, ids, '1.2.3');
afterAll(() => rmSync(standIn, { recursive: true }));

/** Entitlements that Xcode adds when it signs, or that only the app with its JavaScript needs. */
const addedByPackaging = [
  'com.apple.application-identifier',
  'com.apple.developer.team-identifier',
  'com.apple.security.cs.allow-jit',
];

function releaseEntitlements(kind: CodeKind): Record<string, unknown> {
  const all = Object.entries(parsePlist(entitlementsOf(kind, ids)) as Record<string, unknown>);
  return Object.fromEntries(all.filter(([key]) => !addedByPackaging.includes(key)));
}

/** The order of an entitlement's values has no meaning. */
const withoutOrder = (entitlements: Record<string, unknown>): Map<string, unknown> =>
  new Map(
    Object.entries(entitlements).map(([key, value]) => [
      key,
      Array.isArray(value) ? new Set(value) : value,
    ]),
  );

describe.each([
  ['FlowMonitor', 'flowmonitor', parts.flowMonitor],
  ['ProxyMonitor', 'proxymonitor', parts.proxyMonitor],
] as const)('the extension %s', (name, kind, bundle) => {
  const { bundleId, product, moduleName, info, entitlements } = resolve(name);
  const packaged = parsePlist(readFileSync(join(bundle, 'Contents/Info.plist'), 'utf8')) as Record<
    string,
    unknown
  >;

  test('has the name and the bundle id of its bundle', () => {
    expect(`${product}.systemextension`).toBe(basename(bundle));
    expect(bundleId).toBe(packaged['CFBundleIdentifier']);
  });

  test('has the provider, the Mach service and the type of the stand-in', () => {
    const keys = ['CFBundlePackageType', 'NetworkExtension'];
    expect(keys.map((key) => info[key])).toEqual(keys.map((key) => packaged[key]));
  });

  test('has the entitlements of the release, and a Mach service in its group', () => {
    expect(entitlements).toEqual(releaseEntitlements(kind));
    const [group] = entitlements['com.apple.security.application-groups'] as string[];
    const { NEMachServiceName } = info['NetworkExtension'] as { NEMachServiceName: string };
    expect(NEMachServiceName.startsWith(`${group}.`)).toBe(true);
  });

  test('names a class that its Swift code declares', () => {
    const { NEProviderClasses } = info['NetworkExtension'] as {
      NEProviderClasses: Record<string, string>;
    };
    const names = Object.values(NEProviderClasses).map((whole) => whole.split('.'));
    expect(names).toEqual([[moduleName, expect.any(String)]]);
    const className = names[0]?.[1];
    const source = readFileSync(join(folder, name, `${className}.swift`), 'utf8');
    expect(source).toMatch(new RegExp(`^final class ${className}: NE\\w+Provider\\b`, 'm'));
  });
});

test('the extension tool has the name, the bundle id and the entitlements of the release', () => {
  const { bundleId, product, entitlements } = resolve('ExtensionsCommand');
  expect([product, bundleId]).toEqual([EXTENSION_TOOL_NAME, ids.bundleId]);
  expect(withoutOrder(entitlements)).toEqual(withoutOrder(releaseEntitlements('app')));
});
