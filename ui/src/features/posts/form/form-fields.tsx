import { Controller, type UseFormReturn, useWatch } from 'react-hook-form';
import { DescriptionField } from '@/components/description-field';
import { FormField } from '@/components/form-field';
import { MoneyInput } from '@/components/money-input';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import { CATEGORIES } from '@/entities/post/categories';
import { OTHER_SUBCATEGORY, SUBCATEGORIES, useCategoryNames } from '@/entities/post/subcategories';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { postForm } from '@/i18n/en/post-form';
import { parseCents } from '@/lib/amount';
import { messageOf } from '@/lib/forms';
import { aboutBdt, count, usdShort } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { MAX_TITLE, type PostValues } from './form-schema';
import { PictureField } from './picture-field';
import { TagsField } from './tags-field';

type Props = { form: UseFormReturn<PostValues> };

function TitleField({ form }: Props) {
  const t = useTexts(postForm);
  const written = lengthOf(useWatch({ control: form.control, name: 'title' }));
  const counter = t('counter', { written, most: MAX_TITLE });
  return (
    <FormField
      label={t('title')}
      aside={written > MAX_TITLE ? <b className="text-destructive">{counter}</b> : counter}
      help={t('titleHelp')}
      error={messageOf(t, form.formState.errors.title)}
    >
      {(control) => <Input autoComplete="off" {...control} {...form.register('title')} />}
    </FormField>
  );
}

function Description({ form }: Props) {
  const t = useTexts(postForm);
  const text = useWatch({ control: form.control, name: 'description' });
  return (
    <DescriptionField
      label={t('description')}
      help={t('descriptionHelp')}
      error={messageOf(t, form.formState.errors.description)}
      rows={8}
      text={text}
      {...form.register('description')}
    />
  );
}

function PriceField({ form }: Props) {
  const t = useTexts(postForm);
  const taka = useTaka();
  return (
    <Controller
      control={form.control}
      name="price"
      render={({ field, fieldState }) => {
        const cents = parseCents(field.value) ?? 0;
        return (
          <MoneyInput
            label={t('price')}
            value={field.value}
            onValue={field.onChange}
            onBlur={field.onBlur}
            ref={field.ref}
            placeholder={count(0)}
            under={taka ? aboutBdt(taka(cents)) : null}
            help={cents > 0 ? t('priceShown', { price: usdShort(cents) }) : t('priceHelp')}
            error={messageOf(t, fieldState.error)}
          />
        );
      }}
    />
  );
}

function CategoryFields({ form }: Props) {
  const t = useTexts(postForm);
  const names = useCategoryNames();
  const { errors } = form.formState;
  const [category, subcategory] = useWatch({ control: form.control, name: ['category', 'subcategory'] });
  const register = form.register('category', {
    // Another category has other subcategories.
    onChange: () => form.setValue('subcategory', ''),
  });
  return (
    <>
      <div className="grid gap-x-4 gap-y-6 sm:grid-cols-2 sm:items-start">
        <FormField label={t('category')} error={messageOf(t, errors.category)}>
          {(control) => (
            <NativeSelect {...control} {...register}>
              <option value="">{t('choose')}</option>
              {CATEGORIES.map((name) => (
                <option key={name} value={name}>
                  {names.category(name)}
                </option>
              ))}
            </NativeSelect>
          )}
        </FormField>
        <FormField label={t('subcategory')} error={messageOf(t, errors.subcategory)}>
          {(control) => (
            // The key resets the select to its new options.
            <NativeSelect key={category} {...control} {...form.register('subcategory')}>
              <option value="">{t(category === '' ? 'categoryFirst' : 'choose')}</option>
              {(category === '' ? [] : SUBCATEGORIES[category]).map((name) => (
                <option key={name} value={name}>
                  {names.subcategory(name)}
                </option>
              ))}
              {category === '' ? null : <option value={OTHER_SUBCATEGORY}>{t('other')}</option>}
            </NativeSelect>
          )}
        </FormField>
      </div>
      {subcategory === OTHER_SUBCATEGORY ? (
        <FormField label={t('custom')} error={messageOf(t, errors.custom)}>
          {(control) => <Input autoComplete="off" {...control} {...form.register('custom')} />}
        </FormField>
      ) : null}
    </>
  );
}

export function PostFields({ form }: Props) {
  return (
    <>
      <TitleField form={form} />
      <Description form={form} />
      <PriceField form={form} />
      <CategoryFields form={form} />
      <PictureField form={form} />
      <TagsField form={form} />
    </>
  );
}
