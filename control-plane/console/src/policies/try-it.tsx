import { useState } from 'react';
import { api } from '../data/api.ts';
import type { PolicyCategory, Simulation } from '../data/policy-sources.ts';
import { Select } from '../parts/choice.tsx';
import { documentOf } from './policy-draft.ts';
import type { Draft } from './policy-draft.ts';
import { SimulationAnswer } from './simulation-answer.tsx';

interface TryItProps {
  draft: Draft;
  category: PolicyCategory | undefined;
  busy: boolean;
  ask: <T>(action: () => Promise<T>) => Promise<T | undefined>;
}

const lengths = [
  { id: '1', name: 'Last day' },
  { id: '30', name: 'Last 30 days' },
  { id: '90', name: 'Last 90 days' },
];

/** What the draft would have done with what was recorded. Changes nothing. */
export function TryIt({ draft, category, busy, ask }: TryItProps) {
  const [days, setDays] = useState('');
  const [answer, setAnswer] = useState<{ simulation: Simulation; of: string }>();
  const { category: name, rules, scope } = documentOf(draft, category);
  const policy = { category: name, rules, scope };
  const run = async () => {
    const body = { policy, days: Number(days || 7) };
    const simulation = await ask(() => api.policies.simulatePolicy({ body }));
    if (simulation) setAnswer({ simulation, of: JSON.stringify(policy) });
  };
  return (
    <section className="card" aria-label="Try it">
      <header className="card-header">
        <div>
          <h2>Try it</h2>
          <p className="muted">What it would have done with the runs that were recorded.</p>
        </div>
        <div className="button-row">
          <Select
            label="Runs of"
            all="Last 7 days"
            options={lengths}
            value={days}
            onChange={setDays}
          />
          <button type="button" className="button" disabled={busy} onClick={() => void run()}>
            Try it
          </button>
        </div>
      </header>
      <div aria-live="polite">
        {answer && (
          <SimulationAnswer
            simulation={answer.simulation}
            outdated={answer.of !== JSON.stringify(policy)}
          />
        )}
      </div>
    </section>
  );
}
