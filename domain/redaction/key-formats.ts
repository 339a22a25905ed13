import {
  ALNUM,
  ANY_HEX,
  BASE32,
  BASE64,
  DIGIT,
  DOTTED,
  HEX,
  type KeyFormat,
  LETTER,
  LOWER,
  UPPER,
  URL_SAFE,
  URL_SAFE_PADDED,
  WORD,
} from './key-format.ts';

const format = (
  issuer: string,
  begins: string,
  parts: KeyFormat['parts'],
  source: string,
): KeyFormat => ({ issuer, begins: begins.split(' '), parts, source });

const exact = (...row: Parameters<typeof format>): KeyFormat => ({
  ...format(...row),
  exact: true,
});

/**
 * Keys that can be detected without a name next to them. `gitleaks` in a source is its rule of that
 * name at b58d3f10. Minimum lengths are shorter than documented if the issuer has changed them
 * before, or if a truncated key still grants access.
 */
export const keyFormats: readonly KeyFormat[] = [
  // Model providers
  format(
    'OpenAI, Anthropic and others',
    'sk-',
    [[URL_SAFE, 20, 200]],
    'gitleaks openai-api-key, anthropic-api-key',
  ),
  format('Hugging Face', 'hf_ api_org_', [[ALNUM, 20, 200]], 'gitleaks huggingface-access-token'),
  format('Groq', 'gsk_', [[ALNUM, 20, 200]], 'console.groq.com/docs'),
  format('xAI', 'xai-', [[ALNUM, 20, 200]], 'docs.x.ai'),
  format('Perplexity', 'pplx-', [[ALNUM, 20, 200]], 'gitleaks perplexity-api-key'),
  format('Replicate', 'r8_', [[ALNUM, 20, 200]], 'replicate.com/docs'),
  format('Fireworks', 'fw_', [[ALNUM, 22, 64]], 'docs.fireworks.ai'),
  format('NVIDIA', 'nvapi-', [[URL_SAFE, 40, 100]], 'docs.api.nvidia.com'),
  format('LangSmith', 'lsv2_pt_ lsv2_sk_', [[HEX, 32], '_', [HEX, 10]], 'docs.smith.langchain.com'),
  format('Langfuse', 'sk-lf- pk-lf-', [[URL_SAFE, 36]], 'langfuse.com/docs'),
  // Gatehouse
  format('Gatehouse', 'svc_sk_ svc_su_ svc_sd_', [[WORD, 8, 200]], 'docs/identity.md'),
  // Source code and packages
  format('GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_', [[WORD, 20, 255]], 'gitleaks github-pat'),
  format('GitHub', 'github_pat_', [[WORD, 22, 255]], 'gitleaks github-fine-grained-pat'),
  format(
    'GitLab',
    'glpat- gldt- glft- glrt- glsoat- glffct-',
    [[URL_SAFE, 20, 300]],
    'gitleaks gitlab-pat',
  ),
  format(
    'GitLab',
    'glcbt-',
    [[ALNUM, 1, 5], '_', [URL_SAFE, 20, 300]],
    'gitleaks gitlab-cicd-job-token',
  ),
  format(
    'GitLab',
    'glimt- glagent- gloas- glptt-',
    [[URL_SAFE, 25, 300]],
    'gitleaks gitlab-incoming-mail-token',
  ),
  format('GitLab', 'GR1348941', [[URL_SAFE, 20, 100]], 'gitleaks gitlab-rrt'),
  format('Bitbucket', 'ATBB', [[ALNUM, 32]], 'support.atlassian.com'),
  format('Atlassian', 'ATATT3', [[URL_SAFE_PADDED, 60, 300]], 'gitleaks atlassian-api-token'),
  format('Sourcegraph', 'sgp_', [[ANY_HEX, 40]], 'gitleaks sourcegraph-access-token'),
  format(
    'Sourcegraph',
    'sgp_',
    [[ANY_HEX, 16], '_', [ANY_HEX, 40]],
    'gitleaks sourcegraph-access-token',
  ),
  format('Sourcegraph', 'sgp_local_', [[ANY_HEX, 40]], 'gitleaks sourcegraph-access-token'),
  format('npm', 'npm_', [[ALNUM, 20, 200]], 'gitleaks npm-access-token'),
  format('PyPI', 'pypi-', [[URL_SAFE, 20, 1000]], 'gitleaks pypi-upload-token'),
  format('RubyGems', 'rubygems_', [[HEX, 48]], 'gitleaks rubygems-api-token'),
  format('Clojars', 'CLOJARS_', [[LOWER, 60]], 'gitleaks clojars-api-token'),
  format('Docker', 'dckr_pat_ dckr_oat_', [[URL_SAFE, 20, 200]], 'docs.docker.com'),
  exact('Artifactory', 'AKCp', [[ALNUM, 69, 73]], 'gitleaks artifactory-api-key'),
  exact('Artifactory', 'cmVmd', [[ALNUM, 59]], 'gitleaks artifactory-reference-token'),
  // Clouds
  exact(
    'AWS',
    'AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA A3T',
    [[BASE32, 16, 17]],
    'gitleaks aws-access-token',
  ),
  format(
    'AWS Bedrock',
    'ABSK',
    [[BASE64, 109, 271]],
    'gitleaks aws-amazon-bedrock-api-key-long-lived',
  ),
  format(
    'AWS Bedrock',
    'bedrock-api-key-',
    ['YmVkcm9jay5hbWF6b25hd3MuY29t', [BASE64, 0, 2000]],
    'gitleaks aws-amazon-bedrock-api-key-short-lived',
  ),
  format('Google', 'AIza', [[URL_SAFE, 35]], 'gitleaks gcp-api-key'),
  format('Google', 'ya29. GOCSPX-', [[URL_SAFE, 20, 400]], 'developers.google.com/identity'),
  format('Google', '1//0', [[URL_SAFE, 40, 200]], 'developers.google.com/identity'),
  exact('Alibaba Cloud', 'LTAI', [[ALNUM, 12, 24]], 'gitleaks alibaba-access-key-id'),
  format('Yandex Cloud', 'AQVN', [[URL_SAFE, 35, 38]], 'gitleaks yandex-api-key'),
  format('DigitalOcean', 'dop_v1_ doo_v1_ dor_v1_', [[ANY_HEX, 64]], 'gitleaks digitalocean-pat'),
  format('Databricks', 'dapi', [[HEX, 32]], 'gitleaks databricks-api-token'),
  format('Cloudflare', 'v1.0-', [[HEX, 24], '-', [HEX, 146]], 'gitleaks cloudflare-origin-ca-key'),
  format('Heroku', 'HRKU-', [[URL_SAFE, 36, 66]], 'gitleaks heroku-api-key-v2'),
  format('Fly.io', 'fo1_', [[URL_SAFE, 43]], 'gitleaks flyio-access-token'),
  format('Fly.io', 'fm1a_ fm1r_ fm2_', [[BASE64, 100, 2000]], 'gitleaks flyio-access-token'),
  format(
    'PlanetScale',
    'pscale_tkn_ pscale_oauth_ pscale_pw_',
    [[DOTTED, 32, 64]],
    'gitleaks planetscale-api-token',
  ),
  format('Supabase', 'sbp_', [[HEX, 40]], 'supabase.com/docs'),
  exact('ClickHouse', '4b1d', [[ALNUM, 38]], 'gitleaks clickhouse-cloud-api-secret-key'),
  format('Scalingo', 'tk-us-', [[URL_SAFE, 48]], 'gitleaks scalingo-api-token'),
  format('OpenShift', 'sha256~', [[URL_SAFE, 43]], 'gitleaks openshift-user-token'),
  // Secrets and infrastructure
  format(
    'HashiCorp Vault',
    'hvs. hvb. hvr.',
    [[URL_SAFE, 24, 300]],
    'gitleaks vault-service-token',
  ),
  exact('HashiCorp Vault', 's.', [[ALNUM, 24]], 'gitleaks vault-service-token'),
  exact(
    '1Password',
    'A3-',
    [[UPPER, 6], '-', [UPPER, 11], '-', [UPPER, 5], '-', [UPPER, 5], '-', [UPPER, 5]],
    'gitleaks 1password-secret-key',
  ),
  exact(
    '1Password',
    'A3-',
    [
      [UPPER, 6],
      '-',
      [UPPER, 6],
      '-',
      [UPPER, 5],
      '-',
      [UPPER, 5],
      '-',
      [UPPER, 5],
      '-',
      [UPPER, 5],
    ],
    'gitleaks 1password-secret-key',
  ),
  format('1Password', 'ops_eyJ', [[BASE64, 60, 4000]], 'gitleaks 1password-service-account-token'),
  format('age', 'AGE-SECRET-KEY-1', [[UPPER, 58]], 'gitleaks age-secret-key'),
  format(
    'Doppler',
    'dp.pt. dp.st. dp.ct. dp.sa.',
    [[DOTTED, 40, 64]],
    'gitleaks doppler-api-token',
  ),
  format('Infracost', 'ico-', [[ALNUM, 32]], 'gitleaks infracost-api-token'),
  format('Prefect', 'pnu_', [[ALNUM, 36]], 'gitleaks prefect-api-token'),
  format('Pulumi', 'pul-', [[HEX, 40]], 'gitleaks pulumi-api-token'),
  format(
    'Harness',
    'pat. sat.',
    [[URL_SAFE, 22], '.', [ALNUM, 24], '.', [ALNUM, 20]],
    'gitleaks harness-api-key',
  ),
  exact('Octopus Deploy', 'API-', [[UPPER, 26]], 'gitleaks octopus-deploy-api-key'),
  format('Tailscale', 'tskey-', [[URL_SAFE, 20, 100]], 'tailscale.com/kb'),
  format(
    'Defined Networking',
    'dnkey-',
    [[URL_SAFE_PADDED, 26], '-', [URL_SAFE_PADDED, 52]],
    'gitleaks defined-networking-api-token',
  ),
  format(
    'Authress',
    'sc_ ext_ scauth_ authress_',
    [
      [LOWER, 5, 30],
      '.',
      [LOWER, 4, 6],
      '.acc',
      [URL_SAFE, 11, 33],
      '.',
      ['A-Za-z0-9+/_=-', 30, 120],
    ],
    'gitleaks authress-service-client-access-key',
  ),
  // Monitoring
  format('Dynatrace', 'dt0c01.', [[ALNUM, 24], '.', [ALNUM, 64]], 'gitleaks dynatrace-api-token'),
  format('Grafana', 'glc_', [[BASE64, 32, 400]], 'gitleaks grafana-cloud-api-token'),
  format(
    'Grafana',
    'glsa_',
    [[ALNUM, 32], '_', [ANY_HEX, 8]],
    'gitleaks grafana-service-account-token',
  ),
  format('Grafana', 'eyJrIjoi', [[BASE64, 70, 400]], 'gitleaks grafana-api-key'),
  format(
    'Sentry',
    'sntrys_eyJpYXQiO',
    [[BASE64, 20, 500], '_', [BASE64, 43]],
    'gitleaks sentry-org-token',
  ),
  format('Sentry', 'sntryu_', [[HEX, 64]], 'gitleaks sentry-user-token'),
  format('New Relic', 'NRAK- NRII- NRJS-', [[URL_SAFE, 19, 64]], 'gitleaks new-relic-user-api-key'),
  format('Sonar', 'squ_ sqp_ sqa_', [[LOWER, 40]], 'gitleaks sonar-api-token'),
  format('ReadMe', 'rdme_', [[LOWER, 70]], 'gitleaks readme-api-token'),
  // Messages and work
  format(
    'Slack',
    'xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xapp-',
    [[URL_SAFE, 10, 255]],
    'gitleaks slack-bot-token',
  ),
  format(
    'Slack',
    'xoxe.xoxb- xoxe.xoxp-',
    [[URL_SAFE, 20, 200]],
    'gitleaks slack-config-access-token',
  ),
  format(
    'Slack',
    'hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/',
    [[BASE64, 40, 100]],
    'gitleaks slack-webhook-url',
  ),
  format(
    'Discord',
    'discord.com/api/webhooks/ discordapp.com/api/webhooks/',
    [[DIGIT, 17, 20], '/', [URL_SAFE, 60, 100]],
    'discord.com/developers/docs',
  ),
  format('Twilio', 'SK', [[ANY_HEX, 32]], 'gitleaks twilio-api-key'),
  format('SendGrid', 'SG.', [[DOTTED, 34, 80]], 'gitleaks sendgrid-api-token'),
  format(
    'Brevo',
    'xkeysib- xsmtpsib-',
    [[HEX, 64], '-', [ALNUM, 16]],
    'gitleaks sendinblue-api-token',
  ),
  format('Mailgun', 'key- pubkey-', [[HEX, 32]], 'gitleaks mailgun-private-api-token'),
  format('Postman', 'PMAK-', [[ANY_HEX, 24], '-', [ANY_HEX, 34]], 'gitleaks postman-api-token'),
  format('Linear', 'lin_api_ lin_oauth_', [[ALNUM, 16, 200]], 'gitleaks linear-api-key'),
  format('Notion', 'ntn_ secret_', [[ALNUM, 40, 60]], 'gitleaks notion-api-token'),
  format(
    'Airtable',
    'pat',
    [[ALNUM, 14], '.', [HEX, 64]],
    'gitleaks airtable-personnal-access-token',
  ),
  format('Figma', 'figd_ figo_', [[URL_SAFE, 40, 60]], 'figma.com/developers'),
  format('Frame.io', 'fio-u-', [[URL_SAFE_PADDED, 64]], 'gitleaks frameio-api-token'),
  format('Typeform', 'tfp_', [[DOTTED, 59]], 'gitleaks typeform-api-token'),
  format('Mapbox', 'pk. sk. tk.', [[ALNUM, 60], '.', [URL_SAFE, 22]], 'gitleaks mapbox-api-token'),
  format('Telegram', 'bot', [[DIGIT, 8, 10], ':A', [URL_SAFE, 34]], 'core.telegram.org/bots/api'),
  format('Adobe', 'p8e-', [[ALNUM, 32]], 'gitleaks adobe-client-secret'),
  format('Facebook', 'EAAM EAAC', [[ALNUM, 100, 500]], 'gitleaks facebook-page-access-token'),
  format('42', 's-s4t2ud- s-s4t2af-', [[HEX, 64]], 'gitleaks intra42-client-secret'),
  format(
    'SettleMint',
    'sm_aat_ sm_pat_ sm_sat_',
    [[ALNUM, 16]],
    'gitleaks settlemint-application-access-token',
  ),
  // Money
  format(
    'Stripe',
    'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ pk_live_ pk_test_',
    [[ALNUM, 10, 200]],
    'gitleaks stripe-access-token',
  ),
  format('Stripe', 'whsec_', [[BASE64, 20, 200]], 'docs.stripe.com/webhooks'),
  format('Square', 'EAAA sq0atp- sq0csp-', [[URL_SAFE, 22, 60]], 'gitleaks square-access-token'),
  format(
    'Shopify',
    'shpat_ shpca_ shppa_ shpss_',
    [[ANY_HEX, 32]],
    'gitleaks shopify-access-token',
  ),
  format('Shippo', 'shippo_live_ shippo_test_', [[ANY_HEX, 40]], 'gitleaks shippo-api-token'),
  format(
    'Duffel',
    'duffel_test_ duffel_live_',
    [[URL_SAFE_PADDED, 43]],
    'gitleaks duffel-api-token',
  ),
  format('EasyPost', 'EZAK EZTK', [[ALNUM, 54]], 'gitleaks easypost-api-token'),
  format(
    'Flutterwave',
    'FLWSECK_TEST- FLWPUBK_TEST- FLWSECK- FLWPUBK-',
    [[LOWER, 12, 34]],
    'gitleaks flutterwave-secret-key',
  ),
  format(
    'GoCardless, Lob',
    'live_ test_',
    [[LOWER, 35]],
    'gitleaks gocardless-api-token, lob-api-key',
  ),
  format('GoCardless', 'live_', [[URL_SAFE_PADDED, 40]], 'gitleaks gocardless-api-token'),
  format('Lob', 'live_pub_ test_pub_', [[HEX, 31]], 'gitleaks lob-pub-api-key'),
  format(
    'Plaid',
    'access-sandbox- access-development- access-production-',
    [[HEX, 8], '-', [HEX, 4], '-', [HEX, 4], '-', [HEX, 4], '-', [HEX, 12]],
    'gitleaks plaid-api-token',
  ),
];

