import type { StatusMessage } from '../bridge.ts';
import { Section } from './section.tsx';

type App = StatusMessage['apps'][number];

const kinds: Record<App['kind'], string> = {
  desktop_app: 'App',
  cli: 'Command-line tool',
  editor_extension: 'Editor extension',
  mcp_server: 'MCP server',
  local_model_server: 'Local model server',
};

export function AppsFound({ apps }: { apps: App[] }) {
  return (
    <Section title="AI apps on this device" count={apps.length}>
      {apps.length === 0 ? (
        <p className="muted">None found</p>
      ) : (
        <ul className="apps">
          {apps.map((app, position) => (
            // The same app may be there twice, in two places.
            <li key={`${position} ${app.name}`}>
              <span className="clipped">{app.name}</span>
              <span className="muted">
                {kinds[app.kind]}
                {app.version !== null && ` ${app.version}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
