import { promptVersion } from '../data/prompt-sources.ts';
import type { ChatMessage, Prompt, PromptVersionDetail } from '../data/prompt-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Json } from '../parts/json.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Text } from '../parts/text.tsx';
import { MoveLabel } from './move-label.tsx';

interface VersionContentProps {
  prompt: Prompt;
  version: number;
  /** Undefined if the user may not move labels. */
  onMoved: (() => void) | undefined;
}

/** The content of a version, loaded when the row is expanded. */
export function VersionContent({ prompt, version, onMoved }: VersionContentProps) {
  const reading = useQuery(promptVersion(prompt.id, version));
  return (
    <div className="opened detail-body">
      {onMoved && <MoveLabel prompt={prompt} version={version} onMoved={onMoved} />}
      <Loaded reading={reading}>{(detail) => <Content detail={detail} />}</Loaded>
    </div>
  );
}

function Content({ detail: { content, config, content_hash } }: { detail: PromptVersionDetail }) {
  const messages = typeof content === 'string' ? [{ role: 'Content', content }] : content;
  return (
    <>
      {messages.map(({ role, content }, at) => (
        // The index is a stable key: versions are immutable.
        <div key={at} className="saying">
          <h3>{role}</h3>
          <p className="preview mono" role="region" aria-label={role} tabIndex={0}>
            <Text>{textOf(content)}</Text>
          </p>
        </div>
      ))}
      {Object.keys(config).length > 0 && (
        <div>
          <h3>Config</h3>
          <Json value={config} label="Config as JSON" />
        </div>
      )}
      <p className="muted whole">
        Content hash <span className="mono">{content_hash}</span>
      </p>
    </>
  );
}

const textOf = (content: ChatMessage['content']): string =>
  typeof content === 'string' ? content : JSON.stringify(content, null, 2);
