import { type Action, actions } from '#contract/policy-actions.ts';
import { promptInjection } from '#control-plane/policies/content/prompt-injection.ts';
import { memoize } from '../../lib/memoize.ts';
import { category, type Intent } from '../category.ts';
import {
  type Check,
  credentialChecks,
  detectorCheck,
  findingsIn,
  patternChecks,
  personalDataChecks,
  phraseChecks,
} from '../content/checks.ts';
import { type contentActions, type ContentRules, contentRules } from '../content/content-schema.ts';
import { redactInputs } from '../content/redact-inputs.ts';
import { unscannedViolations, type Scan, scansOf } from '../content/scanning.ts';
import { describeViolations, type Violation } from '../content/violations.ts';

type ContentAction = (typeof contentActions)[number];
type ActiveCheck = Check & { action: ContentAction };

/** Detects content that must not be sent to a model, or that a model must not return. */
export const content = category({
  name: 'content',
  summary: 'Finds personal data, credentials, prompt injection, patterns and phrases in content',
  rules: contentRules,
  phases: ['before_workflow', 'mid_execution', 'after_workflow', 'on_failure'],
  atRunStart: true,
  appliesToHeldCalls: true,
  evaluate({ rules, situation }) {
    const scans = scansOf(situation).filter(({ isInput }) =>
      isInput ? rules.scan_inputs : rules.scan_outputs,
    );
    const isCheck = situation.phase === 'before_workflow';
    if (scans.length === 0 && !isCheck) return null;
    const { redacted: before } = situation.intent;
    const violations = scans.flatMap((scan) => violationsIn(scan, rules, before ?? {}));
    const strictest = strictestOf(violations);
    if (!strictest) return { action: 'allow', reason: 'No content violations' };
    return {
      action: strictest,
      reason: describeViolations(violations),
      metadata: {
        violations,
        // Recorded telemetry is already stored, and masking removes content before that. A caller
        // that sends redacted inputs does not need redacted inputs in return.
        ...(strictest === 'redact' && isCheck && !before && redacted(scans, rules)),
      },
    };
  },
});

function violationsIn(
  scan: Scan,
  rules: ContentRules,
  before: NonNullable<Intent['redacted']>,
): Violation[] {
  const { target, isInput, clipped } = scan;
  const checks = checksOf(rules).filter(({ type }) => isInput || type !== 'prompt_injection');
  const wasRedacted = ({ redactedAs }: Check) => redactedAs.some((type) => (before[type] ?? 0) > 0);
  const isIn = new Set(findingsIn(checks, clipped.texts));
  const violations: Violation[] = checks
    .filter((check) => isIn.has(check) || wasRedacted(check))
    .map(({ type, matched, action }) => ({ target, type, matched, action }));
  const { characters } = clipped;
  const limit = isInput ? rules.max_input_length : rules.max_output_length;
  if (typeof limit === 'number' && characters > limit)
    violations.push({ target, type: 'length', matched: `${characters}/${limit}`, action: 'block' });
  if (clipped.isWhole) return violations;
  const isLimited = typeof limit === 'number' && !clipped.isCounted;
  const worst = strictestOf([...checks, ...(isLimited ? [{ action: 'block' } as const] : [])]);
  return [...violations, ...unscannedViolations(scan, worst)];
}

const strictestOf = (acting: readonly { action: Action }[]): Action | undefined =>
  actions.find((action) => acting.some((one) => one.action === action));

function redacted(scans: readonly Scan[], rules: ContentRules) {
  const checks = checksOf(rules).filter(({ action }) => action === 'redact');
  const { value, left } = redactInputs(scans[0]?.clipped.value, checks);
  return { redacted: value, ...(left.length > 0 && { not_redacted: left }) };
}

/** Returns the checks of a rules object, compiled once and cached. */
const checksOf = memoize(activeChecks);

function activeChecks(rules: ContentRules): ActiveCheck[] {
  const { pii_detection: pii, credential_detection: credential } = rules;
  const { prompt_injection_guard: guard, custom_patterns: custom } = rules;
  const withAction = (action: ContentAction, checks: readonly Check[]): ActiveCheck[] =>
    checks.map((check) => ({ ...check, action }));
  return [
    ...withAction(pii.action, pii.enabled ? personalDataChecks(pii.types) : []),
    ...withAction(
      credential.action,
      credential.enabled ? credentialChecks(credential.patterns) : [],
    ),
    ...withAction(guard.action, guard.enabled ? [injection] : []),
    ...patternChecks(custom).map((check, index) => ({
      ...check,
      action: custom[index]?.action ?? 'block',
    })),
    ...withAction('block', phraseChecks(rules.blocked_phrases)),
  ];
}

const injection = detectorCheck('prompt_injection', 'prompt_injection', [promptInjection]);
