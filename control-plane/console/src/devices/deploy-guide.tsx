import { Link } from 'wouter';
import { CopyButton } from '../parts/copy-button.tsx';

const profilePath = '/api/svc/v1/endpoint/mdm-profile/';

/** For a company that has no device yet. */
export function DeployGuide() {
  const command = `curl -fH "X-Svc-Key: $SVC_KEY" -o gatehouse.mobileconfig ${location.origin}${profilePath}`;
  return (
    <div className="guide card">
      <h2>No device has enrolled yet</h2>
      <p>A device appears here as soon as its agent has started with a configuration profile.</p>
      <ol>
        <li>
          <Link to="/api-keys">Create an API key</Link> that may administer, for fetching the
          profile. The profile itself carries a key that can only enroll.
        </li>
        <li>
          Fetch the profile. Capture is off in it, unless you name hosts.
          <span className="command">
            <code>{command}</code>
            <CopyButton text={command} label="Copy the command" />
          </span>
        </li>
        <li>
          Upload the profile to your device management and assign it, with the installer package, to
          the devices.
        </li>
        <li>The agent starts, enrolls itself and reports; no one has to click anything.</li>
      </ol>
    </div>
  );
}
