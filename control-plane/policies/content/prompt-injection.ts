import { type Detector, regexDetector } from '#domain/redaction/detector.ts';

/** Separators between words, including invisible characters, which hide phrases from filters. */
const GAP = String.raw`[\s\p{Cf}.,;:!?'"*()/\\-]{1,8}`;
const word = String.raw`\w{1,20}${GAP}`;

/**
 * Compiles a phrase: a space is a gap, `~n` is up to n arbitrary words with the gaps after them.
 */
const phrase = (source: string): string =>
  source.replaceAll(/~(\d)/g, `(?:${word}){0,$1}`).replaceAll(' ', GAP);

const ORDERS =
  '(?:instructions?|prompts?|rules|directions?|guidelines?|directives?|commands?|messages)';
const LIMITS = '(?:restrictions?|limits|limitations|filters?|rules|ethics|morals|guardrails?)';

/** Each phrase is one way to make a model ignore its operator's instructions. */
const phrases: readonly string[] = [
  // Overriding earlier instructions.
  `(?:ignore|disregard|forget|override|bypass) ~4(?:previous|prior|earlier|above|preceding|existing|original|all|your|system) ~3${ORDERS}`,
  `(?:do not|don't|stop|never) (?:follow|following|obey|obeying|comply with|listen to) ~3(?:previous|prior|earlier|above|your|system|original) ~2${ORDERS}`,
  String.raw`(?:new|updated|revised|real|actual|true) (?:system )?instructions?(?:\s{0,3}:| (?:are|follow|below|from now))`,
  // Another role.
  `from (?:now|here|this point) on(?:wards?)? you (?:are|will|must|shall|have|act|answer|respond|behave|only)`,
  `you are (?:now|no longer) ~3(?:ai|assistant|model|bot|chatbot|hacker|root|administrator|unrestricted|unfiltered|uncensored|jailbroken|evil|dan|bound|restricted|limited|constrained)`,
  `(?:act|behave|respond|answer|pretend|role-?play|roleplaying) ~3(?:as|like|to|that|if|though) ~4(?:unrestricted|unfiltered|uncensored|jailbroken|evil|dan|root|(?:no|without|free of|free from) ~2${LIMITS})`,
  // Extracting hidden text.
  `(?:reveal|show|print|repeat|output|display|tell|give|leak|expose|share|recite|dump) ~4(?:system|initial|hidden|original|secret|developer|above) (?:prompts?|instructions?|messages?|rules|guidelines|directives?)`,
  `what (?:is|are|was|were) your ~1(?:system|initial|hidden|original|secret|full|exact) (?:prompts?|instructions?|messages?|rules)`,
  `(?:send|post|forward|email|upload|exfiltrate|transmit|append) ~4(?:conversation|chat history|message history|system prompt|environment variables|api keys?|access tokens?|credentials) ~3(?:to|via|into|at)`,
  // Unrestricted modes.
  `(?:developer|god|sudo|dan|jailbreak|unrestricted|unfiltered) mode(?: ~1(?:enabled|activated|engaged|unlocked|on))?|do anything now|jailbreak (?:yourself|the model|this ai|prompt)`,
  // False claims of authority.
  `(?:i am|i'm|this is|we are|speaking as) (?:your (?:developers?|creators?|administrators?|programmers?|makers?|operators?)|openai|anthropic)|authori[sz]ed to (?:bypass|override|ignore|disable)`,
  `(?:disable|deactivate|remove|turn off|switch off|circumvent|drop|lift) ~3(?:safety|content|security|ethical|moderation|alignment) (?:filters?|filtering|guidelines?|guardrails?|policy|policies|restrictions?|checks?|measures|protocols?|rules|training)`,
];

/**
 * Text that imitates a system message: at the start of a line, or with the markers of chat
 * templates.
 */
const marks: readonly RegExp[] = [
  /(?:^|\n)[ \t>#*[(]{0,8}(?:system|developer|admin(?:istrator)?)[ _-](?:prompt|message|override|instructions?|note|update)[\])* \t]{0,4}:/gi,
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|end_header_id|eot_id)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?system(?:[-_]?(?:prompt|message|reminder|instructions?))?>/gi,
];

const patterns = [
  ...phrases.map((source) => new RegExp(String.raw`(?<!\w)(?:${phrase(source)})(?!\w)`, 'giu')),
  ...marks,
];

const detectors = patterns.map((pattern) =>
  regexDetector({ type: 'PROMPT_INJECTION', minLength: 6, pattern }),
);

/** Texts that try to override a model's instructions, in common English phrasings only. */
export const promptInjection: Detector = {
  type: 'PROMPT_INJECTION',
  minLength: 6,
  find: (text) =>
    detectors.flatMap((detector) => detector.find(text)).sort((a, b) => a.start - b.start),
};
