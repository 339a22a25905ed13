import { resolvedGuard } from '../data/sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Loaded } from '../parts/notice.tsx';
import type { LayerEditorProps } from './layer-editor-props.ts';
import { LayerForm } from './layer-form.tsx';
import { resolveQueries } from './levels.ts';

/** Reads what holds at this level and scope, with and without the layer itself. */
export function LayerEditor(props: LayerEditorProps) {
  const { level, scope, devices } = props;
  const device = devices.results.find(({ id }) => id === scope);
  const queries = resolveQueries(level, scope, device);
  const here = useQuery(resolvedGuard(queries.here));
  const broader = useQuery(resolvedGuard(queries.broader));
  const onWritten = () => Promise.all([here.refetch(), props.onWritten()]);
  return (
    <Loaded reading={here}>
      {(hereNow) => (
        <Loaded reading={broader}>
          {(broaderNow) => (
            <LayerForm {...props} here={hereNow} broader={broaderNow} onWritten={onWritten} />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
