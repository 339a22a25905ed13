import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { FormField } from '../parts/form-field.tsx';
import { markInvisible } from '../mark-invisible.ts';
import type { Playground } from './use-playground.ts';

/** Fields for the variables of all variants. */
export function VariablesField({ playground }: { playground: Playground }) {
  const { names, state, setVariable } = playground;
  if (names.length === 0) return null;
  return (
    <section className="card playground-variables" aria-label={t`Variables`}>
      <h2>
        <Trans>Variables</Trans>
      </h2>
      <div className="form-grid">
        {names.map((name) => (
          <FormField key={name} label={markInvisible(name)}>
            {(control) => (
              <textarea
                {...control}
                className="field"
                rows={1}
                value={Object.hasOwn(state.variables, name) ? state.variables[name] : ''}
                onChange={({ target }) => setVariable(name, target.value)}
              />
            )}
          </FormField>
        ))}
      </div>
    </section>
  );
}
