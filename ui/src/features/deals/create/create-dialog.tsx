import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Ref, type RefObject, type SyntheticEvent, useRef, useState } from 'react';
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form';
import type { DealDetail, DealInvite, Party } from '@/api/contract';
import { Choice, ChoiceGroup } from '@/components/choice';
import { STACK } from '@/components/classes';
import { leavesEscape } from '@/components/combobox';
import { DialogPanel } from '@/components/dialog-panel';
import { FormField } from '@/components/form-field';
import { PendingButton } from '@/components/pending-button';
import { ShareWays } from '@/components/share-ways';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';
import { useMaybeMe, useMe } from '@/entities/user/queries';
import { UserCombobox, useSearchResults, useUserSearch } from '@/entities/user/user-combobox';
import { UserName } from '@/entities/user/user-name';
import { useMoneyAction } from '@/entities/wallet/operations';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useStillHere } from '@/hooks/use-still-here';
import { translate, useTexts } from '@/i18n';
import { invite as catalogue } from '@/i18n/en/deal-links';
import { deals } from '@/i18n/en/deals';
import { api, idempotent, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { messageOf } from '@/lib/forms';
import { LimitNote, notifyActionFailure } from '../failures';
import { useSharedInvite } from '../invite/queries';
import { TermsFields } from '../terms/terms-fields';
import {
  aboutOf,
  DEAL_FIELDS,
  type DealStart,
  type DealValues,
  dealBody,
  dealDraft,
  dealSchema,
  filledIn,
  GUEST,
  isGuest,
  SERVER_FIELDS,
} from './create-schema';

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

function GuestLink({ onChoose }: { onChoose: () => void }) {
  const t = useTexts(deals);
  return (
    <div>
      <Button variant="link" onClick={onChoose}>
        {t('guest.choose')}
      </Button>
    </div>
  );
}

/** Replaces the search: an optional recipient of the link. */
function GuestField({ form, onSearch }: { form: UseFormReturn<DealValues>; onSearch: () => void }) {
  const t = useTexts(deals);
  return (
    <div className="min-w-0">
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
      <Button variant="link" onClick={onSearch}>
        {t('guest.search')}
      </Button>
    </div>
  );
}

type Form = UseFormReturn<DealValues>;

function RoleField({ form }: { form: Form }) {
  const t = useTexts(deals);
  const error = messageOf(t, form.formState.errors.role);
  return (
    <ChoiceGroup legend={t('role.label')} error={error}>
      <div className="grid grid-cols-[1fr_1fr] gap-x-4 gap-y-1">
        {(['buyer', 'seller'] as const).map((side) => (
          <Choice
            key={side}
            value={side}
            aria-invalid={error ? true : undefined}
            label={
              <>
                <b className="leading-6 font-semibold">{t(`role.${side}`)}</b>{' '}
                <small className="block text-sm text-muted-foreground">{t(`role.${side}Text`)}</small>
              </>
            }
            {...form.register('role')}
          />
        ))}
      </div>
    </ChoiceGroup>
  );
}

function CreateFields({ form }: { form: Form }) {
  const t = useTexts(deals);
  const [role, other] = useWatch({ control: form.control, name: ['role', 'other'] });
  return (
    <>
      <Controller
        control={form.control}
        name="other"
        render={({ field, fieldState }) =>
          isGuest(field.value) ? (
            <GuestField form={form} onSearch={() => field.onChange(null)} />
          ) : (
            <div className={cn(STACK, 'gap-0')}>
              <OtherPartyField
                value={field.value}
                onValue={field.onChange}
                inputRef={field.ref}
                error={messageOf(t, fieldState.error)}
              />
              <GuestLink onChoose={() => field.onChange(GUEST)} />
            </div>
          )
        }
      />
      <RoleField form={form} />
      <TermsFields form={form} side={role} name={other?.username} daysHelp={(when) => t('days.help', { when })} />
    </>
  );
}

function InviteReady({ invite, onDone }: { invite: DealInvite; onDone: () => void }) {
  const t = useTexts(catalogue);
  const shared = useSharedInvite();
  return (
    <div className="mt-4 grid min-w-0 gap-5">
      {invite.email ? <p>{t('mailed', { email: invite.email })}</p> : null}
      <ShareWays {...shared(invite)} />
      <Button size="lg" variant="outline" onClick={onDone}>
        {t('done')}
      </Button>
    </div>
  );
}

const CREATED = 201;

/** A success other than 201. */
class UnexpectedStatus extends Error {}

type Made = DealDetail | DealInvite;

async function create(values: DealValues, key: string): Promise<Made> {
  const call = api.POST('/deals/create', { body: dealBody(values), headers: idempotent(key) });
  const made = await send(call);
  if ((await call).response.status !== CREATED) throw new UnexpectedStatus();
  return made;
}

/** The form of a new deal. It resets when the deal is made, because its dialog stays mounted. */
function useCreateDeal(start: DealStart | null, onCreated: (made: Made) => void) {
  const t = useTexts(deals);
  const me = useMaybeMe();
  const { _id: author } = useMe();
  const empty = filledIn(start);
  const made = useRef<Made | null>(null);
  const action = useMoneyAction<DealValues>({
    call: async (values, key) => {
      made.current = await create(values, key);
    },
    success: (): string => {
      if (made.current && 'code' in made.current) return translate(deals, 'create.linked');
      return translate(deals, form.getValues('role') === 'seller' ? 'create.sent' : 'create.done');
    },
    fallback: () => translate(deals, 'create.unexpected'),
    quiet: true,
    onDone: (): void => {
      form.reset(empty);
      if (made.current) onCreated(made.current);
    },
    onFailed: (error) =>
      notifyActionFailure(error, translate(deals, error instanceof UnexpectedStatus ? 'create.failed' : 'create.unexpected')),
  });
  const { form, submit } = useDraftForm({
    schema: dealSchema,
    t,
    empty,
    order: DEAL_FIELDS,
    server: { fields: SERVER_FIELDS },
    draft: dealDraft(author, aboutOf(start)),
    mutation: action,
    onSubmit: (values) => action.runAsync(values),
  });
  return {
    form,
    submit: (event: SyntheticEvent) => {
      form.setValue('me', me?._id ?? '');
      submit(event);
    },
    sending: action.isPending,
    error: action.error,
  };
}

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  opener: RefObject<Element | null>;
  start: DealStart | null;
};

