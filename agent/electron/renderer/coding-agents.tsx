import type { StatusMessage } from '../bridge.ts';
import { Section } from './section.tsx';
import { useTranslator } from './translator-context.ts';
import { Table } from './table.tsx';

type Purpose = StatusMessage['coding_agents']['files'][number]['purpose'];

/** Shows what coding agents report and check, and the settings that enable it; empty without any. */
export function CodingAgents({ agents }: { agents: StatusMessage['coding_agents'] }) {
  const { translate, day } = useTranslator();
  const { level, tool_checks, files } = agents;
  if (files.length === 0) return null;
  const isSetFor = (purpose: Purpose): boolean => files.some((file) => file.purpose === purpose);
  return (
    <Section title={translate('coding.title')}>
      {level !== 'off' && isSetFor('telemetry') && <p>{translate(`coding.${level}`)}</p>}
      {tool_checks !== 'off' && isSetFor('tool_checks') && <p>{translate('coding.checks')}</p>}
      <Table
        label={translate('coding.files')}
        className="settings"
        columns={[
          translate('coding.tool'),
          translate('coding.purpose'),
          translate('coding.file'),
          translate('coding.written'),
        ]}
        rows={files.map(({ purpose, tool, path, written_at }) => ({
          key: `${purpose} ${path}`,
          cells: [
            tool,
            translate(`coding.for ${purpose}`),
            <span key="path" className="whole">
              {path}
            </span>,
            written_at === null ? (
              translate('coding.delivered')
            ) : (
              <time key="written" dateTime={written_at}>
                {day(Date.parse(written_at))}
              </time>
            ),
          ],
        }))}
      />
    </Section>
  );
}
