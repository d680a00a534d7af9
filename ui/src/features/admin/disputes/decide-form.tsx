import { Gavel } from 'lucide-react';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { DealDispute } from '@/api/contract';
import { STACK } from '@/components/classes';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { SplitFacts, splitOf } from '@/entities/deal/dispute/split';
import { SplitField, splitRule, typedCents } from '@/entities/deal/dispute/split-field';
import { useMe } from '@/entities/user/queries';
import { useDraftForm } from '@/hooks/use-draft-form';
import { type Key, useTexts } from '@/i18n';
import { adminDisputes } from '@/i18n/en/admin';
import { common } from '@/i18n/en/common';
import { disputeRoom } from '@/i18n/en/disputes';
import { parseCents } from '@/lib/amount';
import { textDraft } from '@/lib/draft';
import { type Cents, centsFromWire, centsToWire, usd } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { ReasonField } from '../review/reason-dialog';
import { useShortcuts } from '../shortcuts/shortcuts';

const SHORTEST = 10;
export const MAX_LENGTH = 2_000;

const say = (key: Key<typeof adminDisputes>) => key;

/** docs/rules.md#disputes */
const decideSchema = (price: Cents) =>
  z.object({
    buyerGets: splitRule(price),
    reason: z.string().check(
      z.trim(),
      z.refine((reason) => lengthOf(reason) >= SHORTEST, { error: say('rule.reason'), abort: true }),
      z.refine((reason) => lengthOf(reason) <= MAX_LENGTH, say('rule.long')),
    ),
  });

export type Verdict = { buyerGets: number; reason: string };

type Props = {
  dispute: DealDispute;
  busy: boolean;
  onDecide: (verdict: Verdict) => Promise<unknown>;
};

/** The rules of a split are in the disputes' catalogue, those of the reason in the admins'. */
function useRules() {
  const t = useTexts(adminDisputes);
  const tDisputeRoom = useTexts(disputeRoom);
  return (key: string) =>
    key in disputeRoom.en ? tDisputeRoom(key as 'split.missing') : t(key as Extract<Key<typeof adminDisputes>, 'rule.reason'>);
}

type PresetsProps = { dispute: DealDispute; chosen: Cents | null; onChoose: (buyerGets: Cents) => void };

/** The usual splits, and those that the parties offer. */
function Presets({ dispute, chosen, onChoose }: PresetsProps) {
  const t = useTexts(adminDisputes);
  const price = centsFromWire(dispute.deal.price);
  const offers = dispute.offers.filter(({ status }) => status === 'open');
  const presets: [string, Cents][] = [
    ...offers.map(({ by, buyerGets }): [string, Cents] => {
      const cents = centsFromWire(buyerGets);
      return [t('preset.offer', { name: dispute[by].username, sum: usd(cents) }), cents];
    }),
    [t('preset.refund'), price],
    [t('preset.half'), Math.round(price / 2)],
    [t('preset.release'), 0],
  ];
  return (
    // A fieldset would need a legend in the row.
    <div role="group" aria-label={t('presets')} className="flex flex-wrap gap-2">
      {presets.map(([label, cents]) => (
        <Button
          key={label}
          variant="outline"
          aria-pressed={chosen === cents}
          className="aria-pressed:border-foreground aria-pressed:bg-secondary"
          onClick={() => onChoose(cents)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** The split and the reason, which both parties read. A decision on an appeal is final. */
export default function DecideForm({ dispute, busy, onDecide }: Props) {
  const t = useTexts(adminDisputes);
  const tCommon = useTexts(common);
  const rules = useRules();
  const me = useMe();
  const [asked, setAsked] = useState(false);
  const { buyer, seller, deal, decision } = dispute;
  const names = { buyer: buyer.username, seller: seller.username };
  const price = centsFromWire(deal.price);
  const appealed = dispute.status === 'appealed';
  const { form, submit, check, errorOf } = useDraftForm({
    schema: decideSchema(price),
    t: rules,
    // Nothing is suggested; an appeal starts with the decision under appeal.
    empty: { buyerGets: decision ? typedCents(centsFromWire(decision.buyerGets)) : '', reason: '' },
    draft: textDraft(`dispute-decision:${me._id}:${dispute._id}:${dispute.status}`),
    toast: null,
    mutation: { isPending: busy },
    onSubmit: ({ buyerGets, reason }) => onDecide({ buyerGets: centsToWire(parseCents(buyerGets) ?? 0), reason: reason.trim() }),
  });
  const { control } = form;
  const chosen = parseCents(useWatch({ control, name: 'buyerGets' }));
  useShortcuts(busy ? {} : { d: () => form.setFocus('buyerGets') });
  const label = t(appealed ? 'decide.final' : 'decide');
  return (
    <div className={STACK}>
      <Presets
        dispute={dispute}
        chosen={chosen}
        onChoose={(cents) => form.setValue('buyerGets', typedCents(cents), { shouldDirty: true })}
      />
      <SplitField control={control} name="buyerGets" price={price} names={names} error={errorOf('buyerGets')} />
      <ReasonField
        label={t('reason', names)}
        rows={4}
        maxLength={MAX_LENGTH}
        live
        error={errorOf('reason')}
        {...form.register('reason')}
      />
      <PendingButton
        pending={busy}
        pendingText={tCommon(appealed ? 'processing' : 'sending')}
        onClick={() => check(() => setAsked(true))}
      >
        <Gavel aria-hidden="true" />
        {label}
      </PendingButton>
      <ConfirmDialog
        open={asked}
        busy={busy}
        onClose={() => setAsked(false)}
        title={t(appealed ? 'decide.askAppeal' : 'decide.ask')}
        text={t(appealed ? 'decide.textAppeal' : 'decide.text')}
        action={
          <PendingButton
            pending={busy}
            pendingText={tCommon(appealed ? 'processing' : 'sending')}
            onClick={(event) => {
              setAsked(false);
              submit(event);
            }}
          >
            <Gavel aria-hidden="true" />
            {label}
          </PendingButton>
        }
      >
        <SplitFacts split={splitOf(price, Math.min(chosen ?? 0, price))} names={names} price={price} />
      </ConfirmDialog>
    </div>
  );
}
