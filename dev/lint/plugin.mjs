import { constantNames } from './constant-names.mjs';
import { purity } from './purity.mjs';

// oxlint reads the default export.
// oxlint-disable-next-line import/no-default-export
export default {
  meta: { name: 'gatehouse' },
  rules: { 'constant-names': constantNames, purity },
};
