import { Link } from 'wouter';
import { CopyButton } from '../parts/copy-button.tsx';

const profilePath = '/api/svc/v1/endpoint/mdm-profile/';
const installerPath = '/api/svc/v1/endpoint/installer/';

/** For a company that has no device yet. */
export function DeployGuide() {
  const command = `curl -fH "X-Svc-Key: $SVC_KEY" -o gatehouse.mobileconfig ${location.origin}${profilePath}`;
  const installer = `curl -fOJH "X-Svc-Key: $SVC_KEY" ${location.origin}${installerPath}`;
  return (
    <div className="guide card">
      <h2>No device has enrolled yet</h2>
      <p>A device appears here as soon as its agent has started with a configuration profile.</p>
      <ol>
        <li>
          <Link to="/api-keys">Create an API key</Link> that may administer and enroll devices, for
          fetching the profile. The profile itself carries a key that can only enroll, and ends when
          yours does.
        </li>
        <li>
          Fetch the profile. Capture is off in it, unless you name hosts.
          <span className="command">
            <code>{command}</code>
            <CopyButton text={command} label="Copy the command" />
          </span>
        </li>
        <li>
          Fetch the installer package. Where none is configured, the answer says how to.
          <span className="command">
            <code>{installer}</code>
            <CopyButton text={installer} label="Copy the command for the package" />
          </span>
        </li>
        <li>
          Upload both to your device management and assign them to the devices, in either order.
        </li>
        <li>The agent starts, enrolls itself and reports; no one has to click anything.</li>
      </ol>
    </div>
  );
}
