import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** The token in the fragment or query of a mailed link, or "". */
export function tokenIn({ hash, searchStr }: { hash: string; searchStr: string }): string {
  return new URLSearchParams(hash).get('token') ?? new URLSearchParams(searchStr).get('token') ?? '';
}

/**
 * The token of the mailed link that opened the page, or "". It is removed from the address at once,
 * so that neither the address bar nor the history keeps it.
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
