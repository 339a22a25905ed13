import { ALNUM, DIGIT, HEX, LETTER, LOWER, URL_SAFE, URL_SAFE_PADDED } from './key-format.ts';

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
  /** As in `key-formats.ts`. */
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
