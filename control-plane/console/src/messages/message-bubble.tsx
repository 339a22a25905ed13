import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { OtherFields } from './other-fields.tsx';
import type { Message, Role } from './parse/model.ts';
import { PartView } from './part-view.tsx';
import { UntrustedText } from '../parts/text.tsx';
import './message-bubble.css';

const roleNames: Record<Role, string> = {
  system: t`System`,
  user: t`User`,
  assistant: t`Assistant`,
  tool: t`Tool`,
};

export function MessageBubble({ message }: { message: Message }) {
  const { role, label, name, parts, rest } = message;
  const heading = [
    role && roleNames[role],
    label !== null && role && `(${label})`,
    !role && label,
    name,
  ];
  const who = heading.filter((word) => typeof word === 'string' && word !== '').join(' ');
  return (
    <li className={`bubble ${role ?? 'plain'}`}>
      {who !== '' && (
        <p className="bubble-role">
          <bdi>
            <UntrustedText text={who} />
          </bdi>
        </p>
      )}
      {parts.length === 0 && (
        <p className="muted">
          <Trans>No content</Trans>
        </p>
      )}
      {parts.map((part, at) => (
        // The index is a stable key: recorded messages do not change.
        <PartView key={at} part={part} />
      ))}
      <OtherFields fields={rest} />
    </li>
  );
}
