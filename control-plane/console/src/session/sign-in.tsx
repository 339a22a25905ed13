import { useEffect, useState } from 'react';
import type { SubmitEvent } from 'react';
import { api } from '../data/api.ts';
import { describeError } from '../data/describe-error.ts';
import { beginSession } from '../data/session.ts';
import { Brand } from './brand.tsx';

export function SignIn() {
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Gatehouse';
  }, []);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    try {
      const { user } = await api.identity.login({
        body: { email: textOf(form, 'email'), password: textOf(form, 'password') },
      });
      beginSession(user);
    } catch (refusal) {
      setError(describeError(refusal));
      setBusy(false);
    }
  };

  return (
    <main className="sign-in">
      <form className="card" onSubmit={(event) => void submit(event)}>
        <Brand />
        <h1>Sign in</h1>
        <label>
          Email
          <input className="field" name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password
          <input
            className="field"
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
        </label>
        <button type="submit" className="button primary" disabled={busy}>
          Sign in
        </button>
        <p className="form-error" role="alert">
          {error}
        </p>
      </form>
    </main>
  );
}

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};
