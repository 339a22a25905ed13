import { constantNames } from './constant-names.mjs';
import { purity } from './purity.mjs';
import { translatedTexts } from './translated-texts.mjs';

// oxlint reads the default export.
// oxlint-disable-next-line import/no-default-export
export default {
  meta: { name: 'gatehouse' },
  rules: { 'constant-names': constantNames, purity, 'translated-texts': translatedTexts },
};
