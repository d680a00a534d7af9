import type { UseFormReturn } from 'react-hook-form';
import { FormField } from '@/components/form-field';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { messageOf } from '@/lib/forms';
import type { DealValues } from './create-schema';

export function GuestLink({ onChoose }: { onChoose: () => void }) {
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
export function GuestField({ form, onSearch }: { form: UseFormReturn<DealValues>; onSearch: () => void }) {
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
