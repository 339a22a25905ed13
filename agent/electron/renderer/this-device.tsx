import type { StatusMessage } from '../bridge.ts';
import type { Speaker } from '../words/speaker.ts';
import { Fact } from './fact.tsx';
import { Section } from './section.tsx';
import { useSpeaker } from './speaking.ts';

export function ThisDevice({ status }: { status: StatusMessage }) {
  const speaker = useSpeaker();
  const { say, day } = speaker;
  const { api_host, device_id, identity_expires_at, config_version } = status;
  return (
    <Section title={say('device.title')}>
      <dl>
        <Fact term={say(status.phase === 'enrolled' ? 'device.enrolled with' : 'device.service')}>
          {api_host ?? say('none')}
        </Fact>
        <Fact term={say('device.id')}>{device_id ?? say('device.not enrolled')}</Fact>
        <Fact term={say('device.certificate')}>
          {identity_expires_at ? (
            <time dateTime={identity_expires_at}>{day(Date.parse(identity_expires_at))}</time>
          ) : (
            say('none')
          )}
        </Fact>
        <Fact term={say('device.configuration')}>
          {config_version === null
            ? say('device.no configuration')
            : say('device.version', { version: String(config_version) })}
        </Fact>
        <Fact term={say('device.reports')}>{describeReports(status.counts, speaker)}</Fact>
      </dl>
    </Section>
  );
}

function describeReports(
  { reported: sent, queued: waiting, dropped }: StatusMessage['counts'],
  { say }: Speaker,
): string {
  const queued = { sent, queued: waiting };
  return dropped > 0
    ? say('device.reports lost', { ...queued, dropped })
    : say('device.reports sent', queued);
}
