import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../data/api.ts';
import { runList } from '../data/run-sources.ts';
import { mayAdminister } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { State } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Notice } from '../parts/notice.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Text } from '../parts/text.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { pathTo } from '../path-id.ts';
import { KEY_PLACEHOLDER, snippetsFor } from './snippets.ts';
import './first-run.css';

/**
 * Offers an API key and programs that use it, and shows the run that they send as soon as it
 * arrives.
 */
export function FirstRun({ user }: { user: User }) {
  const [key, setKey] = useState<string>();
  const [chosen, setChosen] = useState('curl');
  const snippets = snippetsFor({ url: location.origin, key: key ?? KEY_PLACEHOLDER });
  const snippet = snippets.find(({ id }) => id === chosen);
  return (
    <section className="card first-run" aria-label={t`Send a first run`}>
      <h2>
        <Trans>Send a first run</Trans>
      </h2>
      <KeyStep user={user} value={key} onCreated={setKey} />
      <Tabs label={t`Client`} tabs={snippets} current={chosen} onChoose={setChosen}>
        {snippet?.steps.map(({ title, text }) => (
          <div key={title} className="snippet">
            <div className="snippet-header">
              <h3>{title}</h3>
              <CopyButton key={text} text={text} label={t`Copy: ${title}`} />
            </div>
            <pre tabIndex={0} aria-label={title} role="group">
              {text}
            </pre>
          </div>
        ))}
      </Tabs>
      <Arrival />
    </section>
  );
}

interface KeyStepProps {
  user: User;
  value: string | undefined;
  onCreated: (key: string) => void;
}

function KeyStep({ user, value, onCreated }: KeyStepProps) {
  const { error, busy, attempt } = useAttempt();
  if (value !== undefined)
    return (
      <p>
        <Trans>
          The key is in the programs below. It can record runs and nothing else. Copy it now: it
          will not be shown again.
        </Trans>
      </p>
    );
  if (!mayAdminister(user))
    return (
      <p>
        <Trans>
          Replace <code>{KEY_PLACEHOLDER}</code> by an API key with the permission{' '}
          <code>record</code>, which an administrator can create.
        </Trans>
      </p>
    );
  const create = () =>
    attempt(async () => {
      const body = { name: t`First run`, permissions: ['record' as const] };
      onCreated((await api.identity.createApiKey({ body })).key);
    });
  return (
    <>
      <p>
        <Trans>
          The programs need an API key with the permission <code>record</code>.{' '}
          <button
            type="button"
            className="button primary"
            disabled={busy}
            onClick={() => void create()}
          >
            Create API key
          </button>
        </Trans>
      </p>
      {error !== undefined && <Notice tone="bad">{error}</Notice>}
    </>
  );
}

/**
 * Number of runs to load. Runs are sorted by start, so a new one may not be the first of the list.
 */
const LIMIT = 20;

/** Waits for a run that did not exist when the page was opened. */
function Arrival() {
  const latest = useQuery(runList({ limit: LIMIT })).data?.results;
  const newest = latest?.toSorted((a, b) => b.id - a.id)[0];
  const [before, setBefore] = useState<number>();
  if (before === undefined && latest) setBefore(newest?.id ?? 0);
  const arrived = before !== undefined && newest && newest.id > before ? newest : undefined;
  return (
    <p className="arrival" role="status">
      {arrived ? (
        <>
          <State tone="good">
            <Trans>Received:</Trans>
          </State>{' '}
          <Link to={pathTo('runs', String(arrived.id))}>
            <Trans>
              run {arrived.id} of <Text>{arrived.agent_name}</Text>
            </Trans>
          </Link>
        </>
      ) : (
        <State tone="accent">
          {before === 0 ? t`Waiting for the first run…` : t`Waiting for a new run…`}
        </State>
      )}
    </p>
  );
}
