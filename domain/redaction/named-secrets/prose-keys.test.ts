import { expect, test } from 'vitest';
import { namedSecret } from './named-secret.ts';
import { marked, unmarked } from '../testing/marked.ts';

const KEY = 'vPD7nRRkLAHhdZuT8ngEWH2JGEL4EJUC';

test.each([
  `Our Honeycomb key is [${KEY}], can you test it?`,
  `The key is now: [${KEY}]`,
  `hey, the Mistral token for staging: [${KEY}]`,
  `the secret for the worker in production is "[${KEY}]".`,
  `La clé Vercel est [${KEY}], mets-la dans la configuration.`,
  `La clé de l'API est \`[${KEY}]\``,
  `Der Mistral-Schlüssel lautet [${KEY}], bitte trag ihn ein.`,
  `A chave do Fastly é [${KEY}], pode colocar no código?`,
  `La clave de producción es [${KEY}].`,
  `La chiave di Okta è [${KEY}]`,
  `De sleutel van Vercel is [${KEY}]`,
  `Klucz do Vercel to [${KEY}]`,
  `Confluent の API キーは [${KEY}] です。`,
  `Die Schlüssel für staging ist jetzt [8088a64ffc218b7f90c1d2e3f4a5b6c7]`,
])('the key in %j', (text) => {
  expect(marked(unmarked(text), namedSecret)).toBe(text);
});

test.each([
  'The primary key is users_2024_archive_v2_old, the foreign key is order_id.',
  'The key is 550e8400-e29b-41d4-a716-446655440000',
  'the key is configuration.authentication.provider',
  'the key for the cache is user:profile:settings:theme',
  'La clé est dans le tiroir. La clé primaire est identifiant_utilisateur.',
  'Der Schlüssel lautet YOUR_MISTRAL_API_KEY_HERE',
  'a token for each of them: authentication-and-authorization',
  'The key is https://example.com/keys/vPD7nRRkLAHhdZuT8ngEWH2J',
])('nothing in %j', (text) => {
  expect(marked(text, namedSecret)).toBe(text);
});
