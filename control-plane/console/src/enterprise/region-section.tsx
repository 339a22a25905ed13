import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../data/api.ts';
import { regionList } from '../data/settings-sources.ts';
import type { Region } from '../data/settings-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { FormField } from '../parts/form-field.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Section } from '../parts/section.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { formatMonthlyPrice } from '../format.ts';

/** Setting: the region of the tenant's data. */
export function RegionSection() {
  const reading = useQuery(regionList());
  const [chosen, setChosen] = useState<string>();
  const { error, busy, attempt } = useAttempt();
  const save = (region_code: string) =>
    void attempt(async () => {
      await api.enterprise.setTenantRegion({ body: { region_code } });
      await reading.refetch();
      setChosen(undefined);
    });
  return (
    <Section title={t`Region`}>
      <Loaded reading={reading}>
        {({ regions, current }) => {
          const code = chosen ?? current;
          const region = regions.find((one) => one.code === code);
          return (
            <div className="card inline-form">
              <FormField
                label={t`Region of the data`}
                hint={region && aboutRegion(region)}
                error={error}
              >
                {(control) => (
                  <select
                    className="field"
                    value={code}
                    onChange={({ target }) => setChosen(target.value)}
                    {...control}
                  >
                    {regions.map(({ code, name }) => (
                      <option key={code} value={code}>
                        {name}
                      </option>
                    ))}
                  </select>
                )}
              </FormField>
              <button
                type="button"
                className="button"
                disabled={busy || code === current}
                onClick={() => save(code)}
              >
                <Trans>Change region</Trans>
              </button>
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}

const aboutRegion = ({ price_cents, compliance }: Region): string =>
  `${formatMonthlyPrice(price_cents)}. ${compliance.join(', ')}.`;
