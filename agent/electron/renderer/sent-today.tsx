import type { StatusMessage } from '../bridge.ts';
import { Fact } from './fact.tsx';
import { Section } from './section.tsx';
import { useSpeaker } from './speaking.ts';

const counted = ['flow_reports', 'captures', 'inventories'] as const;

export function SentToday({ sent }: { sent: StatusMessage['sent_today'] }) {
  const { say, bytes, number } = useSpeaker();
  return (
    <Section title={say('sent.title')}>
      <dl className="counts">
        {counted.map((kind) => (
          <Fact key={kind} term={say(`sent.${kind}`)}>
            {number(sent[kind])}
          </Fact>
        ))}
        <Fact term={say('sent.bytes')}>{bytes(sent.bytes)}</Fact>
      </dl>
    </Section>
  );
}
