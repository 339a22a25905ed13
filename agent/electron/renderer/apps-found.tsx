import type { StatusMessage } from '../bridge.ts';
import { Section } from './section.tsx';
import { useTranslator } from './translator-context.ts';

type App = StatusMessage['apps'][number];
type Level = StatusMessage['capture_levels'][number];

/** Lists the AI apps of this computer by kind, with the capture level of each. */
export function AppsFound({ apps, levels }: { apps: App[]; levels: Level[] }) {
  const { translate } = useTranslator();
  const byApp = new Map(levels.map(({ app_id, level }) => [app_id, level]));
  return (
    <Section title={translate('apps.title')} count={apps.length}>
      {apps.length === 0 && <p className="muted">{translate('apps.none')}</p>}
      {[...Map.groupBy(apps, ({ kind }) => kind)].map(([kind, ofKind]) => (
        <details key={kind} className="kind" open={ofKind.length <= 10}>
          <summary>
            {translate(`kind.${kind}`, { count: ofKind.length })}{' '}
            <span className="count">{ofKind.length}</span>
          </summary>
          <ul className="apps">
            {ofKind.map((app, position) => (
              // An app may be installed twice.
              <li key={`${position} ${app.name}`}>
                <span className="whole">
                  {app.name} <span className="muted">{app.version}</span>
                </span>
                <AppCaptureLevel level={byApp.get(app.catalog_id ?? '')} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Section>
  );
}

/** Shows the capture level; an app that is not in the catalog has none. */
function AppCaptureLevel({ level }: { level: Level['level'] | undefined }) {
  const { translate } = useTranslator();
  return level ? <span className="muted">{translate(`level.${level}`)}</span> : null;
}
