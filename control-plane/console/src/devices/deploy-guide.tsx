import { Link } from 'wouter';
import { CopyButton } from '../parts/copy-button.tsx';

const profilePath = '/api/svc/v1/endpoint/mdm-profile/';
const installerPath = '/api/svc/v1/endpoint/installer/';

/** Shown to tenants without devices. */
export function DeployGuide() {
  const command = `curl -fH "X-Svc-Key: $SVC_KEY" -o gatehouse.mobileconfig ${location.origin}${profilePath}`;
  const installer = `curl -fOJH "X-Svc-Key: $SVC_KEY" ${location.origin}${installerPath}`;
  return (
    <div className="guide card">
      <h2>No device has enrolled yet</h2>
      <p>A device appears here as soon as its agent has started with a configuration profile.</p>
      <ol>
        <li>
          <Link to="/api-keys">Create an API key</Link> with the permissions <code>admin</code> and{' '}
          <code>enroll</code> to download the profile. The profile contains a key of its own, which
          can only enroll devices and expires when yours does.
        </li>
        <li>
          Download the profile. It leaves capture off unless you name hosts.
          <span className="command">
            <code>{command}</code>
            <CopyButton text={command} label="Copy the command" />
          </span>
        </li>
        <li>
          Download the installer package. If none is configured, the response explains how to
          configure one.
          <span className="command">
            <code>{installer}</code>
            <CopyButton text={installer} label="Copy the package command" />
          </span>
        </li>
        <li>
          Upload both to your device management (MDM) and assign them to the devices, in any order.
        </li>
        <li>The agent starts, enrolls and reports without user interaction.</li>
      </ol>
    </div>
  );
}