/** Keys whose distinctive part is in the middle or at the end. */
export interface MarkedFormat {
  issuer: string;
  /** The distinctive literal part. */
  mark: string;
  /** The parts before and after the mark, as sources of regular expressions of bounded length. */
  before: string;
  after: string;
  /** An example key in pieces, so that secret scanners do not report this table. */
  example: readonly string[];
  source: string;
}

export const markedFormats: readonly MarkedFormat[] = [
  {
    issuer: 'HCP Terraform',
    mark: '.atlasv1.',
    before: `[${ALNUM}]{14}`,
    after: `[${URL_SAFE_PADDED}]{60,70}`,
    example: ['a1B2c3D4e5F6g7', '.atlasv1.', 'a1B2c3D4e5F6'.repeat(5)],
    source: 'gitleaks hashicorp-tf-api-token',
  },
  {
    issuer: 'Microsoft Entra',
    mark: 'Q~',
    before: '[A-Za-z0-9_~.]{3}[0-9]',
    after: '[A-Za-z0-9_~.-]{31,34}',
    example: ['a1B8', 'Q~', 'a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8'],
    source: 'gitleaks azure-ad-client-secret',
  },
  {
    issuer: 'MaxMind',
    mark: '_mmk',
    before: `[${ALNUM}]{6}_[${ALNUM}]{29}`,
    after: '',
    example: ['a1B2c3_', 'a1B2c3D4e5F6g7H8a1B2c3D4e5F6g', '_mmk'],
    source: 'gitleaks maxmind-license-key',
  },
  {
    issuer: 'Mailchimp',
    mark: '-us',
    before: `[${HEX}]{32}`,
    after: `[${DIGIT}]{1,2}`,
    example: ['0123456789abcdef0123456789abcdef', '-us', '14'],
    source: 'gitleaks mailchimp-api-key',
  },
  {
    issuer: 'Microsoft Teams',
    mark: '.webhook.office.com/webhookb2/',
    before: `[${LETTER}${DIGIT}]{1,40}`,
    after: `[@/${URL_SAFE}]{80,240}`,
    example: ['contoso', '.webhook.office.com/webhookb2/', 'a1b2c3d4-e5f6-'.repeat(8)],
    source: 'gitleaks microsoft-teams-webhook',
  },
  {
    issuer: 'Telegram',
    mark: ':AA',
    before: `[${DIGIT}]{8,10}`,
    after: `[${URL_SAFE}]{32,33}(?![${URL_SAFE}])`,
    example: ['123456789', ':AA', 'a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8i'],
    source: 'core.telegram.org/bots/api#authorizing-your-bot',
  },
  {
    issuer: 'GitLab',
    mark: '_gitlab_session=',
    before: '',
    after: `[${LOWER}]{32}`,
    example: ['_gitlab_session=', '0123456789abcdef0123456789abcdef'],
    source: 'gitleaks gitlab-session-cookie',
  },
  {
    issuer: 'Facebook',
    mark: '|',
    before: `[${DIGIT}]{15,16}`,
    after: `[${URL_SAFE}]{27,40}`,
    example: ['123456789012345', '|', 'a1B2c3D4e5F6g7H8a1B2c3D4e5F6'],
    source: 'gitleaks facebook-access-token',
  },
];
