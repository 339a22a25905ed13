import { describe, expect, test } from 'vitest';
import { builtinDetectors } from './builtin.ts';
import { memberRules } from './member-rules.ts';
import { redactJson } from './redact-json.ts';

describe('options in lists of arguments', () => {
  const maskAll = (value: unknown) =>
    redactJson(value, { detectors: builtinDetectors(), keys: memberRules([]) }).value;
  const key = 'a8Kd93kdP03kd9sLq2';
  const args = [
    '-y',
    'server',
    '--api-key',
    key,
    '--password',
    'hunter2',
    '--verbose',
    'app-server',
  ];
  const masked = args.with(3, '##SECRET##').with(5, '##PASSWORD##');

  test('a value after its option', () => {
    expect(maskAll({ args })).toEqual({ args: masked });
  });

  test('in JSON as text, and between other text', () => {
    const text = JSON.stringify({ mcpServers: { tool: { command: 'npx', args } } }, null, 2);
    const maskedText = text.replace(key, '##SECRET##').replace('hunter2', '##PASSWORD##');
    expect(maskAll({ text })).toEqual({ text: maskedText });
    expect(maskAll({ text: `See:\n${text}\n` })).toEqual({ text: `See:\n${maskedText}\n` });
  });

  test('an option without a value is kept, and so is what follows a list', () => {
    const value = ['--token', ['x', 'y'], key, '--password', '--verbose'];
    expect(maskAll({ value })).toEqual({ value });
  });
});
