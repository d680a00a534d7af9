import type { UseFormReturn } from 'react-hook-form';
import { useWatch } from 'react-hook-form';
import { FormField } from '@/components/form-field';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import { type Fact, factsOf, useFactTexts } from '@/entities/post/facts';
import { useTexts } from '@/i18n';
import { facts } from '@/i18n/en/facts';
import { postForm } from '@/i18n/en/posts';
import { latinDigits } from '@/lib/money';
import type { PostValues } from './form-schema';

const MAX_WORDS = 40;

type Props = { form: UseFormReturn<PostValues> };

function FactField({ fact, form }: Props & { fact: Fact }) {
  const t = useTexts(facts);
  const texts = useFactTexts();
  const registered = form.register(`facts.${fact.key}`);
  return (
    <FormField label={texts.name(fact.key)}>
      {(control) => {
        if (fact.kind === 'number') {
          return (
            <Input
              autoComplete="off"
              inputMode="numeric"
              maxLength={String(fact.max).length}
              {...control}
              {...registered}
              onChange={({ target }) => form.setValue(`facts.${fact.key}`, latinDigits(target.value).replace(/\D/g, ''))}
            />
          );
        }
        if (fact.kind === 'words') return <Input autoComplete="off" maxLength={MAX_WORDS} {...control} {...registered} />;
        return (
          <NativeSelect {...control} {...registered}>
            <option value="" />
            {fact.kind === 'choice' ? (
              fact.choices.map((choice) => (
                <option key={choice} value={choice}>
                  {texts.choice(fact.key, choice)}
                </option>
              ))
            ) : (
              <>
                <option value="true">{t('yes')}</option>
                <option value="false">{t('no')}</option>
              </>
            )}
          </NativeSelect>
        );
      }}
    </FormField>
  );
}

/** What a post of the chosen subcategory can state apart from its description. */
export function FactsFields({ form }: Props) {
  const t = useTexts(postForm);
  const [category, subcategory] = useWatch({ control: form.control, name: ['category', 'subcategory'] });
  const asked = subcategory === '' ? [] : factsOf(category, subcategory);
  if (asked.length === 0) return null;
  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="mb-3 font-semibold">
        {t('facts')} <small className="text-sm font-normal text-muted-foreground">{t('factsHelp')}</small>
      </legend>
      <div className="grid grid-cols-1 gap-4 2xs:grid-cols-2 sm:items-start">
        {asked.map((fact) => (
          <FactField key={fact.key} fact={fact} form={form} />
        ))}
      </div>
    </fieldset>
  );
}
