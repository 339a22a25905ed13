import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import type { User } from '../data/session.ts';
import { addOnList } from '../data/settings-sources.ts';
import type { AddOn } from '../data/settings-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { AdminsOnly } from '../parts/admins-only.tsx';
import { State } from '../parts/badge.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Loaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { formatMonthlyPrice } from '../format.ts';
import { RegionSection } from './region-section.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useAttempt } from '../parts/use-attempt.ts';
import './add-ons.css';

/** Page with the available and active add-ons and the region of the tenant's data. */
export const AddOnsPage = ({ user }: { user: User }) => (
  <AdminsOnly title={t`Add-ons`} user={user}>
    <AddOns />
  </AdminsOnly>
);

function AddOns() {
  const reading = useQuery(addOnList());
  const [taking, setTaking] = useState<AddOn>();
  const [cancelling, setCancelling] = useState<AddOn>();
  return (
    <Page title={t`Add-ons`}>
      <Loaded reading={reading}>
        {(addOns) => (
          <div className="add-ons">
            {addOns.map((addOn) => (
              <AddOnCard
                key={addOn.code}
                addOn={addOn}
                onTake={() => setTaking(addOn)}
                onCancel={() => setCancelling(addOn)}
              />
            ))}
          </div>
        )}
      </Loaded>
      <RegionSection />
      {taking && (
        <TakeAddOn addOn={taking} onTaken={reading.refetch} onClose={() => setTaking(undefined)} />
      )}
      {cancelling && (
        <ConfirmDialog
          title={t`Cancel ${cancelling.name}`}
          action={t`Cancel add-on`}
          onConfirm={() =>
            api.enterprise
              .cancelAddOn({ params: { add_on_code: cancelling.code } })
              .then(reading.refetch)
          }
          onClose={() => setCancelling(undefined)}
        >
          <p>{outcomes[cancelling.code]}</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

const outcomes: Record<AddOn['code'], string> = {
  sso: t`Members can no longer sign in with the company’s provider. Those without a password cannot sign in at all.`,
  audit_export: t`The audit log can no longer be exported. It is still written and can be read.`,
  insights: t`The Compliance Console can no longer read the incidents of this tenant.`,
};

interface AddOnCardProps {
  addOn: AddOn;
  onTake: () => void;
  onCancel: () => void;
}

function AddOnCard({ addOn, onTake, onCancel }: AddOnCardProps) {
  const { name, description, price_cents, status } = addOn;
  const active = status === 'active';
  return (
    <section className="card add-on" aria-label={name}>
      <div className="card-header">
        <h2>{name}</h2>
        <State tone={active ? 'good' : 'neutral'}>{active ? t`Active` : t`Not active`}</State>
      </div>
      <p className="muted">{description}</p>
      <div className="add-on-price">
        <span>{formatMonthlyPrice(price_cents)}</span>
        {active ? (
          <button
            type="button"
            className="button danger"
            aria-label={t`Cancel ${name}`}
            onClick={onCancel}
          >
            <Trans>Cancel</Trans>
          </button>
        ) : (
          <button
            type="button"
            className="button primary"
            aria-label={t`Activate ${name}`}
            onClick={onTake}
          >
            <Trans>Activate</Trans>
          </button>
        )}
      </div>
    </section>
  );
}

interface TakeAddOnProps {
  addOn: AddOn;
  onTaken: () => Promise<void>;
  onClose: () => void;
}

/** Confirmation dialog with the price, because an add-on costs money. */
function TakeAddOn({ addOn, onTaken, onClose }: TakeAddOnProps) {
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
            {addOn.description}. {formatMonthlyPrice(addOn.price_cents)}, from now on.
          </Trans>
        </p>
        <DialogActions error={error} action={t`Activate`} onClose={onClose} />
      </form>
    </Dialog>
  );
}
