import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { api } from '../data/api.ts';
import type { ModelPrice } from '../data/settings-sources.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Text } from '../parts/text.tsx';

interface DeletePriceProps {
  price: ModelPrice;
  onDeleted: () => Promise<void>;
  onClose: () => void;
}

export const DeletePrice = ({ price: { model_id }, onDeleted, onClose }: DeletePriceProps) => (
  <ConfirmDialog
    title={t`Remove own price`}
    action={t`Remove`}
    onConfirm={() => api.costs.deleteModelCost({ params: { model_id } }).then(onDeleted)}
    onClose={onClose}
  >
    <p>
      <Trans>
        New calls of <Text>{model_id}</Text> get the price of the operator’s file or the price table
        again, or none if neither has one.
      </Trans>
    </p>
  </ConfirmDialog>
);
