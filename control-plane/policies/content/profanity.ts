import { regexDetector } from '#domain/redaction/detector.ts';

/** Stems of English words that rarely have another meaning at work. */
const stems = [
  'arse(?:hole)?',
  'ass(?:hole|hat|wipe)',
  'bastard',
  'bitch',
  'bollocks',
  'bull ?shit',
  'cock ?sucker',
  'cunt',
  'dick ?head',
  'dumb ?ass',
  'fuck',
  'goddamn',
  'jack ?ass',
  'mother ?fuck',
  'piss(?:ed)? off',
  'prick',
  'shit',
  'slut',
  'twat',
  'wanker',
  'whore',
];

export const profanity = regexDetector({
  type: 'PROFANITY',
  minLength: 4,
  pattern: new RegExp(
    String.raw`(?<![a-z])(?:${stems.join('|')})(?:s|es|y|er|ers|ed|ing|in'|head|heads|face|ty|ted)?(?![a-z])`,
    'gi',
  ),
});
