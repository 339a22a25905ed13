import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Link } from 'wouter';
import { CloseIcon, CopyIcon, PlayIcon, StopIcon } from '../icons.tsx';
import { Text } from '../parts/text.tsx';
import { pathTo } from '../path-id.ts';
import { ConfigField } from '../prompts/config-field.tsx';
import { ContentField } from '../prompts/content-field.tsx';
import type { Origin, Variant } from './playground-state.ts';
import { SaveVariant } from './save-variant.tsx';
import type { Playground } from './use-playground.ts';
import { VariantOutcome } from './variant-outcome.tsx';

interface VariantEditorProps {
  name: string;
  variant: Variant;
  playground: Playground;
  models: readonly string[];
  canRun: boolean;
  mayCopy: boolean;
  mayRemove: boolean;
}

export function VariantEditor(props: VariantEditorProps) {
  const { name, variant, playground, models, canRun, mayCopy, mayRemove } = props;
  const { key, content, config, origin, outcome } = variant;
  const [saving, setSaving] = useState(false);
  const change = (change: Partial<Variant>) => playground.change(key, change);
  const running = outcome?.status === 'running';
  return (
    <section className="card variant" aria-label={name}>
      <header>
        <h2>{name}</h2>
        {origin && <OriginLink origin={origin} />}
        <span className="spacer" />
        {mayCopy && (
          <button
            type="button"
            className="icon-button"
            aria-label={t`Compare ${name} with a copy`}
            title={t`Compare with a copy`}
            onClick={() => playground.copy(key)}
          >
            <CopyIcon />
          </button>
        )}
        {mayRemove && (
          <button
            type="button"
            className="icon-button"
            aria-label={t`Remove ${name}`}
            title={t`Remove`}
            onClick={() => playground.remove(key)}
          >
            <CloseIcon />
          </button>
        )}
      </header>
      {origin?.kind === 'call' && origin.notes.length > 0 && (
        <p className="muted">{origin.notes.join(' ')}</p>
      )}
      <ConfigField
        draft={config}
        errors={playground.errors[key] ?? {}}
        models={models}
        onChange={(config) => change({ config })}
      />
      {models.length > 0 && config.model !== '' && !models.includes(config.model) && (
        <p className="muted">
          <Trans>This model is not in the list of the provider.</Trans>
        </p>
      )}
      <ContentField draft={content} onChange={(content) => change({ content })} />
      <div className="button-row">
        {running ? (
          <button type="button" className="button" onClick={() => playground.stop([key])}>
            <StopIcon />
            <Trans>
              Stop<span className="hidden"> {name}</span>
            </Trans>
          </button>
        ) : (
          <button
            type="button"
            className="button primary"
            disabled={!canRun}
            onClick={() => playground.run([key])}
          >
            <PlayIcon />
            <Trans>
              Run<span className="hidden"> {name}</span>
            </Trans>
          </button>
        )}
        <button type="button" className="button" onClick={() => setSaving(true)}>
          <Trans>
            Save as version…<span className="hidden"> {name}</span>
          </Trans>
        </button>
      </div>
      {outcome && <VariantOutcome name={name} outcome={outcome} />}
      {saving && (
        <SaveVariant
          name={name}
          variant={variant}
          onSaved={(origin) => change({ origin })}
          onClose={() => setSaving(false)}
        />
      )}
    </section>
  );
}

function OriginLink({ origin }: { origin: Origin }) {
  if (origin.kind === 'call')
    return (
      <Link to={`/llm-calls?open=${origin.id}`} className="muted">
        <Trans>LLM call {origin.id}</Trans>
      </Link>
    );
  return (
    <Link to={pathTo('prompts', origin.prompt_id)} className="muted clipped">
      <Text>{`${origin.name} v${origin.version}`}</Text>
    </Link>
  );
}
