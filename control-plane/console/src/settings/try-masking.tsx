import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import type { Masking } from '../data/settings-sources.ts';
import { Badge } from '../parts/badge.tsx';
import { FormField } from '../parts/form-field.tsx';
import { Json } from '../parts/text.tsx';
import { Section } from '../parts/section.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { markInvisible } from '../mark-invisible.ts';

interface Tried {
  masked: unknown;
  counts: Record<string, number>;
}

const SAMPLE = '{ "customer": { "email": "maya@example.com" }, "note": "Call +49 30 1234567" }';

/** Applies the rules of the form, saved or not, to a sample text. */
export function TryMasking({ masking }: { masking: Masking }) {
  const [sample, setSample] = useState(SAMPLE);
  const [tried, setTried] = useState<Tried>();
  const { error, busy, attempt } = useAttempt();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void attempt(async () =>
      setTried(await api.settings.tryMasking({ body: { masking, sample: parsed(sample) } })),
    );
  };
  return (
    <Section title={t`Try it`}>
      <form className="card masking-try" onSubmit={submit}>
        <FormField
          label={t`Sample`}
          hint={t`JSON or text. It is masked with the rules above, also those not saved yet, and not stored.`}
          error={error}
        >
          {(control) => (
            <textarea
              className="field mono"
              rows={5}
              value={sample}
              onChange={({ target }) => setSample(target.value)}
              {...control}
            />
          )}
        </FormField>
        <button type="submit" className="button" disabled={busy || sample === ''}>
          <Trans>Mask the sample</Trans>
        </button>
        {tried && <Result {...tried} />}
      </form>
    </Section>
  );
}

function Result({ masked, counts }: Tried) {
  const found = Object.entries(counts);
  return (
    <>
      <div className="masked">
        {typeof masked === 'string' ? (
          <pre className="json" role="group" aria-label={t`Masked sample`} tabIndex={0}>
            {markInvisible(masked)}
          </pre>
        ) : (
          <Json value={masked} label={t`Masked sample`} />
        )}
      </div>
      <p role="status" className="badges">
        {found.length === 0
          ? t`Nothing was masked.`
          : found.map(([type, count]) => (
              <Badge key={type} tone="accent">
                {type} × {count}
              </Badge>
            ))}
      </p>
    </>
  );
}

/** Parses JSON as it would be recorded; other text stays a string. */
function parsed(sample: string): unknown {
  try {
    return JSON.parse(sample) as unknown;
  } catch {
    return sample;
  }
}
