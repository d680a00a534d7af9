import { useQuery } from '@tanstack/react-query';
import { type Ref, useState } from 'react';
import type { Party } from '@/api/contract';
import { UserCombobox, useSearchResults, useUserSearch } from '@/entities/user/user-combobox';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { userSearchQuery } from './queries';

type Props = {
  value: Party | null;
  onValue: (user: Party | null) => void;
  error: string | undefined;
  inputRef: Ref<HTMLInputElement>;
};

export function OtherPartyField({ value, onValue, error, inputRef }: Props) {
  const t = useTexts(deals);
  const [typed, setTyped] = useState('');
  const search = useUserSearch(value ? '' : typed);
  const found = useSearchResults(search, useQuery({ ...userSearchQuery(search.asked), enabled: search.enabled }));
  return (
    <UserCombobox
      label={t('user.label')}
      help={t('user.help')}
      error={error}
      placeholder={t('user.placeholder')}
      text={value ? value.username : typed}
      onText={(text) => {
        setTyped(text);
        if (value) onValue(null);
      }}
      chosen={value !== null}
      person={value ?? undefined}
      found={found}
      render={(user) => <UserName user={user} className="font-semibold" />}
      onChoose={(user) => {
        setTyped(user.username);
        onValue(user);
      }}
      inputRef={inputRef}
    />
  );
}
