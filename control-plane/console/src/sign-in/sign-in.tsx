import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, type SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { beginSession } from '../data/session.ts';
import { signInMethods } from '../data/identity-sources.ts';
import { useQuery } from '../data/use-query.ts';
import { useAttempt } from '../parts/use-attempt.ts';
import { Brand } from '../shell/brand.tsx';
import { Text } from '../parts/text.tsx';
import './sign-in.css';

/** Link to the tenant's OIDC provider. After the sign-in, the user returns to the current URL. */
export function CompanySignIn({ name, login_url }: { name: string; login_url: string }) {
  const url = new URL(login_url, location.origin);
  url.searchParams.set('return_to', location.pathname + location.search);
  return (
    <a className="button" href={url.href}>
      <Trans>
        Sign in with <Text>{name}</Text>
      </Trans>
    </a>
  );
}

/**
 * Sign-in page, with a password unless disabled and with the tenant's OIDC provider if configured.
 */
export function SignIn() {
  const { data: methods } = useQuery(signInMethods());
  useEffect(() => {
    document.title = t`Sign in · Gatehouse`;
  }, []);
  return (
    <main className="sign-in">
      <div className="card">
        <Brand />
        <h1>
          <Trans>Sign in</Trans>
        </h1>
        {methods?.oidc && <CompanySignIn {...methods.oidc} />}
        {methods?.oidc && methods.password && (
          <p className="or">
            <Trans>or</Trans>
          </p>
        )}
        {methods?.password !== false && <PasswordSignIn />}
      </div>
    </main>
  );
}

function PasswordSignIn() {
  const { error, busy, attempt } = useAttempt();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void attempt(async () => {
      const { user } = await api.identity.login({
        body: { email: textOf(form, 'email'), password: textOf(form, 'password') },
      });
      beginSession(user);
    });
  };
  return (
    <form onSubmit={submit}>
      <label>
        <Trans>Email</Trans>
        <input
          ref={focus}
          className="field"
          name="email"
          type="email"
          autoComplete="username"
          required
        />
      </label>
      <label>
        <Trans>Password</Trans>
        <input
          className="field"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </label>
      <button type="submit" className="button primary" disabled={busy}>
        <Trans>Sign in</Trans>
      </button>
      <p className="form-error" role="alert">
        {error}
      </p>
    </form>
  );
}

/**
 * Focuses the first field. Nothing precedes the form, so screen readers do not skip any content.
 */
const focus = (field: HTMLElement | null): void => field?.focus();

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};
