import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import type { AddOn } from '../data/settings-sources.ts';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import { pricePerMonth } from './price-per-month.ts';

interface TakeAddOnProps {
  addOn: AddOn;
  onTaken: () => Promise<void>;
  onClose: () => void;
}

/** An add-on costs money, so it is confirmed with its price. */
export function TakeAddOn({ addOn, onTaken, onClose }: TakeAddOnProps) {
  const { error, attempt } = useAttempt();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const taken = await attempt(async () => {
      await api.enterprise.activateAddOn({ body: { add_on_code: addOn.code } });
      await onTaken();
    });
    if (taken) onClose();
  };
  return (
    <Dialog title={t`Activate ${addOn.name}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p>
          <Trans>
            {addOn.description}. {pricePerMonth(addOn.price_cents)}, from now on.
          </Trans>
        </p>
        <DialogActions error={error} action={t`Activate`} onClose={onClose} />
      </form>
    </Dialog>
  );
}
