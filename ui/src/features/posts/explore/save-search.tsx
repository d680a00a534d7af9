import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { useMaybeMe } from '@/entities/user/queries';
import { useNextStep } from '@/hooks/use-next-step';
import { useTexts } from '@/i18n';
import { savedSearches } from '@/i18n/en/saved-searches';
import { cn } from '@/lib/cn';
import { useSavedSearch } from '../searches';
import type { Listing } from './explore-search';

type Props = { at: Listing; next: 'save' | undefined };

/** The bell that saves the search of the address. Visitors log in first. */
export function SaveSearch({ at, next }: Props) {
  const t = useTexts(savedSearches);
  const me = useMaybeMe();
  const router = useRouter();
  const navigate = useNavigate();
  const { pressed, save } = useSavedSearch(at);
  useNextStep(next, () => {
    if (me) save(true);
  });
  const toLogin = () => {
    const { href } = router.buildLocation({ to: '/explore', search: { ...at, page: undefined, seed: undefined } }); // has a query
    void navigate({ to: '/login', search: { redirect: `${href}&next=save` } });
  };
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-5">
      <Button variant="link" aria-pressed={pressed} onClick={() => (me ? save(!pressed) : toLogin())}>
        <Bell className={cn('size-4', pressed && 'fill-current')} aria-hidden="true" />
        {t('save')}
      </Button>
      {pressed ? (
        <Button variant="link" asChild>
          <Link to="/saved" search={{ tab: 'searches' }}>
            {t('title')}
          </Link>
        </Button>
      ) : null}
    </div>
  );
}