export default function CreateDialog({ open, onOpenChange, opener, start }: Props) {
  const t = useTexts(deals);
  const tInvite = useTexts(catalogue);
  const navigate = useNavigate();
  const here = useStillHere();
  const [invite, setInvite] = useState<DealInvite | null>(null);
  const close = () => {
    onOpenChange(false);
    // Shows the pending link in the list.
    void navigate({ to: '/deal', search: { tab: 'pending' }, resetScroll: false });
  };
  const { form, submit, sending, error } = useCreateDeal(start, (made) => {
    if ('code' in made) {
      setInvite(made);
      return;
    }
    onOpenChange(false);
    if (here()) void navigate({ to: '/deal/$dealId', params: { dealId: made._id } });
  });
  const leave = (wanted: boolean) => {
    if (invite && !wanted) {
      setInvite(null);
      close();
    } else onOpenChange(wanted);
  };
  return (
    <Dialog open={open} onOpenChange={leave}>
      <DialogPanel
        // Scrolls a focused field into view with its label.
        className="scroll-pt-22 scroll-pb-6"
        title={invite ? tInvite('ready') : t('create')}
        description={invite ? tInvite('readyText') : t('create.lede')}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          if (opener.current instanceof HTMLElement) opener.current.focus();
        }}
        onEscapeKeyDown={(event) => {
          if (leavesEscape(event)) event.preventDefault();
        }}
      >
        {invite ? (
          <InviteReady invite={invite} onDone={() => leave(false)} />
        ) : (
          <form className={cn(STACK, 'mt-4 gap-6 [&_input]:placeholder:text-subtle-foreground')} noValidate onSubmit={submit}>
            <CreateFields form={form} />
            <LimitNote error={error} />
            <PendingButton size="lg" type="submit" className="w-full" pending={sending}>
              {t('create.submit')}
            </PendingButton>
          </form>
        )}
      </DialogPanel>
    </Dialog>
  );
}
