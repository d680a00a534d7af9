import { useQuery } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { AdminUser } from '@/api/contract';
import { Avatar } from '@/components/ui/avatar';
import { Combobox } from '@/components/ui/combobox';
import { useTexts } from '@/i18n';
import { adminUsers } from '@/i18n/en/admin-users';
import { sayFailed } from '@/lib/say-failed';
import { usePaused } from '@/lib/use-paused';
import { foundUsersQuery, userQuery } from './queries';
import { SHORTEST } from './user-search';

type Found = { options: readonly AdminUser[] | null; status: string };

/** The users for what is typed, and the one line that says how the search stands. */
function useFound(typed: string): Found {
  const t = useTexts(adminUsers);
  const wanted = typed.trim();
  const asked = usePaused(wanted);
  const { data, error } = useQuery({ ...foundUsersQuery(asked), enabled: asked.length >= SHORTEST && wanted.length >= SHORTEST });
  const say = useEffectEvent(() => sayFailed(t('pick.failed'), error));
  useEffect(() => {
    if (error) say();
  }, [error]);
  if (wanted.length < SHORTEST) return { options: null, status: '' };
  if (asked !== wanted || (!data && !error)) return { options: null, status: t('pick.searching') };
  if (!data) return { options: null, status: t('pick.failed') };
  return { options: data, status: data.length === 0 ? t('pick.none') : t('found', { count: data.length }) };
}

type Props = {
  label: string;
  /** The id of the one who is chosen. */
  value: string | undefined;
  onValue: (id: string | undefined) => void;
  error?: string | undefined;
};

/** Finds any user by username or address. Typing on after a choice takes the choice back. */
export function UserPicker({ label, value, onValue, error }: Props) {
  const t = useTexts(adminUsers);
  const [typed, setTyped] = useState('');
  const chosen = useQuery({ ...userQuery(value ?? ''), enabled: value !== undefined });
  const found = useFound(value === undefined ? typed : '');
  const change = (text: string) => {
    setTyped(text);
    if (value !== undefined) onValue(undefined);
  };
  const user = value === undefined ? undefined : chosen.data;
  const failed = value !== undefined && chosen.isLoadingError ? t('pick.none') : undefined;
  return (
    <Combobox
      label={label}
      help={value !== undefined || found.status !== '' ? undefined : t('pick.help')}
      error={error ?? failed}
      placeholder={t('search')}
      text={value === undefined ? typed : (user?.username ?? value)}
      onText={change}
      options={found.options}
      keyOf={({ _id }) => _id}
      render={({ username, profilePic, email }) => (
        <>
          <Avatar name={username} picture={profilePic} size="s" />
          <span className="pickname">
            <b className="b">{username}</b>
            <span className="block m t14 clip">{email}</span>
          </span>
        </>
      )}
      onChoose={({ _id }) => {
        setTyped('');
        onValue(_id);
      }}
      listLabel={t('pick.list')}
      status={value === undefined ? found.status : ''}
      start={
        user ? (
          <Avatar name={user.username} picture={user.profilePic} size="s" className="userpick" />
        ) : (
          <Search className="i16" aria-hidden="true" />
        )
      }
      end={
        value === undefined ? null : (
          <button type="button" aria-label={t('pick.clear')} onClick={() => change('')}>
            <X className="i16" aria-hidden="true" />
          </button>
        )
      }
    />
  );
}
