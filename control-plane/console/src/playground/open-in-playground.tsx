import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { mayWrite } from '../data/session.ts';
import { useSession } from '../data/use-query.ts';

interface OpenInPlaygroundProps {
  /** A prompt with its version, or a recorded call. */
  query: Record<string, string>;
}

/** Link to the playground. Hidden from users who may not run prompts. */
export function OpenInPlayground({ query }: OpenInPlaygroundProps) {
  const session = useSession();
  if (session.status !== 'signed-in' || !mayWrite(session.user)) return null;
  return (
    <Link className="button" to={`/playground?${new URLSearchParams(query).toString()}`}>
      <Trans>Open in playground</Trans>
    </Link>
  );
}
