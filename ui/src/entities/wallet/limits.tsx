import { queryOptions } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { keys } from '@/entities/keys';
import { useTexts } from '@/i18n';
import { limits } from '@/i18n/en/balance';
import { api, send } from '@/lib/api';
import { ApiError } from '@/lib/errors';

/** The key is below the wallet's, so that both are invalidated together. */
export const limitsQuery = queryOptions({
  queryKey: [...keys.wallet, 'limits'] as const,
  queryFn: ({ signal }) => send(api.GET('/wallet/limits', { signal })),
  meta: { quiet: true },
});

const REASONS = new Set(['limit_per_deal', 'limit_paid', 'limit_withdrawn']);

export function isLimit(error: unknown): error is ApiError {
  return error instanceof ApiError && REASONS.has(error.reason);
}

export function LimitsLink({ error }: { error: unknown }) {
  const t = useTexts(limits);
  return isLimit(error) ? (
    <Link to="/balance" hash="limits">
      {t('more')}
    </Link>
  ) : null;
}
