import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useSyncExternalStore } from 'react';
import { changeDisplay, densities, readDisplay, subscribeDisplay, themes } from '../display.ts';
import type { Density, Theme } from '../display.ts';
import { formatExact } from '../format.ts';
import { languages } from '../language/catalogs.ts';
import { LanguageField } from '../language/language-field.tsx';
import { Choice } from '../parts/choice.tsx';
import { useNow } from '../parts/clock.tsx';
import { Page } from '../parts/page.tsx';
import { TimeZoneField } from './time-zone-field.tsx';
import './appearance-page.css';

const themeNames: Record<Theme, string> = { system: t`System`, light: t`Light`, dark: t`Dark` };
const densityNames: Record<Density, string> = { comfortable: t`Comfortable`, compact: t`Compact` };

/** Display settings of this browser. They apply at once. */
export function AppearancePage() {
  const { theme, density } = useSyncExternalStore(subscribeDisplay, readDisplay);
  return (
    <Page title={t`Appearance`}>
      <section className="card appearance" aria-label={t`Appearance`}>
        <span>
          <Trans>Theme</Trans>
        </span>
        <Choice
          label={t`Theme`}
          options={themes.map((id) => ({ id, name: themeNames[id] }))}
          value={theme}
          onChange={(theme) => changeDisplay({ theme })}
        />
        <span>
          <Trans>Density of tables</Trans>
        </span>
        <Choice
          label={t`Density of tables`}
          options={densities.map((id) => ({ id, name: densityNames[id] }))}
          value={density}
          onChange={(density) => changeDisplay({ density })}
        />
        {languages.length > 1 && (
          <>
            <span>
              <Trans>Language</Trans>
            </span>
            <LanguageField />
          </>
        )}
        <span>
          <Trans>Time zone</Trans>
        </span>
        <TimeZoneField />
        <span>
          <Trans>Now</Trans>
        </span>
        <Now />
        <p className="hint">
          <Trans>
            This browser keeps these settings. Days in charts and quotas are always in UTC.
          </Trans>
        </p>
      </section>
    </Page>
  );
}

const Now = () => <span>{formatExact(useNow())}</span>;
