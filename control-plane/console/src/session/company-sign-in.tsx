import { Text } from '../parts/text.tsx';

/** Link to the tenant's OIDC provider, which returns to the current URL. */
export function CompanySignIn({ name, login_url }: { name: string; login_url: string }) {
  const url = new URL(login_url, location.origin);
  url.searchParams.set('return_to', location.pathname + location.search);
  return (
    <a className="button" href={url.href}>
      Sign in with <Text>{name}</Text>
    </a>
  );
}
