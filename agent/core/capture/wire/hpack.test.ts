import { describe, expect, test } from 'vitest';
import { createHpackDecoder } from './hpack.ts';
import { hpackStaticTable } from './hpack-static-table.ts';

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.replaceAll(/\s/g, '').match(/../g) ?? [], (pair) =>
    Number(`0x${pair}`),
  );
}

function decodeAll(blocks: readonly string[]): string[] {
  const decoder = createHpackDecoder();
  return blocks.map((block) =>
    decoder
      .decode(bytes(block))
      .map((field) => field.join(': '))
      .join('\n'),
  );
}

const requests = [
  ':method: GET\n:scheme: http\n:path: /\n:authority: www.example.com',
  ':method: GET\n:scheme: http\n:path: /\n:authority: www.example.com\ncache-control: no-cache',
  ':method: GET\n:scheme: https\n:path: /index.html\n:authority: www.example.com\ncustom-key: custom-value',
];
const responses = [
  ':status: 302\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:21 GMT\nlocation: https://www.example.com',
  ':status: 307\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:21 GMT\nlocation: https://www.example.com',
  ':status: 200\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:22 GMT\nlocation: https://www.example.com\ncontent-encoding: gzip\nset-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
];
const TABLE_OF256 = '3fe101';

describe('the examples of RFC 7541, appendix C', () => {
  test.each<[string, string[], string[]]>([
    [
      'C.2.1',
      ['400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572'],
      ['custom-key: custom-header'],
    ],
    ['C.2.2', ['040c 2f73 616d 706c 652f 7061 7468'], [':path: /sample/path']],
    ['C.2.3', ['1008 7061 7373 776f 7264 0673 6563 7265 74'], ['password: secret']],
    ['C.2.4', ['82'], [':method: GET']],
    [
      'C.3, requests',
      [
        '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
        '8286 84be 5808 6e6f 2d63 6163 6865',
        '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
      ],
      requests,
    ],
    [
      'C.4, requests with Huffman codes',
      [
        '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
        '8286 84be 5886 a8eb 1064 9cbf',
        '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
      ],
      requests,
    ],
    [
      'C.5, responses, with a table of 256 bytes',
      [
        `${TABLE_OF256} 4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d`,
        '4803 3330 37c1 c0bf',
        '88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31',
      ],
      responses,
    ],
    [
      'C.6, responses with Huffman codes, with a table of 256 bytes',
      [
        `${TABLE_OF256} 4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3`,
        '4883 640e ffc1 c0bf',
        '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07',
      ],
      responses,
    ],
  ])('%s', (_, blocks, expected) => expect(decodeAll(blocks)).toEqual(expected));
});

/** Adds a field `a: x…` of this size (RFC 7541, 4.1) to the table. */
function indexed(size: number, value = 'x'): Uint8Array {
  const length = size - 33;
  const rest = length - 127;
  const coded =
    length < 127 ? [length] : [127, (rest & 127) | 128, ((rest >> 7) & 127) | 128, rest >> 14];
  return Uint8Array.from([
    0x40,
    1,
    0x61,
    ...coded,
    ...Array<number>(length).fill(value.charCodeAt(0)),
  ]);
}

