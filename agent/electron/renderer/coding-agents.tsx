import type { StatusMessage } from '../bridge.ts';
import { Section } from './section.tsx';
import { useTranslator } from './translator-context.ts';
import { Table } from './table.tsx';

/** Shows what coding agents report and the settings that enable it; empty if they report nothing. */
export function CodingAgents({ agents }: { agents: StatusMessage['coding_agents'] }) {
  const { translate, day } = useTranslator();
  const { level, files } = agents;
  if (level === 'off' || files.length === 0) return null;
  return (
    <Section title={translate('coding.title')}>
      <p>{translate(`coding.${level}`)}</p>
      <Table
        label={translate('coding.files')}
        className="settings"
        columns={[translate('coding.tool'), translate('coding.file'), translate('coding.written')]}
        rows={files.map(({ tool, path, written_at }) => ({
          key: path,
          cells: [
            tool,
            <span key="path" className="whole">
              {path}
            </span>,
            <time key="written" dateTime={written_at}>
              {day(Date.parse(written_at))}
            </time>,
          ],
        }))}
      />
    </Section>
  );
}
