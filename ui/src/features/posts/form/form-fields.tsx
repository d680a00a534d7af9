import { X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
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
import { postForm } from '@/i18n/en/posts';
import { parseCents } from '@/lib/amount';
import { isEnter } from '@/lib/enter';
import { messageOf } from '@/lib/forms';
import { aboutBdt, count, usdShort } from '@/lib/money';
import { lengthOf } from '@/lib/rules';
import { FactsFields } from './facts-fields';
import { addTags, MAX_TAGS, MAX_TITLE, type PostValues } from './form-schema';
import { PicturesField } from './pictures-field';

function TagsField({ form }: { form: UseFormReturn<PostValues> }) {
  const t = useTexts(postForm);
  const [tags, tag] = useWatch({ control: form.control, name: ['tags', 'tag'] });
  const add = (typed: string) => {
    const { tags: now, rest, problem } = addTags(tags, typed);
    form.setValue('tags', now);
    form.setValue('tag', rest);
    if (problem) form.setError('tags', { type: 'tag', message: `tags.${problem}` });
    else form.clearErrors('tags');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Enter never submits the form here.
    if (!isEnter(event)) return;
    event.preventDefault();
    add(tag);
  };
  const remove = (gone: string) => {
    form.setValue(
      'tags',
      tags.filter((other) => other !== gone),
    );
    form.clearErrors('tags');
    form.setFocus('tag');
  };
  const registered = form.register('tag');
  return (
    <div className="grid min-w-0 content-start gap-2">
      <FormField
        label={t('tags')}
        aside={tags.length === 0 ? t('optional') : `${count(tags.length)}/${count(MAX_TAGS)}`}
        help={t('tagsHelp')}
        error={messageOf(t, form.formState.errors.tags as Parameters<typeof messageOf>[1])}
      >
        {(control) => (
          <Input
            autoComplete="off"
            enterKeyHint="enter"
            {...control}
            {...registered}
            value={tag}
            onChange={({ target }) => (/[,\n]/.test(target.value) ? add(target.value) : form.setValue('tag', target.value))}
            onKeyDown={onKeyDown}
          />
        )}
      </FormField>
      <p className="sr-only" role="status" aria-live="polite">
        {tags.length === 0 ? null : t('tags.now', { count: tags.length })}
      </p>
      {tags.length === 0 ? null : (
        <ul className="flex min-w-0 flex-wrap items-center gap-3" aria-label={t('tags')}>
          {tags.map((name) => (
            <li key={name} className="inline-flex items-center gap-1 rounded-xs bg-secondary pl-2.5 text-sm wrap-anywhere">
              {name}
              <button
                type="button"
                className="grid size-11 flex-none place-items-center hover:bg-muted"
                aria-label={t('tags.remove', { tag: name })}
                onClick={() => remove(name)}
              >
                <X className="size-4" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

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
  const taka = useTaka('gets');
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
      <FactsFields form={form} />
      <PicturesField form={form} />
      <TagsField form={form} />
    </>
  );
}
