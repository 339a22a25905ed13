import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { promptVersion, type Prompt, type PromptVersionDetail } from '../data/prompt-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Recorded } from '../messages/recorded.tsx';
import type { Source } from '../messages/source.ts';
import { Loaded } from '../parts/notice.tsx';
import { pathTo } from '../path-id.ts';
import { OpenInPlayground } from '../playground/open-in-playground.tsx';
import { VariableNames } from './variable-names.tsx';

/** URL of the list of LLM calls with the content of a version. */
export const callsOfVersion = (prompt_id: string, version: number, since?: string): string => {
  const query = new URLSearchParams({ prompt: prompt_id, version: String(version) });
  if (since !== undefined) query.set('since', since);
  return `/llm-calls?${query.toString()}`;
};

interface VersionContentProps {
  prompt: Prompt;
  version: number;
  /** Undefined if the user may not change the prompt. */
  onWrite: ((version: number) => void) | undefined;
}

/** The content of a version, loaded when its row is expanded. */
export function VersionContent({ prompt, version, onWrite }: VersionContentProps) {
  const reading = useQuery(promptVersion(prompt.id, version));
  return (
    <div className="opened detail-body">
      <div className="button-row">
        <OpenInPlayground query={{ prompt: prompt.id, version: String(version) }} />
        {onWrite && (
          <button type="button" className="button" onClick={() => onWrite(version)}>
            <Trans>New version from v{version}</Trans>
          </button>
        )}
        {version > 1 && (
          <Link
            className="button"
            to={`${pathTo('prompts', prompt.id)}?tab=compare&from=${version - 1}&to=${version}`}
          >
            <Trans>Compare with v{version - 1}</Trans>
          </Link>
        )}
        <Link className="button" to={callsOfVersion(prompt.id, version)}>
          <Trans>
            LLM calls<span className="hidden"> of version {version}</span>
          </Trans>
        </Link>
      </div>
      <Loaded reading={reading}>{(detail) => <Content detail={detail} />}</Loaded>
    </div>
  );
}

function Content({ detail: { content, config, content_hash } }: { detail: PromptVersionDetail }) {
  const sources: Source[] = [
    { title: t`Content`, value: content, role: null },
    ...(Object.keys(config).length > 0 ? [{ title: t`Config`, value: config, role: null }] : []),
  ];
  return (
    <>
      <VariableNames content={content} />
      <Recorded label={t`prompt version`} sources={sources} />
      <p className="muted whole">
        <Trans>
          Content hash <span className="mono">{content_hash}</span>
        </Trans>
      </p>
    </>
  );
}
