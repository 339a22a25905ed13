import { expect, test } from 'vitest';
import { attachment } from './attachment.ts';

test.each([
  ['Gatehouse.pkg', 'attachment; filename="Gatehouse.pkg"'],
  ['a b.pkg', 'attachment; filename="a b.pkg"'],
  ['Tür "1".pkg', `attachment; filename="T_r _1_.pkg"; filename*=UTF-8''T%C3%BCr%20%221%22.pkg`],
  ['../x.pkg', `attachment; filename=".._x.pkg"; filename*=UTF-8''..%2Fx.pkg`],
  ["a\r\n'(*).pkg", `attachment; filename="a__'(*).pkg"; filename*=UTF-8''a%0D%0A%27%28%2A%29.pkg`],
])('%j', (name, header) => expect(attachment(name)).toBe(header));
