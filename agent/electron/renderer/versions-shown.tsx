import { useSpeaker } from './speaking.ts';
import { isOlder } from './versions.ts';

/** The app's version, and the one that is to come. */
export function Versions({ own, newest }: { own: string; newest: string | null | undefined }) {
  const { say } = useSpeaker();
  return (
    <>
      {say('version.own', { version: own })}
      {newest && isOlder(own, newest) && <> · {say('version.newer', { version: newest })}</>}
    </>
  );
}
