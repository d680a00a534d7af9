import { Controller, type UseFormReturn, useWatch } from 'react-hook-form';
import { Choice, ChoiceGroup } from '@/components/choice';
import { STACK } from '@/components/classes';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { messageOf } from '@/lib/forms';
import { TermsFields } from '../terms/terms-fields';
import { type DealValues, GUEST, isGuest } from './create-schema';
import { GuestField, GuestLink } from './guest-field';
import { OtherPartyField } from './other-party-field';

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

export function CreateFields({ form }: { form: Form }) {
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
