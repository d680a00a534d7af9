import { Search, X } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useEffectEvent } from 'react';
import type { Party } from '@/api/contract';
import { Combobox } from '@/components/combobox';
import { InputGroupButton } from '@/components/ui/input-group';
import { useDebouncedValue } from '@/hooks/use-debounced-value';
import { useTexts } from '@/i18n';
import { findUser } from '@/i18n/en/user';
import { notifyFailure } from '@/lib/notify-failure';
import { MIN_SEARCH_LENGTH } from './search-limits';
import { UserAvatar } from './user-avatar';
import { StaffMark } from './user-name';

/** The name to search for. `current` is false while the user is typing. */
export function useUserSearch(typed: string) {
  const wanted = typed.trim();
  const asked = useDebouncedValue(wanted);
  const long = wanted.length >= MIN_SEARCH_LENGTH;
  return { asked, enabled: long && asked.length >= MIN_SEARCH_LENGTH, long, current: asked === wanted };
}

type SearchResults<T> = {
  /** Null while there are no options. */
  options: readonly T[] | null;
  status: string;
};

export function useSearchResults<T>(
  { long, current }: ReturnType<typeof useUserSearch>,
  { data, error }: { data: readonly T[] | undefined; error: Error | null },
): SearchResults<T> {
  const t = useTexts(findUser);
  const say = useEffectEvent(() => notifyFailure(t('failed'), error));
  useEffect(() => {
    if (error) say();
  }, [error]);
  if (!long) return { options: null, status: '' };
  if (!current || (!data && !error)) return { options: null, status: t('searching') };
  if (!data) return { options: null, status: t('failed') };
  return { options: data, status: data.length === 0 ? t('none') : t('found', { count: data.length }) };
}

type Person = Pick<Party, '_id' | 'username' | 'profilePic' | 'isStaff'>;

type Props<T> = Pick<
  ComponentProps<typeof Combobox<T>>,
  'label' | 'help' | 'error' | 'placeholder' | 'text' | 'onText' | 'inputRef'
> & {
  /** Somebody is chosen, though their data may not be loaded. */
  chosen: boolean;
  person: Person | undefined;
  found: SearchResults<T>;
  render: (user: T) => ReactNode;
  onChoose: (user: T) => void;
};

/** Finds a user by name. Typing after a choice clears it. */
export function UserCombobox<T extends Person>({ help, chosen, person, found, render, ...field }: Props<T>) {
  const t = useTexts(findUser);
  return (
    <Combobox
      {...field}
      help={chosen || found.status !== '' ? undefined : help}
      options={chosen ? null : found.options}
      keyOf={({ _id }) => _id}
      render={(user) => (
        <>
          <UserAvatar name={user.username} picture={user.profilePic} size="sm" />
          {render(user)}
        </>
      )}
      listLabel={t('list')}
      status={chosen ? '' : found.status}
      start={
        person ? (
          <>
            <UserAvatar name={person.username} picture={person.profilePic} size="sm" className="-mx-1" />
            {person.isStaff ? <StaffMark /> : null}
          </>
        ) : (
          <Search className="size-4" aria-hidden="true" />
        )
      }
      end={
        chosen ? (
          <InputGroupButton aria-label={t('clear')} onClick={() => field.onText('')}>
            <X className="size-4" aria-hidden="true" />
          </InputGroupButton>
        ) : null
      }
    />
  );
}
