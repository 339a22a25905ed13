import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { llmCallDetail } from '../data/llm-call-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Page } from '../parts/page.tsx';
import { CallContent } from './call-content.tsx';

/** Page of one LLM call. */
export function CallPage({ id }: { id: string }) {
  const { data: call } = useQuery(llmCallDetail(id));
  return (
    <Page title={t`LLM call ${id}`} parent={{ name: t`LLM calls`, to: '/llm-calls' }}>
      <div className="toolbar">
        {call && (
          <Link className="button" to={`/runs/${call.run_id}?span=llm_call-${call.id}`}>
            <Trans>Show in trace</Trans>
          </Link>
        )}
        <CopyButton text={location.href} label={t`Copy link`} />
      </div>
      <section className="card" aria-label={t`LLM call`}>
        <h2 className="hidden">
          <Trans>Details</Trans>
        </h2>
        <CallContent id={id} />
      </section>
    </Page>
  );
}
