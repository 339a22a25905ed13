import { Trans } from '@lingui/react/macro';
import { compilePrompt } from '#contract/prompt-template.ts';
import type { PromptContent } from '../data/prompt-sources.ts';
import { Badge } from '../parts/badge.tsx';
import { Text } from '../parts/text.tsx';

/** The names in {{…}}, in the order of their first use. */
export const variablesOf = (content: PromptContent): string[] =>
  compilePrompt(content).missing_variables;

export function VariableNames({ content }: { content: PromptContent }) {
  const names = variablesOf(content);
  if (names.length === 0)
    return (
      <p className="muted">
        <Trans>No variables</Trans>
      </p>
    );
  return (
    <p className="badges">
      <span className="muted">
        <Trans>Variables</Trans>
      </span>
      {names.map((name) => (
        <Badge key={name}>
          <span className="mono">
            <Text>{name}</Text>
          </span>
        </Badge>
      ))}
    </p>
  );
}
