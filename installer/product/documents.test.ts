import { execFileSync } from 'node:child_process';
import { parse } from 'plist';
import { describe, expect, test } from 'vitest';
import { CPU_ARM64, CPU_X86_64 } from '../mach-o.ts';
import { architecturesOf, minimumSystem, writeDistribution, checkProduct } from './distribution.ts';
import { launchAgent } from './scripts.ts';
import { appPackageInfo, scriptPackageInfo } from './package-info.ts';

/** The result of an XPath expression, evaluated by another program. */
const find = (xml: string, path: string): string =>
  execFileSync('xmllint', ['--nonet', '--xpath', `string(${path})`, '-'], { input: xml })
    .toString()
    .trim();

const product = { appName: 'A & <B> "C"', bundleId: 'com.example.agent', version: '1.2.3' };

describe('the Distribution', () => {
  const text = writeDistribution({
    ...product,
    title: product.appName,
    component: product.bundleId,
    componentFolder: `${product.bundleId}.pkg`,
    installKBytes: 44,
    architectures: ['x86_64', 'arm64'],
    minimumSystem: '12.0',
  });

  test.each([
    ['/installer-gui-script/@minSpecVersion', '1'],
    ['//title', product.appName],
    ['//options/@customize', 'never'],
    ['//options/@hostArchitectures', 'x86_64,arm64'],
    ['//options/@rootVolumeOnly', 'true'],
    ['//domains/@enable_localSystem', 'true'],
    ['//volume-check/allowed-os-versions/os-version/@min', '12.0'],
    ['//choices-outline/line/line/@choice', product.bundleId],
    [`//choice[@id="${product.bundleId}"]/pkg-ref/@id`, product.bundleId],
    ['/installer-gui-script/pkg-ref', '#com.example.agent.pkg'],
    ['/installer-gui-script/pkg-ref/@installKBytes', '44'],
    ['/installer-gui-script/pkg-ref/@auth', 'root'],
    ['/installer-gui-script/product/@version', '1.2.3'],
  ])('has the value of %s: %s', { tags: ['xmllint'] }, (path, value) => {
    expect(find(text, path)).toBe(value);
  });

  test.each([
    [null, ['x86_64', 'arm64']],
    [[CPU_ARM64], ['arm64']],
    [
      [CPU_ARM64, CPU_X86_64],
      ['x86_64', 'arm64'],
    ],
    [[7], ['x86_64', 'arm64']],
  ])('lists the processors of the program: %j', (cpuTypes, names) => {
    const slices = (cpuTypes ?? []).map((cpuType) => ({
      cpuType,
      cpuSubtype: 0,
      offset: 0,
      size: 1,
    }));
    expect(architecturesOf(cpuTypes && { fat: true, slices })).toEqual(names);
  });

  test.each([
    [undefined, '12.0'],
    ['10.15', '12.0'],
    ['12.3.1', '12.3.1'],
    ['15', '15'],
    ['"/><x', '12.0'],
  ])('requires the app’s minimum system, %s, but at least 12', (requested, oldest) => {
    expect(minimumSystem(requested)).toBe(oldest);
  });
});

describe('the PackageInfo', () => {
  const info = {
    CFBundleIdentifier: 'com.example.agent',
    CFBundleExecutable: 'x',
    CFBundleShortVersionString: '1.2 & 3',
  };
  const text = appPackageInfo({
    identifier: product.bundleId,
    version: product.version,
    appPath: './Applications/A & <B> "C".app',
    info,
    numberOfFiles: 17,
    installKBytes: 44,
  });

  test.each([
    ['/pkg-info/@identifier', product.bundleId],
    ['/pkg-info/@install-location', '/'],
    ['/pkg-info/@relocatable', 'false'],
    ['/pkg-info/@auth', 'root'],
    ['/pkg-info/@format-version', '2'],
    ['/pkg-info/payload/@numberOfFiles', '17'],
    ['/pkg-info/payload/@installKBytes', '44'],
    ['/pkg-info/bundle/@path', './Applications/A & <B> "C".app'],
    ['/pkg-info/bundle/@CFBundleShortVersionString', '1.2 & 3'],
    ['count(/pkg-info/bundle/@CFBundleVersion)', '0'],
    ['/pkg-info/upgrade-bundle/bundle/@id', product.bundleId],
    ['count(/pkg-info/relocate)', '1'],
    ['count(/pkg-info/relocate/*)', '0'],
    ['count(/pkg-info/bundle-version/*)', '0'],
    ['/pkg-info/scripts/preinstall/@file', './preinstall'],
    ['/pkg-info/scripts/postinstall/@file', './postinstall'],
  ])('has the value of %s: %s', { tags: ['xmllint'] }, (path, value) => {
    expect(find(text, path)).toBe(value);
  });

  test('of the uninstaller has a script and no payload', { tags: ['xmllint'] }, () => {
    const script = scriptPackageInfo('com.example.agent.uninstaller', '1.2.3');
    expect(find(script, 'count(//payload)')).toBe('0');
    expect(find(script, '//postinstall/@file')).toBe('./postinstall');
  });
});

describe('the background item', () => {
  test('runs the program in every graphical session, with its id in the environment', () => {
    expect(parse(launchAgent('com.example.agent', '/Applications/A & B.app/x'))).toEqual({
      Label: 'com.example.agent',
      ProgramArguments: ['/Applications/A & B.app/x'],
      EnvironmentVariables: { APP_BUNDLE_ID: 'com.example.agent' },
      RunAtLoad: true,
      KeepAlive: true,
      ProcessType: 'Background',
      LimitLoadToSessionType: 'Aqua',
      AssociatedBundleIdentifiers: ['com.example.agent'],
    });
  });
});

describe('a product', () => {
  test.each([
    ['bundle id agent:', { bundleId: 'agent' }],
    ['bundle id a.b; rm:', { bundleId: 'a.b; rm' }],
    ['bundle id ../a.b:', { bundleId: '../a.b' }],
    ['version 1.2.x:', { version: '1.2.x' }],
    ['version 1.2.3.4.5:', { version: '1.2.3.4.5' }],
    ['app name a/b:', { appName: 'a/b' }],
    ['app name .a:', { appName: '.a' }],
  ])('cannot have the %s', (message, change) => {
    expect(() => checkProduct({ ...product, ...change })).toThrow(message);
  });

  test('can have unusual names', () => {
    expect(() => checkProduct(product)).not.toThrow();
    expect(() => checkProduct({ ...product, appName: "Größe & O'Neill" })).not.toThrow();
  });
});
