/**
 * Splits a name into words: `dbPassword` and `DB-PASSWORD` become `db`, `password`. Latin letters lose
 * their marks: `contraseña` becomes `contrasena`.
 */
export const wordsOfName = (name: string): string[] =>
  withoutMarks(name)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');

const nonAscii = /[^\0-\x7F]/;
const withoutMarks = (name: string): string =>
  nonAscii.test(name)
    ? name
        .normalize('NFD')
        .replaceAll(/[\u0300-\u036F]/g, '')
        .normalize('NFC')
        .replaceAll(/[łŁ]/g, 'l')
        .replaceAll(/[øØ]/g, 'o')
        .replaceAll('ı', 'i')
    : name;

/**
 * Words for a service whose key, token or id is a secret: `stripe_key`, `asana_client_id`. They are
 * the issuers in gitleaks' rules at b58d3f10 that need a name next to the key, and model providers.
 */
const services = new Set(
  `adafruit adobe airtable algolia algoliasearch alibaba aliyun anthropic apollo artifactory asana atlassian auth0 aws
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

export const isServiceName = (word: string): boolean => services.has(word);

/** Qualifiers of a `key` that is a secret: `api_key`, `signing_key`. */
const qualifiers = new Set(
  `access account admin aes api app auth bot client cookie crypto csrf decryption deploy deployer deployment developer
  encryption fernet hmac ingest insert integration jwt license licence management master org partner personal preshared priv private project
  rest root routing secret server service session shared signing ssh storage subscription sync unseal user validation web webhook
  wep write`.split(/\s+/),
);

/** Qualifiers of tokens that are not secrets: of pages, parsers and models. */
const harmless = new Set(
  `begin bos cancellation continuation continue cursor design eos first last lexer mask max min next num
  pad page pagination prev previous resume special start stop sync unk`.split(/\s+/),
);

/** Qualifiers of a pass that is a step or a success: `byPass`, `allPass`, `DEPTH_PASS`. */
const steps = new Set(
  `all any by depth each final first last multi on one render second shader single stencil sub test tests
  two`.split(/\s+/),
);

/** Words after the significant one: `password_value`, `API_KEY_PROD`, `secret2`. */
const trailing = new Set(
  `value text string plain plaintext cleartext base base64 b64 prod production dev staging test live new
  old current default env header ro rw readonly readwrite binary v1 v2 v3 v4`.split(/\s+/),
);
/** Words after a password, mostly of a form with two fields for it: `password_confirmation`. */
const trailingPassword = new Set(
  `confirm confirmation confirmed repeat repeated repetition again verify verification retype retyped
  check challenge admin root db database hash hashed`.split(/\s+/),
);

/** In English, German, Dutch and Portuguese. */
const password =
  /^(?:\w*(?:password|passwd|passphrase|passcode|pwd|passwort|kennwort|wachtwoord)|senha|(?:admin|db|ftp|imap|key|keystore|ldap|mail|proxy|remote|require|root|smtp|sql|store|user)?pass|(?:bind|root)?pw|psk|masterauth)$/;
/** In other languages, without marks: see `wordsOfName`. */
const passwordElsewhere = new RegExp(
  `^(?:${`motdepasse mdp contrasena contrasenya palavrapasse parola haslo heslo geslo losenord passord
  adgangskode salasana jelszo lozinka sifre slaptazodis пароль 密码 密碼 口令 パスワード 暗証番号 비밀번호 암호
  סיסמה पासवर्ड รหัสผ่าน 密钥 密鑰 秘密鍵 암호 kodeord zugangscode geheimschlussel sandi`
    .split(/\s+/)
    .join('|')})$`,
);
/** The last two words of such a name, joined. */
const passwordInTwoWords = new RegExp(
  `^(?:${`κωδικοςπροσβασης كلمةالسر كلمةالمرور matkhau clesecrete clavesecreta chavesecreta
  chiavesegreta geheimesleutel hemlignyckel секретныйключ dacces dordine`
    .split(/\s+/)
    .join('|')})$`,
);
/** The password of SNMP, by the last word or the last two of its name (RFC 1157, 3.2.5). */
const community = /^(?:snmp|r[ow]|read|write|trap)community6?$|^communitystring$/;
const secret =
  /^(?:\w*secret|\w*apikey|\w*(?:api|access|auth|secret|bearer|refresh|csrf|xsrf|identity|middleware|session)token|token|totp|\w*authtok|\w*(?:secret|private)key|(?:priv|access)key|credentials?|creds?|authorization|auth|bearer|pat|pepper)$/;

/**
 * The last two words of such names, joined: salts that are keys of signatures, in Drupal, Rails, Phoenix and WordPress;
 * codes of OAuth (RFC 7636, 4.1; RFC 8628, 3.2) and SAML (SAML 2.0 Bindings, 3.5.4); the secret of an AppRole in Vault.
 */
const secretInTwoWords =
  /signing$|^(?:(?:auth|cookie|derivation|hash|nonce|secure|session|signing)salt|codeverifier|devicecode|samlresponse|secretid)$/;

const isPasswordName = (last: string, before: string): boolean =>
  password.test(last) ||
  passwordElsewhere.test(last) ||
  (last === 'passe' && /^(?:de|palavra)$/.test(before)) ||
  passwordInTwoWords.test(before + last) ||
  community.test(last) ||
  community.test(before + last);

export type SecretKind = 'password' | 'secret';

const isTrailing = (last: string, before: string): boolean =>
  trailing.has(last) || (trailingPassword.has(last) && password.test(before));

/**
 * The words of a name without numbers and trailing qualifiers: `dbPassword2` becomes `db`,
 * `password`.
 */
const wordsOf = (name: string): string[] => {
  const words = wordsOfName(name)
    .map((word) => word.replace(/(?<=[a-z]{3})\d+$/, ''))
    .filter((word) => word !== '' && !/^\d+$/.test(word));
  while (words.length > 1 && isTrailing(words.at(-1) ?? '', words.at(-2) ?? '')) words.pop();
  // `client-key-data` in a kubeconfig.
  if (words.at(-1) === 'data' && words.at(-2) === 'key') words.pop();
  return words;
};

const isHarmless = (last: string, before: string): boolean =>
  (last === 'pass' && steps.has(before)) || (last === 'token' && harmless.has(before));

/** `PublicKeyToken` (learn.microsoft.com/dotnet/standard/assembly/strong-named). */
const isHashOfPublicKey = (words: readonly string[]): boolean =>
  words.slice(-3).join(' ') === 'public key token';

/** The kind of secret that a variable, setting, header, option or member of this name holds. */
export function secretKindOf(name: string): SecretKind | undefined {
  const words = wordsOf(name);
  const last = (words.at(-1) ?? '').replace(/(?<=password|secret|key|credential)s$/, '');
  const before = words.at(-2) ?? '';
  if (isHarmless(last, before) || isHashOfPublicKey(words)) return undefined;
  if (isPasswordName(last, before)) return 'password';
  if (secret.test(last) || secretInTwoWords.test(before + last)) return 'secret';
  const isOfService = namesService(words);
  if (last === 'key') return qualifiers.has(before) || isOfService ? 'secret' : undefined;
  if (last === 'id' && /^(?:client|access|app|api)$/.test(before))
    return isOfService ? 'secret' : undefined;
  return undefined;
}

/** Whether a word or two name a service, as in `NEW_RELIC_KEY`. */
const namesService = (words: readonly string[]): boolean =>
  words.some((word, index) => services.has(word) || services.has(word + (words[index + 1] ?? '')));

/** Words in example keys: `sk-your-key-here`, `ghp_xxxxxxxxxxxxxxxx`. */
const exampleWords =
  /your[-_]?|x{5,}|\*{3,}|\.{3,}|placeholder|redacted|changeme|insert[-_]|dummy[-_]/i;

const MIN_DIFFERENT_CHARACTERS = 6;

/**
 * Whether the text is an example instead of a key. A random text of this length has many different
 * characters, and its parts contain digits or mixed case, unlike words.
 */
export function isExampleKey(body: string): boolean {
  if (exampleWords.test(body)) return true;
  const isMixed = /\d/.test(body) || (/[a-z]/.test(body) && /[A-Z]/.test(body));
  if (!isMixed && /[-_. ]/.test(body)) return true;
  return hasFewCharacters(body);
}

/** A test of the first characters rules out most values. */
function hasFewCharacters(body: string): boolean {
  const seen = new Set<string>();
  for (const character of body)
    if (seen.add(character).size === MIN_DIFFERENT_CHARACTERS) return false;
  return true;
}
