import type { StatusMessage } from '../bridge.ts';
import { Section } from './section.tsx';
import { useSpeaker } from './speaking.ts';

/** The support contact. The address is no link, because the window opens nothing. */
export function Contact({ app }: Pick<StatusMessage, 'app'>) {
  const { say } = useSpeaker();
  return (
    <Section title={say('contact.title')}>
      <div className="contact">
        <p>{app?.contact ?? say('contact.unknown')}</p>
        {app?.contact_address && <p className="whole">{app.contact_address}</p>}
      </div>
    </Section>
  );
}
