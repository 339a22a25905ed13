import { describe, expect, test } from 'vitest';
import { fatMachO, thinMachO } from '../../testing/make-app.ts';
import { CPU_ARM64 } from '../../mach-o.ts';
import { createCodeReader } from './code.ts';

/**
 * Reads one file that arrives in chunks of the given size, and returns the facts about its code.
 */
function learn(path: string, bytes: Buffer, pieceSize = 1000) {
  const { read, report } = createCodeReader();
  const reader = read({ path, kind: 'file', mode: 0o100755, size: bytes.length });
  for (let at = 0; at < bytes.length; at += pieceSize)
    reader?.take(bytes.subarray(at, at + pieceSize));
  reader?.end();
  return report;
}

const word = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4);
  return bytes;
};

const ENTITLEMENTS_XML =
  '<plist version="1.0"><dict><key>com.example.on</key><true/>' +
  '<key>com.example.groups</key><array><string>A</string><string>B</string></array></dict></plist>';

/** A code directory with the hardened runtime, a team, and entitlements. */
function signature(): Buffer {
  const names = Buffer.from('com.example.tool\0EXAMPLE123\0');
  const directory = Buffer.concat([Buffer.alloc(52), names]);
  word(0xfade0c02, directory.length, 0x20500, 0x10000).copy(directory);
  directory.writeUInt32BE(52, 20);
  directory.writeUInt32BE(52 + 17, 48);
  const xml = Buffer.from(ENTITLEMENTS_XML);
  const entitled = Buffer.concat([word(0xfade7171, 8 + xml.length), xml]);
  const head = 12 + 2 * 8;
  const length = head + directory.length + entitled.length;
  const index = word(0xfade0cc0, length, 2, 0, head, 5, head + directory.length);
  return Buffer.concat([index, directory, entitled]);
}

/** A thin program whose only load command is that of its signature. */
function signedProgram(sign = signature()): Buffer {
  const program = thinMachO(CPU_ARM64, 2000);
  program.writeUInt32LE(1, 16);
  for (const [i, value] of [0x1d, 16, program.length, sign.length].entries())
    program.writeUInt32LE(value, 32 + i * 4);
  return Buffer.concat([program, sign]);
}

describe('programs', () => {
  test('an unsigned program and its processors', () => {
    expect(learn('./tool', fatMachO()).programs).toEqual([
      { path: './tool', architectures: ['x86_64', 'arm64'], wholeRead: true, signature: null },
    ]);
    expect(learn('./tool', Buffer.from('#!/bin/sh\n')).programs).toEqual([]);
  });

  test.each([7, 1000, 100_000])(
    'the signature of a program, read in chunks of %i bytes',
    (pieceSize) => {
      expect(learn('./tool', signedProgram(), pieceSize).programs[0]?.signature).toEqual({
        identifier: 'com.example.tool',
        teamId: 'EXAMPLE123',
        hardenedRuntime: true,
        adHoc: false,
        entitlements: ['com.example.on', 'com.example.groups=A,B'],
      });
    },
  );

  test('a signature out of bounds is ignored', () => {
    const whole = signedProgram();
    for (const end of [40, 2000, 2010, 2040]) {
      const { programs } = learn('./tool', whole.subarray(0, end));
      expect(programs[0]?.signature ?? null).toBeNull();
    }
    const bad = signature();
    bad.writeUInt32BE(0xffffffff, 16);
    expect(learn('./tool', signedProgram(bad)).programs[0]?.signature).toBeNull();
  });
});

test('fuses are found however the content is split, once per processor', () => {
  const wire = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u000201', 'latin1');
  const bytes = Buffer.concat([Buffer.alloc(990), wire, Buffer.alloc(500), wire]);
  const path = './A.app/Electron Framework';
  const expected = { path, fuses: { RunAsNode: 'off', EnableCookieEncryption: 'on' } };
  for (const pieceSize of [1, 33, 1000, 5000])
    expect(learn(path, bytes, pieceSize).fuses).toEqual([expected, expected]);
});

describe('property lists', () => {
  const plist = (inside: string): Buffer =>
    Buffer.from(`<plist version="1.0"><dict>${inside}</dict></plist>`);

  test('the id of a bundle and the command of a background item', () => {
    const info = plist(
      '<key>CFBundleIdentifier</key><string>com.example</string><key>CFBundleVersion</key>' +
        '<string>7</string><key>LSUIElement</key><true/><key>ElectronAsarIntegrity</key><dict>' +
        '<key>Resources/app.asar</key><dict><key>algorithm</key><string>SHA256</string>' +
        '<key>hash</key><string>abc</string></dict></dict>',
    );
    expect(learn('./Applications/A.app/Contents/Info.plist', info).bundles).toEqual([
      {
        path: './Applications/A.app',
        identifier: 'com.example',
        version: '7',
        inDock: false,
        integrity: [
          {
            path: './Applications/A.app/Contents/Resources/app.asar',
            algorithm: 'SHA256',
            hash: 'abc',
          },
        ],
      },
    ]);
    const item = plist(
      '<key>Label</key><string>com.example</string><key>ProgramArguments</key>' +
        '<array><string>/a</string><string>b</string></array><key>KeepAlive</key><true/>',
    );
    expect(learn('./Library/LaunchAgents/a.plist', item).launchItems).toEqual([
      {
        path: './Library/LaunchAgents/a.plist',
        label: 'com.example',
        command: ['/a', 'b'],
        keptAlive: true,
      },
    ]);
  });

  test('only an app can be in the Dock', () => {
    const info = plist('<key>CFBundleIdentifier</key><string>com.example</string>');
    const inDock = (bundle: string) =>
      learn(`./Applications/${bundle}/Contents/Info.plist`, info).bundles.map((one) => one.inDock);
    expect(inDock('A.app')).toEqual([true]);
    expect(inDock('A.app/Contents/Library/SystemExtensions/x.systemextension')).toEqual([false]);
  });

  test('an invalid property list is ignored', () => {
    expect(learn('./A.app/Contents/Info.plist', Buffer.from('<plist><dict>')).bundles).toEqual([]);
  });
});
