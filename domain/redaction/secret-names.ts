/** The words of a name: `dbPassword` and `DB-PASSWORD` are `db`, `password`. */
export const wordsOfName = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/**
 * Words that say that a key, token or id belongs to a service: `stripe_key`, `asana_client_id`.
 * The issuers are those of gitleaks' rules at b58d3f10 that know a key by the name beside it, and
 * providers of models.
 */
const services = new Set(
  `adafruit adobe airtable algolia alibaba aliyun anthropic apollo artifactory asana atlassian auth0 aws
  azure beamer bedrock bitbucket bittrex braintree bintray circleci cloudflare cloudinary codecov codeium
  cohere coinbase confluence confluent contentful cursor databricks datadog deepgram deepseek digitalocean
  discord docker droneci dropbox duffel elastic elevenlabs etsy facebook fastly figma finicity finnhub
  firebase fireworks flickr freshbooks gemini github gitlab gitter gocardless google grafana groq heroku
  hubspot huggingface intercom jenkins jfrog jira kraken kucoin langchain langfuse langsmith launchdarkly
  linear linkedin lob looker mailchimp mailgun mapbox mattermost meraki messagebird mistral mixpanel mongo
  mysql netlify newrelic notion npm nytimes okta openai openrouter opsgenie pagerduty paypal perplexity
  pinecone plaid planetscale postgres postman pubnub rapidapi razorpay redis replicate rollbar segment
  sendbird sendgrid sentry shopify sidekiq slack snowflake snyk sonar splunk spotify square squarespace
  stripe sumo sumologic supabase telegram together travis twilio twitch twitter typeform vercel weaviate
  xai xray yandex zapier zendesk zoom`.split(/\s+/),
);

/** What a `key` is called that opens something: `api_key`, `signing_key`. */
const qualifiers = new Set(
  `access account admin api app auth bot client crypto decryption deploy deployment developer encryption
  ingest insert integration jwt license licence management master org partner personal private project
  rest root secret server service session shared signing ssh storage subscription sync user web webhook
  write`.split(/\s+/),
);

/** Tokens that open nothing: of pages, parsers and models. */
const harmless = new Set(
  `begin bos cancellation continuation continue cursor design eos first last lexer mask max min next num
  pad page pagination prev previous resume special start stop sync unk`.split(/\s+/),
);

/** Words after the one that counts: `password_value`, `API_KEY_PROD`, `secret2`. */
const trailing = new Set(
  'value text string plain base64 b64 prod production dev staging test live new old current env header'.split(
    ' ',
  ),
);

const password = /^(?:\w*(?:password|passwd|passphrase|passcode|pwd)|(?:db)?pass|pw)$/;
const secret =
  /^(?:\w*secret|\w*apikey|\w*(?:api|access|auth|secret|bearer|refresh)token|token|(?:secret|private|access)key|credentials?|creds?|authorization|auth|bearer|pat)$/;

export type SecretKind = 'password' | 'secret';

/** The words of a name without what numbers or qualifies it: of `dbPassword2` `db`, `password`. */
const wordsOf = (name: string): string[] => {
  const words = wordsOfName(name)
    .map((word) => word.replace(/(?<=[a-z]{3})\d+$/, ''))
    .filter((word) => word !== '' && !/^\d+$/.test(word));
  while (words.length > 1 && trailing.has(words.at(-1) ?? '')) words.pop();
  return words;
};

/** What the value of a variable, setting, header, option or member of this name usually is. */
export function secretKindOf(name: string): SecretKind | undefined {
  const words = wordsOf(name);
  const last = (words.at(-1) ?? '').replace(/(?<=password|secret|key|credential)s$/, '');
  const before = words.at(-2) ?? '';
  if (password.test(last)) return 'password';
  if (last === 'token' && harmless.has(before)) return undefined;
  if (secret.test(last)) return 'secret';
  const ofService = words.some((word) => services.has(word)) || namesService(words);
  if (last === 'key') return qualifiers.has(before) || ofService ? 'secret' : undefined;
  if (last === 'id' && /^(?:client|access|app|api)$/.test(before))
    return ofService ? 'secret' : undefined;
  return undefined;
}

/** Services whose name is written in two words, as in `NEW_RELIC_KEY`. */
const namesService = (words: readonly string[]): boolean =>
  words.some((word, index) => services.has(word + (words[index + 1] ?? '')));

/** Words that stand in examples where the key goes: `sk-your-key-here`, `ghp_xxxxxxxxxxxxxxxx`. */
const wording = /your[-_]?|x{5,}|\*{3,}|\.{3,}|placeholder|redacted|changeme|insert[-_]|dummy[-_]/i;

const FEWEST_CHARACTERS = 6;

/**
 * Is it an example rather than a key? Random text of this length mixes characters: it is not made of
 * a handful of them, and if it has parts they hold digits or both cases, as words do not.
 */
export function isExampleKey(body: string): boolean {
  if (wording.test(body)) return true;
  const isMixed = /\d/.test(body) || (/[a-z]/.test(body) && /[A-Z]/.test(body));
  if (!isMixed && /[-_. ]/.test(body)) return true;
  return isOfFewCharacters(body);
}

/** Most values can be ruled out by their first characters. */
function isOfFewCharacters(body: string): boolean {
  const seen = new Set<string>();
  for (const character of body) if (seen.add(character).size === FEWEST_CHARACTERS) return false;
  return true;
}
