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
  { id: '1', name: 'Last day' },
  { id: '30', name: 'Last 30 days' },
  { id: '90', name: 'Last 90 days' },
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
    <section className="card" aria-label="Test on past runs">
      <header className="card-header">
        <div>
          <h2>Test on past runs</h2>
          <p className="muted">Evaluates this draft against recorded runs. Changes nothing.</p>
        </div>
        <div className="button-row">
          <Select
            label="Time range"
            all="Last 7 days"
            options={lengths}
            value={days}
            onChange={setDays}
          />
          <button type="button" className="button" disabled={busy} onClick={() => void run()}>
            Test on past runs
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
