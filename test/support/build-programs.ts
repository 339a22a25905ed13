import { join } from 'node:path';
import { buildControlPlane } from '#control-plane/build.ts';
import { BUILT_FOLDER, root } from './processes.ts';

/** Built once for a whole run, beside what somebody may be running from this checkout. */
export default (): Promise<void> => buildControlPlane(join(root, BUILT_FOLDER));
