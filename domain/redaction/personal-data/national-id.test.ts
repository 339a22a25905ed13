import { describe, expect, test } from 'vitest';
import { memberRules } from '../member-rules.ts';
import { nationalId } from './national-id.ts';
import { moreNationalIds } from './national-ids-by-name.ts';
import { redactJson } from '../redact-json.ts';
import { marked, unmarked } from '../testing/marked.ts';

describe.each(moreNationalIds)(
  '$country $name $pattern',
  ({ keywords, example, counterExample }) => {
    const name = (keywords ?? 'id').split('|')[0] ?? '';

    test('the example is found, the counter-example is not', () => {
      expect(marked(`${name}: ${example}, ok`, nationalId)).toBe(`${name}: [${example}], ok`);
      expect(nationalId.find(`${name}: ${counterExample}, ok`)).toEqual([]);
    });

    test('a weak format is found with its name only', () => {
      const text = `order ${example} shipped`;
      const expected = keywords === undefined ? `order [${example}] shipped` : text;
      expect(marked(text, nationalId)).toBe(expected);
    });

    test('a member with its name holds the example', () => {
      const rules = { detectors: [nationalId], keys: memberRules([]) };
      const member = `customer_${name.replaceAll(' ', '_')}`;
      const value = { [member]: example, other: counterExample };
      expect(redactJson(value, rules).value).toEqual({ ...value, [member]: '##NATIONAL_ID##' });
    });
  },
);

/** The expected findings are in brackets. */
test.each([
  'id,BSN,active\n17,"[111222333]",true',
  '| NIF | active |\n|---|---|\n| [123456789] | yes |',
  "INSERT INTO person (tfn) VALUES ('[123456782]')",
  'update teudat_zehut=[039337423] ok',
  'BSN: none\nplease see order 111222333',
  'PAN [ABCPK1234F] on file',
  'a.k.: [37806036041]',
  '<td>a.k.</td><td>[39404032917]</td>',
  'applicant:\n  ת_ז: "[350543948]"',
  'part ABCDK1234F or ABCPK0000F',
  'run 12531909-2 failed',
  'uid: 234123412346',
  'at 21:49:56.000000Z, 12:25:10.000000Z',
  'DNI [12.345.678-Z], [12345678Z]',
  '081110 230627 16366 INFO fan ( 3375 4530 3515 3479 ), nr. [230627 16366]',
  'IL 1715 38061612586  354174327    14695',
  '7 [38061612586] IL',
  '"01234567890"',
  '+38012312321',
  'bsn 7 [111222333] 12',
])('the ids in %j', (text) => {
  expect(marked(unmarked(text), nationalId)).toBe(text);
});

test.each([
  ['egn', 7523169263, true],
  ['amka', 1013099997, true],
  ['isikukood', 36805280109, true],
  ['isikukood', 36805280108, false],
  ['id', 36805280109, false],
])('the number of the member %s, %d, is an id: %s', (member, value, expected) => {
  const rules = { detectors: [nationalId], keys: memberRules([]) };
  expect(redactJson({ [member]: value }, rules).value[member] !== value).toBe(expected);
});
