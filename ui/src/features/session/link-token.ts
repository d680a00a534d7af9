import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** The token in the address of a mailed link: in its fragment, or in its query. "" when there is none. */
export function tokenIn({ hash, searchStr }: { hash: string; searchStr: string }): string {
  return new URLSearchParams(hash).get('token') ?? new URLSearchParams(searchStr).get('token') ?? '';
}

/**
 * The token of the mailed link that has opened the page, "" when there is none. It is taken out of the address at once, so that it stays neither
 * in the address bar nor in the browser's history; the page keeps it as long as it is open.
 */
export function useLinkToken(): string {
  const { history } = useRouter();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const found = useLocation({ select: tokenIn });
  const [token, setToken] = useState(found);
  if (found !== '' && found !== token) setToken(found);
  useEffect(() => {
    if (found !== '') history.replace(path);
  }, [found, history, path]);
  return token;
}
