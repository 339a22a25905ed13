import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../data/api.ts';
import type { PolicyCategory, Simulation } from '../data/policy-sources.ts';
import { Select } from '../parts/choice.tsx';
import { documentOf } from './policy-draft.ts';
import type { Draft } from './policy-draft.ts';
import { SimulationResult } from './simulation-result.tsx';

interface TestPolicyProps {
  draft: Draft;
  category: PolicyCategory | undefined;
  busy: boolean;
  submit: <T>(action: () => Promise<T>) => Promise<T | undefined>;
}

const lengths = [
  { id: '1', name: t`Last day` },
  { id: '30', name: t`Last 30 days` },
  { id: '90', name: t`Last 90 days` },
];

/** Evaluates the draft against recorded runs, without side effects. */
export function TestPolicy({ draft, category, busy, submit }: TestPolicyProps) {
  const [days, setDays] = useState('');
  const [result, setResult] = useState<{ simulation: Simulation; of: string }>();
  const { category: name, rules, scope } = documentOf(draft, category);
  const policy = { category: name, rules, scope };
  const run = async () => {
    const body = { policy, days: Number(days || 7) };
    const simulation = await submit(() => api.policies.simulatePolicy({ body }));
    if (simulation) setResult({ simulation, of: JSON.stringify(policy) });
  };
  return (
    <section className="card" aria-label={t`Test on past runs`}>
      <header className="card-header">
        <div>
          <h2>
            <Trans>Test on past runs</Trans>
          </h2>
          <p className="muted">
            <Trans>Evaluates this draft against recorded runs. Changes nothing.</Trans>
          </p>
        </div>
        <div className="button-row">
          <Select
            label={t`Time range`}
            all={t`Last 7 days`}
            options={lengths}
            value={days}
            onChange={setDays}
          />
          <button type="button" className="button" disabled={busy} onClick={() => void run()}>
            <Trans>Test on past runs</Trans>
          </button>
        </div>
      </header>
      <div aria-live="polite">
        {result && (
          <SimulationResult
            simulation={result.simulation}
            outdated={result.of !== JSON.stringify(policy)}
          />
        )}
      </div>
    </section>
  );
}
