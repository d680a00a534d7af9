import { useNavigate } from '@tanstack/react-router';
import { type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { DealDetail, DealInvite } from '@/api/contract';
import { Choice, ChoiceGroup } from '@/components/choice';
import { HANGING, STACK, TAKA } from '@/components/classes';
import { leavesEscape } from '@/components/combobox';
import { DialogPanel } from '@/components/dialog-panel';
import { PendingButton } from '@/components/pending-button';
import { Facts } from '@/components/section';
import { ShareWays } from '@/components/share-ways';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { titleOf } from '@/entities/deal/title';
import { useMaybeMe, useMe } from '@/entities/user/queries';
import { BuyLimit } from '@/entities/wallet/buy-limit';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { isLimit } from '@/entities/wallet/limits';
import { useMoneyAction } from '@/entities/wallet/operations';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useStillHere } from '@/hooks/use-still-here';
import { translate, useTexts } from '@/i18n';
import { invite as catalogue } from '@/i18n/en/deal-links';
import { deals } from '@/i18n/en/deals';
import { parseCents } from '@/lib/amount';
import { api, idempotent, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { messageOf } from '@/lib/forms';
import { aboutBdt, feeOf, usd } from '@/lib/money';
import { LimitNote, notifyActionFailure } from '../failures';
import { useSharedInvite } from '../invite/queries';
import { DaysField, TermsFields } from '../terms/terms-fields';
import { suggestedDays } from '../terms/terms-schema';
import {
  DEAL_FIELDS,
  type DealValues,
  dealBody,
  dealDraft,
  dealSchema,
  filledIn,
  isWhole,
  namesSlowTransfer,
  SERVER_FIELDS,
} from './create-schema';
import { aboutOf, BY_LINK, type DealStart, GUEST, isGuest } from './deal-start';
import { Ways, WhoField } from './who-fields';

type Form = UseFormReturn<DealValues>;

/** A deal that is complete: what, with whom, who pays how much. Only the days are asked. */
function DealSummary({ form, onChange }: { form: UseFormReturn<DealValues>; onChange: () => void }) {
  const t = useTexts(deals);
  const { other, role, price, description, check } = form.getValues();
  const taka = useTaka(role === 'buyer' ? 'pays' : 'gets');
  const name = other?.username ?? '';
  const cents = parseCents(price) ?? 0;
  const fee = feeOf(cents);
  const pays = role === 'buyer' ? t('money.youPay') : t('money.pays', { name });
  const gets = role === 'seller' ? t('money.youGet') : t('money.gets', { name });
  return (
    <>
      <section className={HANGING}>
        <div className="flex items-start justify-between gap-4">
          <h3 className="min-w-0 font-display text-display-xs">{titleOf(description)}</h3>
          <Button variant="link" className="-my-2 flex-none" onClick={onChange}>
            {t('change')}
          </Button>
        </div>
        <p className="mb-2 text-sm text-muted-foreground">{t(role === 'seller' ? 'summary.sell' : 'summary.buy', { name })}</p>
        <Facts
          rows={[
            [
              pays,
              <>
                {taka ? <span className={TAKA}>{aboutBdt(taka(cents))}</span> : null}{' '}
                <b className="font-semibold">{usd(cents)}</b>
              </>,
            ],
            [t('money.fee'), usd(-fee)],
            [gets, usd(cents - fee)],
            [t('check.label'), t('check.option', { count: Number(check) })],
          ]}
        />
      </section>
      <DaysField form={form} help={(when) => t('days.help', { when })} />
    </>
  );
}

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

/** The suggested days follow the words as long as they were not changed. */
function useSuggestions(form: Form): void {
  const slow = namesSlowTransfer(useWatch({ control: form.control, name: 'description' }));
  const before = useRef(slow);
  useEffect(() => {
    if (before.current === slow) return;
    before.current = slow;
    const [last, next] = [suggestedDays(!slow), suggestedDays(slow)];
    for (const field of ['days', 'check'] as const) {
      if (form.getValues(field) === last[field]) form.setValue(field, next[field]);
    }
  }, [form, slow]);
}

function CreateFields({ form, start }: { form: Form; start: DealStart | null }) {
  const t = useTexts(deals);
  const [role, other] = useWatch({ control: form.control, name: ['role', 'other'] });
  useSuggestions(form);
  const guest = isGuest(other);
  const who = <WhoField form={form} either={start === null || start === BY_LINK} />;
  return (
    <>
      {guest ? null : who}
      <RoleField form={form} />
      <TermsFields
        form={form}
        side={role}
        name={other?.username}
        daysHelp={(when) => (guest ? t('days.helpLink') : t('days.help', { when }))}
      />
      {guest ? who : null}
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

type CreateFormProps = ReturnType<typeof useCreateDeal> & { start: DealStart | null };

/** A question first if nothing is known, a summary if all is, and otherwise the fields. */
function CreateForm({ form, submit, sending, error, start }: CreateFormProps) {
  const t = useTexts(deals);
  const [view, setView] = useState<'ways' | 'summary' | 'fields'>(() => {
    const values = form.getValues();
    if (values.other === null) return 'ways';
    return isWhole(values) ? 'summary' : 'fields';
  });
  const [other, role, price] = useWatch({ control: form.control, name: ['other', 'role', 'price'] });
  // The summary has no field but the days.
  const hidden = Object.keys(form.formState.errors).some((name) => name !== 'days');
  const shown = view === 'summary' && hidden ? 'fields' : view;
  if (shown === 'ways') {
    return (
      <Ways
        onLink={() => {
          form.setValue('other', GUEST);
          setView('fields');
        }}
        onName={() => setView('fields')}
      />
    );
  }
  return (
    <form className={cn(STACK, 'mt-4 gap-6 [&_input]:placeholder:text-subtle-foreground')} noValidate onSubmit={submit}>
      {shown === 'summary' ? (
        <DealSummary form={form} onChange={() => setView('fields')} />
      ) : (
        <CreateFields form={form} start={start} />
      )}
      {isLimit(error) ? <LimitNote error={error} /> : <BuyLimit price={role === 'buyer' ? parseCents(price) : null} />}
      <PendingButton size="lg" type="submit" className="w-full" pending={sending}>
        {t(isGuest(other) ? 'create.link' : 'create.send')}
      </PendingButton>
    </form>
  );
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
  const deal = useCreateDeal(start, (made) => {
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
        title={invite ? tInvite('ready') : t(start ? 'make' : 'create')}
        description={invite ? tInvite('readyText') : t('create.lede')}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          if (opener.current instanceof HTMLElement) opener.current.focus();
        }}
        onEscapeKeyDown={(event) => {
          if (leavesEscape(event)) event.preventDefault();
        }}
      >
        {invite ? <InviteReady invite={invite} onDone={() => leave(false)} /> : <CreateForm {...deal} start={start} />}
      </DialogPanel>
    </Dialog>
  );
}
