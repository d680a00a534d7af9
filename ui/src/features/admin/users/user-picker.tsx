import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { UserCombobox, useSearchResults, useUserSearch } from '@/entities/user/user-combobox';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { adminUsers } from '@/i18n/en/admin';
import { findUser } from '@/i18n/en/user';
import { foundUsersQuery, userQuery } from './queries';

type Props = {
  label: string;
  value: string | undefined;
  onValue: (id: string | undefined) => void;
  error?: string | undefined;
};

export function UserPicker({ label, value, onValue, error }: Props) {
  const t = useTexts(adminUsers);
  const tFindUser = useTexts(findUser);
  const [typed, setTyped] = useState('');
  const chosen = useQuery({ ...userQuery(value ?? ''), enabled: value !== undefined });
  const search = useUserSearch(value === undefined ? typed : '');
  const found = useSearchResults(search, useQuery({ ...foundUsersQuery(search.asked), enabled: search.enabled }));
  const user = value === undefined ? undefined : chosen.data;
  const failed = value !== undefined && chosen.isLoadingError ? tFindUser('none') : undefined;
  return (
    <UserCombobox
      label={label}
      help={t('pick.help')}
      error={error ?? failed}
      placeholder={t('search')}
      text={value === undefined ? typed : (user?.username ?? value)}
      onText={(text) => {
        setTyped(text);
        if (value !== undefined) onValue(undefined);
      }}
      chosen={value !== undefined}
      person={user}
      found={found}
      render={(user) => (
        <span className="min-w-0">
          <UserName user={user} className="font-semibold" />
          <span className="block truncate text-sm text-muted-foreground">{user.email}</span>
        </span>
      )}
      onChoose={({ _id }) => {
        setTyped('');
        onValue(_id);
      }}
    />
  );
}
