import { describe, expect, test } from 'vitest';
import { builtinDetectors } from '../builtin.ts';
import { memberRules } from '../member-rules.ts';
import { redactJson } from '../redact-json.ts';
import { structuredFields } from './structured-fields.ts';

const rules = {
  detectors: builtinDetectors(['PERSON_NAME', 'POSTAL_ADDRESS']),
  keys: memberRules([]),
};
const masked = (member: string, value: string): string | undefined =>
  redactJson({ [member]: value }, rules).value[member];

describe.each(structuredFields)('$type by $names', ({ type, names, example, counterExample }) => {
  test('is found, and a look-alike is not', () => {
    expect(masked(...example)).toBe(`##${type}##`);
    expect(masked(...counterExample)).toBe(counterExample[1]);
  });

  test('is found under each name in each spelling', () => {
    for (const name of names) {
      const words = name.split(' ');
      const camel = words.map((word, at) => (at ? word[0]?.toUpperCase() + word.slice(1) : word));
      for (const member of [name, words.join('_'), words.join('-'), camel.join(''), words.join('')])
        for (const written of [member, `customer_${member}`, `user.${member}`])
          expect([written, masked(written, example[1])]).toEqual([written, `##${type}##`]);
    }
  });
});

test.each([
  ['name', 'Jane Doe'],
  ['file_name', 'Jane Doe'],
  ['display_name', 'Jane Doe'],
  ['username', 'jane'],
  ['model_name', 'Jane'],
  ['first_name_field', 'Jane'],
  ['first_name', 'string'],
  ['firstName', 'First name'],
  ['first_name', 'Enter your first name'],
  ['first_name', '{{first_name}}'],
  ['first_name', 'user_42'],
  ['full_name', 'Session.open'],
  ['given_name', 'Vorname'],
  ['Start typing a person name', 'Jane Doe'],
  ['family_name', 'Nom de famille'],
  ['middle_name', 'İkinci isim'],
  ['full_name', 'Ονοματεπώνυμο'],
  ['last_name', '姓氏'],
  ['fullName', 'app.models.User'],
  ['last_name', ''],
  ['address', '12 Main Street'],
  ['email_address', 'jane at example'],
  ['mac_address', 'aa:bb:cc:dd:ee:ff'],
  ['street', 'string'],
  ['street_address', 'Street address'],
  ['street_address', 'https://example.com/1 2'],
  ['street', 'x'.repeat(300)],
  ['delivery_address', 'jane@example.com 1'],
  ['zip', 'gzip'],
  ['zip', 'archive-2.zip'],
  ['status_code', '40400'],
  ['city', 'Paris'],
])('the member %s with %j stays', (member, value) => {
  expect(masked(member, value)).toBe(value);
});

test.each(['J.R.R. Tolkien', 'Dr.Mabuse', 'St. John', 'J.Doe', 'Adam Naaman', 'Nomi Navon'])(
  '%j is a name',
  (value) => {
    expect(masked('full_name', value)).toBe('##PERSON_NAME##');
  },
);

test('values are found in lists and in JSON within text, but not in prose', () => {
  const value = {
    function: { name: 'save_contact', arguments: '{"last_name": "Doe", "street": "Main St 5"}' },
    given_names: ['Jane', 'Maria'],
    content: 'her first_name: Jane',
  };
  expect(redactJson(value, rules).value).toEqual({
    function: {
      name: 'save_contact',
      arguments: '{"last_name": "##PERSON_NAME##", "street": "##POSTAL_ADDRESS##"}',
    },
    given_names: ['##PERSON_NAME##', '##PERSON_NAME##'],
    content: 'her first_name: Jane',
  });
});
