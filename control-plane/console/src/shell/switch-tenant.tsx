import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { SwitchIcon } from '../icons.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { BrowserAccounts } from '../sign-in/browser-accounts.tsx';

/** Dialog that switches to another tenant to which the user has signed in with this browser. */
export function SwitchTenant() {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        title={t`Switch tenant`}
        onClick={() => setOpened(true)}
      >
        <SwitchIcon />
        <span className="hidden">
          <Trans>Switch tenant</Trans>
        </span>
      </button>
      {opened && (
        <Dialog title={t`Switch tenant`} onClose={close}>
          <BrowserAccounts onClose={close} />
        </Dialog>
      )}
    </>
  );
}
