import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { StatusMessage } from '../bridge.ts';
import { english } from '../messages/english.ts';
import { CodingAgents } from './coding-agents.tsx';

type Agents = StatusMessage['coding_agents'];

const fileFor = (purpose: 'telemetry' | 'tool_checks'): Agents['files'][number] => ({
  purpose,
  tool: 'Gemini CLI',
  path: '/etc/gemini-cli/settings.json',
  written_at: '2026-05-30T00:00:00.000Z',
  restored_at: null,
});
const shown = (agents: Agents): string =>
  renderToStaticMarkup(createElement(CodingAgents, { agents }));
const sentences = ['coding.prompts', 'coding.checks'] as const;
const sentencesIn = (text: string) => sentences.filter((key) => text.includes(english[key]));

test.each<[string, Agents, string[], number]>([
  [
    'tool checks without telemetry',
    { level: 'off', tool_checks: 'closed', files: [fileFor('tool_checks')] },
    ['coding.checks'],
    1,
  ],
  [
    'telemetry without tool checks',
    { level: 'prompts', tool_checks: 'off', files: [fileFor('telemetry')] },
    ['coding.prompts'],
    1,
  ],
  [
    'both in one file',
    {
      level: 'prompts',
      tool_checks: 'open',
      files: [fileFor('telemetry'), fileFor('tool_checks')],
    },
    ['coding.prompts', 'coding.checks'],
    2,
  ],
  [
    'telemetry that is paused',
    { level: 'prompts', tool_checks: 'open', files: [fileFor('tool_checks')] },
    ['coding.checks'],
    1,
  ],
  [
    'files that could not be removed',
    { level: 'off', tool_checks: 'off', files: [fileFor('telemetry')] },
    [],
    1,
  ],
])('the section shows %s', (_, agents, keys, files) => {
  const text = shown(agents);
  expect(sentencesIn(text)).toEqual(keys);
  expect(text.split('/etc/gemini-cli/settings.json')).toHaveLength(files + 1);
});

test('settings of device management have no date, but count as reports', () => {
  const file = { ...fileFor('telemetry'), tool: 'Codex', written_at: null };
  const text = shown({ level: 'prompts', tool_checks: 'off', files: [file] });
  expect(sentencesIn(text)).toEqual(['coding.prompts']);
  expect(text).toContain(`>${english['coding.delivered']}<`);
  expect(text).not.toContain('<time');
});

test('without files, there is no section', () => {
  expect(shown({ level: 'prompts', tool_checks: 'open', files: [] })).toBe('');
});
