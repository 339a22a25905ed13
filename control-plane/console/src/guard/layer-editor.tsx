import { resolvedGuard } from '../data/sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Loaded } from '../parts/notice.tsx';
import type { LayerEditorProps } from './layer-editor-props.ts';
import { LayerForm } from './layer-form.tsx';
import { resolveQueries } from './levels.ts';

/** Loads the effective configuration of a level and scope, with and without the layer itself. */
export function LayerEditor(props: LayerEditorProps) {
  const { level, scope, devices } = props;
  const device = devices.results.find(({ id }) => id === scope);
  const queries = resolveQueries(level, scope, device);
  const here = useQuery(resolvedGuard(queries.here));
  const broader = useQuery(resolvedGuard(queries.broader));
  const onWritten = () => Promise.all([here.refetch(), props.onWritten()]);
  return (
    <Loaded reading={here}>
      {(hereData) => (
        <Loaded reading={broader}>
          {(broaderData) => (
            <LayerForm {...props} here={hereData} broader={broaderData} onWritten={onWritten} />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
