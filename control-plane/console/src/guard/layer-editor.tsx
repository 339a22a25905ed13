import { resolvedGuard } from '../data/guard-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { Loaded } from '../parts/notice.tsx';
import { inheritedFrom } from './inherited.ts';
import type { LayerEditorProps } from './layer-editor-props.ts';
import { LayerForm } from './layer-form.tsx';
import { inheritedQuery } from './levels.ts';

/** Loads what a level and scope inherit. */
export function LayerEditor(props: LayerEditorProps) {
  const reading = useQuery(resolvedGuard(inheritedQuery(props.level, props.scope)));
  const onWritten = () => Promise.all([reading.refetch(), props.onWritten()]);
  return (
    <Loaded reading={reading}>
      {(resolved) => (
        <LayerForm
          {...props}
          inherited={inheritedFrom(resolved)}
          version={resolved.version}
          onWritten={onWritten}
        />
      )}
    </Loaded>
  );
}
