import { queryOptions, useQuery } from '@tanstack/react-query';
import { AtSign, Link2, type LucideIcon } from 'lucide-react';
import { type Ref, useState } from 'react';
import { Controller, type UseFormReturn } from 'react-hook-form';
import type { Party } from '@/api/contract';
import { FormField } from '@/components/form-field';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { UserCombobox, useSearchResults, useUserSearch } from '@/entities/user/user-combobox';
import { UserName } from '@/entities/user/user-name';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { api, send } from '@/lib/api';
import { messageOf } from '@/lib/forms';
import type { DealValues } from './create-schema';
import { GUEST, isGuest } from './deal-start';

/** Users whose name contains the text, except the reader. */
function userSearchQuery(text: string) {
  return queryOptions({
    queryKey: ['users', 'search', text] as const,
    queryFn: ({ signal }) => send(api.GET('/wallet/search', { params: { query: { query: text } }, signal })),
    staleTime: 30_000,
    // The user is typing: failing at once beats retrying for seconds.
    retry: false,
  });
}

type OtherPartyProps = {
  value: Party | null;
  onValue: (user: Party | null) => void;
  error: string | undefined;
  inputRef: Ref<HTMLInputElement>;
};

function OtherPartyField({ value, onValue, error, inputRef }: OtherPartyProps) {
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

type Form = UseFormReturn<DealValues>;

/** Replaces the search: an optional recipient of the link. */
function GuestField({ form }: { form: Form }) {
  const t = useTexts(deals);
  return (
    <FormField label={t('guest.label')} help={t('guest.help')} error={messageOf(t, form.formState.errors.contact)}>
      {(control) => (
        <Input
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={t('guest.placeholder')}
          {...control}
          {...form.register('contact')}
        />
      )}
    </FormField>
  );
}

/** The other party: a user, or `either` a user or whoever gets the link. */
export function WhoField({ form, either }: { form: Form; either: boolean }) {
  const t = useTexts(deals);
  return (
    <Controller
      control={form.control}
      name="other"
      render={({ field: { value, onChange, ref }, fieldState }) => (
        <div className="min-w-0">
          {isGuest(value) ? (
            <GuestField form={form} />
          ) : (
            <OtherPartyField value={value} onValue={onChange} inputRef={ref} error={messageOf(t, fieldState.error)} />
          )}
          {either ? (
            <Button variant="link" onClick={() => onChange(isGuest(value) ? null : GUEST)}>
              {t(isGuest(value) ? 'way.name' : 'way.link')}
            </Button>
          ) : null}
        </div>
      )}
    />
  );
}

type WayProps = { icon: LucideIcon; title: string; text: string; onChoose: () => void };

function Way({ icon: Icon, title, text, onChoose }: WayProps) {
  return (
    <button
      type="button"
      data-slot="way"
      className="flex min-h-16 w-full items-center gap-4 border-b py-3 text-start hover:bg-muted"
      onClick={onChoose}
    >
      <Icon className="size-6 flex-none" aria-hidden="true" />
      <span className="grid min-w-0 gap-0.5">
        <b className="font-semibold">{title}</b>
        <span className="text-sm text-muted-foreground">{text}</span>
      </span>
    </button>
  );
}

/** The first question of a deal from nothing. */
export function Ways({ onLink, onName }: { onLink: () => void; onName: () => void }) {
  const t = useTexts(deals);
  return (
    <div className="mt-4 border-t">
      <Way icon={Link2} title={t('way.link')} text={t('way.linkText')} onChoose={onLink} />
      <Way icon={AtSign} title={t('way.name')} text={t('way.nameText')} onChoose={onName} />
    </div>
  );
}
