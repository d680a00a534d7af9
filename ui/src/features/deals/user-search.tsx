import { useQuery } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import { type Ref, useEffect, useEffectEvent, useState } from 'react';
import type { Party } from '@/api/contract';
import { Avatar } from '@/components/ui/avatar';
import { Combobox } from '@/components/ui/combobox';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { sayFailed } from '@/lib/say-failed';
import { usePaused } from '@/lib/use-paused';
import { userSearchQuery } from './queries';

const SHORTEST = 2;

/** The users for what is typed, and the one line that says how the search stands. */
function useSearch(typed: string) {
  const t = useTexts(deals);
  const wanted = typed.trim();
  const asked = usePaused(wanted);
  const enabled = asked.length >= SHORTEST && wanted.length >= SHORTEST;
  const { data, error } = useQuery({ ...userSearchQuery(asked), enabled });
  const say = useEffectEvent(() => sayFailed(t('user.failed'), error));
  useEffect(() => {
    if (error) say();
  }, [error]);
  if (wanted.length < SHORTEST) return { found: null, status: '' };
  if (asked !== wanted || (!data && !error)) return { found: null, status: t('user.searching') };
  if (!data) return { found: null, status: t('user.failed') };
  return { found: data, status: data.length === 0 ? t('user.none') : t('user.found', { count: data.length }) };
}

type Props = {
  value: Party | null;
  onValue: (user: Party | null) => void;
  error: string | undefined;
  inputRef: Ref<HTMLInputElement>;
};

/** Finds the other party by username. Typing on after a choice takes the choice back. */
export function UserSearch({ value, onValue, error, inputRef }: Props) {
  const t = useTexts(deals);
  const [typed, setTyped] = useState('');
  const search = useSearch(value ? '' : typed);
  const change = (text: string) => {
    setTyped(text);
    if (value) onValue(null);
  };
  return (
    <Combobox
      label={t('user.label')}
      help={value || search.status !== '' ? undefined : t('user.help')}
      error={error}
      placeholder={t('user.placeholder')}
      text={value ? value.username : typed}
      onText={change}
      options={search.found}
      keyOf={(user) => user._id}
      render={(user) => (
        <>
          <Avatar name={user.username} picture={user.profilePic} size="s" />
          <b className="b">{user.username}</b>
        </>
      )}
      onChoose={(user) => {
        setTyped(user.username);
        onValue(user);
      }}
      listLabel={t('user.list')}
      status={value ? '' : search.status}
      start={
        value ? (
          <Avatar name={value.username} picture={value.profilePic} size="s" className="userpick" />
        ) : (
          <Search className="i16" aria-hidden="true" />
        )
      }
      end={
        value ? (
          <button type="button" aria-label={t('user.clear')} onClick={() => change('')}>
            <X className="i16" aria-hidden="true" />
          </button>
        ) : null
      }
      inputRef={inputRef}
    />
  );
}
