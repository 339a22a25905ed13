import type { StatusMessage } from '../bridge.ts';
import type { Translator } from '../messages/translator.ts';
import { Fact, Section } from './section.tsx';
import { useTranslator } from './translator-context.ts';

export function ThisDevice({ status }: { status: StatusMessage }) {
  const translator = useTranslator();
  const { translate, day } = translator;
  const { api_host, device_id, identity_expires_at, config_version } = status;
  return (
    <Section title={translate('device.title')}>
      <dl>
        <Fact
          term={translate(status.phase === 'enrolled' ? 'device.enrolled with' : 'device.service')}
        >
          {api_host ?? translate('none')}
        </Fact>
        <Fact term={translate('device.id')}>{device_id ?? translate('device.not enrolled')}</Fact>
        <Fact term={translate('device.certificate')}>
          {identity_expires_at ? (
            <time dateTime={identity_expires_at}>{day(Date.parse(identity_expires_at))}</time>
          ) : (
            translate('none')
          )}
        </Fact>
        <Fact term={translate('device.keys')}>
          {translate(`device.keys ${status.key_binding}`)}
        </Fact>
        <Fact term={translate('device.configuration')}>
          {config_version === null
            ? translate('device.no configuration')
            : translate('device.version', { version: String(config_version) })}
        </Fact>
        <Fact term={translate('device.reports')}>{describeReports(status.counts, translator)}</Fact>
      </dl>
    </Section>
  );
}

function describeReports(
  { reported: sent, queued: waiting, dropped }: StatusMessage['counts'],
  { translate }: Translator,
): string {
  const queued = { sent, queued: waiting };
  return dropped > 0
    ? translate('device.reports lost', { ...queued, dropped })
    : translate('device.reports sent', queued);
}

const counted = ['flow_reports', 'captures', 'inventories', 'telemetry', 'tool_calls'] as const;

export function SentToday({ sent }: { sent: StatusMessage['sent_today'] }) {
  const { translate, bytes, number } = useTranslator();
  return (
    <Section title={translate('sent.title')}>
      <dl className="counts">
        {counted.map((kind) => (
          <Fact key={kind} term={translate(`sent.${kind}`)}>
            {number(sent[kind])}
          </Fact>
        ))}
        <Fact term={translate('sent.bytes')}>{bytes(sent.bytes)}</Fact>
      </dl>
      <p className="muted">{translate('sent.not counted')}</p>
    </Section>
  );
}
