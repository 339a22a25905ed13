import { api } from '../data/api.ts';
import { endSession } from '../data/session.ts';
import { SignOutIcon } from '../icons.tsx';

export function SignOutButton() {
  // A refused sign-out means that there was no session any more.
  const signOut = () => api.identity.logout().then(endSession, endSession);
  return (
    <button type="button" className="icon-button" title="Sign out" onClick={() => void signOut()}>
      <SignOutIcon />
      <span className="hidden">Sign out</span>
    </button>
  );
}
