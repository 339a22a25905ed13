import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { playgroundProvider } from '../data/playground-sources.ts';
import { mayWrite } from '../data/session.ts';
import type { User } from '../data/session.ts';
import { useQuery } from '../data/use-query.ts';
import { PlayIcon, StopIcon } from '../icons.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { useFilters } from '../use-filters.ts';
import { OpenFromUrl } from './open-from-url.tsx';
import { ProviderState } from './provider-state.tsx';
import { MAX_VARIANTS } from './playground-state.ts';
import { usePlayground } from './use-playground.ts';
import type { Playground } from './use-playground.ts';
import { VariablesField } from './variables-field.tsx';
import { VariantEditor } from './variant-editor.tsx';
import './playground-page.css';

const TITLE = t`Playground`;

/** Page that runs prompts on models, with up to four variants side by side. */
export function PlaygroundPage({ user }: { user: User }) {
  if (!mayWrite(user))
    return (
      <Page title={TITLE}>
        <Empty title={t`The playground requires the analyst role`}>
          <p>
            <Trans>Running a prompt costs money. Ask an administrator for the analyst role.</Trans>
          </p>
        </Empty>
      </Page>
    );
  return <Variants />;
}

function Variants() {
  const playground = usePlayground();
  const provider = useQuery(playgroundProvider());
  const filters = useFilters();
  const [, navigate] = useLocation();
  const { state, run, stop } = playground;
  const keys = state.variants.map(({ key }) => key);
  const running = state.variants.some(({ outcome }) => outcome?.status === 'running');
  const canRun = provider.data?.problem === null;
  const [prompt, version, call] = [
    filters.get('prompt'),
    Number(filters.get('version')),
    filters.get('call'),
  ];
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isRun = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (!isRun || !canRun || event.defaultPrevented) return;
    if (document.querySelector('dialog[open]')) return;
    event.preventDefault();
    run(keys);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  return (
    <Page
      title={TITLE}
      aside={
        <div className="button-row">
          <button type="button" className="button" onClick={playground.clear}>
            <Trans>Clear</Trans>
          </button>
          {running ? (
            <button type="button" className="button" onClick={() => stop(keys)}>
              <StopIcon />
              <Trans>Stop all</Trans>
            </button>
          ) : (
            <button
              type="button"
              className="button primary"
              disabled={!canRun}
              title={t`Ctrl+Enter`}
              onClick={() => run(keys)}
            >
              <PlayIcon />
              {keys.length > 1 ? t`Run all` : t`Run`}
            </button>
          )}
        </div>
      }
    >
      {(prompt || call) && (
        <OpenFromUrl
          key={`${prompt} ${version} ${call}`}
          {...{ prompt, version, call }}
          onOpen={(opened) => {
            playground.open(opened);
            // Removes the parameters, so that a reload shows the edited state instead of opening
            // the version or call again.
            navigate('/playground', { replace: true });
          }}
        />
      )}
      <Loaded reading={provider}>{(provider) => <ProviderState provider={provider} />}</Loaded>
      <Previous playground={playground} />
      <VariablesField playground={playground} />
      <div className="variants" role="group" aria-label={t`Variants`}>
        {state.variants.map((variant, at) => (
          <VariantEditor
            key={variant.key}
            name={nameOf(at)}
            variant={variant}
            playground={playground}
            models={provider.data?.models ?? []}
            canRun={canRun}
            mayCopy={keys.length < MAX_VARIANTS}
            mayRemove={keys.length > 1}
          />
        ))}
      </div>
    </Page>
  );
}

const nameOf = (at: number): string => t`Variant ${'ABCD'[at] ?? at + 1}`;

function Previous({ playground: { hasPrevious, restore } }: { playground: Playground }) {
  if (!hasPrevious) return null;
  return (
    <p className="muted">
      <Trans>
        Other variants were open here before.{' '}
        <button type="button" className="link" onClick={restore}>
          Restore them
        </button>
      </Trans>
    </p>
  );
}