describe('the dynamic table', () => {
  test('evicts the oldest fields beyond its size', () => {
    const decoder = createHpackDecoder();
    for (const value of ['1', '2', '3']) decoder.decode(indexed(2048, value));
    expect(decoder.decode(bytes('be bf')).map(([, value]) => value[0])).toEqual(['3', '2']);
    expect(() => decoder.decode(bytes('c0'))).toThrow('index');
  });

  test('stores a field of exactly its size, but no larger one', () => {
    const decoder = createHpackDecoder();
    decoder.decode(indexed(4096));
    expect(decoder.decode(bytes('be'))).toHaveLength(1);
    decoder.decode(indexed(4097));
    expect(() => decoder.decode(bytes('be'))).toThrow('index');
  });

  test('is emptied by a size of 0 and can grow again', () => {
    const decoder = createHpackDecoder();
    decoder.decode(indexed(100));
    decoder.decode(bytes('20 3fe11f'));
    expect(() => decoder.decode(bytes('be'))).toThrow('index');
    decoder.decode(indexed(100));
    expect(decoder.decode(bytes('be'))).toHaveLength(1);
  });

  test('has the size that the sender announces, up to the maximum of the receiver', () => {
    const to8192 = '3fe13f';
    expect(() => createHpackDecoder().decode(bytes(to8192))).toThrow('larger than allowed');
    const decoder = createHpackDecoder();
    decoder.allowTableSize(8192);
    decoder.allowTableSize(0); // announced later; the sender may not have seen it
    for (let i = 0; i < 3; i++) decoder.decode(indexed(2048));
    expect(() => decoder.decode(bytes('c0'))).toThrow('index');
    decoder.decode(bytes(to8192));
    for (let i = 0; i < 4; i++) decoder.decode(indexed(2048));
    expect(decoder.decode(bytes('c1'))).toHaveLength(1);
  });

  test('is limited to 256 KiB, even if the receiver allows more', () => {
    const decoder = createHpackDecoder();
    decoder.allowTableSize(2 ** 32 - 1);
    decoder.decode(bytes('3fe1ff7f')); // 2 MiB
    for (let i = 0; i < 5; i++) decoder.decode(indexed(65_536, `${i}`));
    expect(decoder.decode(bytes('be c1')).map(([, value]) => value[0])).toEqual(['4', '1']);
    expect(() => decoder.decode(bytes('c2'))).toThrow('index');
  });

  test('stays correct over thousands of fields', () => {
    const decoder = createHpackDecoder();
    for (let i = 0; i < 5000; i++) {
      decoder.decode(indexed(33 + (i % 60), String.fromCharCode(33 + (i % 90))));
      if (i < 17) continue;
      const [newest, older] = decoder.decode(bytes('be cf')); // 0 and 17 back
      expect(newest?.[1]).toBe(String.fromCharCode(33 + (i % 90)).repeat(i % 60));
      expect(older?.[1]).toBe(String.fromCharCode(33 + ((i - 17) % 90)).repeat((i - 17) % 60));
    }
  });
});

describe('invalid blocks', () => {
  test.each([
    ['an index of 0', '80', 'index'],
    ['an index behind the table', 'be', 'index'],
    ['a name behind the table', '7f00 0161', 'index'],
    ['a string cut short', '0003 6162', 'truncated'],
    ['a number cut short', 'ffff', 'truncated'],
    ['a number without an end', 'ffff ffff ffff ffff', 'too large'],
    ['a new table size behind a field', '82 20', 'within a block'],
    ['a Huffman string that ends within a code', '0081 ff 00', 'truncated'],
    ['padding of a whole byte', '0082 1fff 00', 'truncated'],
    ['padding with zeros', '0081 18 00', 'truncated'],
    ['the end of a string within it', '0084 ffff ffff 00', 'invalid Huffman code'],
  ])('%s', (_, block, reason) => {
    expect(() => createHpackDecoder().decode(bytes(block))).toThrow(reason);
  });

  test('include those with more than 256 KiB of headers', () => {
    const decoder = createHpackDecoder();
    decoder.decode(indexed(4096));
    const repeated = (count: number) => new Uint8Array(count).fill(0xbe);
    expect(decoder.decode(repeated(64))).toHaveLength(64);
    expect(() => decoder.decode(repeated(65))).toThrow('more than 262144 bytes');
  });
});

describe('header names', () => {
  test('are in lower case', () => expect(decodeAll(['0003 41 2d42 0141'])).toEqual(['a-b: A']));

  test('there are 61 in the static table', () => expect(hpackStaticTable).toHaveLength(61));
});
