import { expect, test } from 'vitest';
import { kindOf } from './rule-schema.ts';
import { hintOf, labelOf } from './rule-words.ts';

test.each([
  ['max_per_minute', 'Max per minute'],
  ['pii_detection', 'PII detection'],
  ['ip_address', 'IP address'],
  ['piiless', 'Piiless'],
  ['per_workflow_cost_limit', 'Max cost per run, $'],
])('the label of %s is %j', (name, label) => expect(labelOf(name)).toBe(label));

const whole = { type: 'integer', minimum: 1 };

test.each([
  ['max_concurrent', { ...whole, maximum: 10_000 }, '1 to 10,000'],
  // Too large to be informative.
  ['max_per_day', { ...whole, maximum: 1_000_000_000 }, undefined],
  ['allowed_tools', { type: 'array', items: { type: 'string' } }, 'One per line'],
  [
    'blocked_models',
    { type: 'array', items: { type: 'string' } },
    'One per line. A name also matches variants: gpt-4o matches gpt-4o-mini',
  ],
  ['timezone', { type: 'string' }, 'For example Europe/Berlin'],
])('%s: %j', (name, schema, hint) => expect(hintOf(name, kindOf(schema))).toBe(hint));
