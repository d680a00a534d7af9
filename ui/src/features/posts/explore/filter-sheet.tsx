import { Fragment, type ReactNode, type SubmitEvent, useId, useState } from 'react';
import type { Category } from '@/api/contract';
import { FormField } from '@/components/form-field';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Sheet, SheetContent, SheetHeader, SheetTitle } from '@/components/ui/sheet';
import { Toggle } from '@/components/ui/toggle';
import { CATEGORIES } from '@/entities/post/categories';
import { addressOfFacts, type Fact, factsOf, factsOfAddress, useFactTexts } from '@/entities/post/facts';
import { SUBCATEGORIES, useCategoryNames } from '@/entities/post/subcategories';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { facts as factTexts } from '@/i18n/en/facts';
import { posts } from '@/i18n/en/posts';
import { parseCents } from '@/lib/amount';
import { latinDigits } from '@/lib/money';
import { type Listing, SORTS } from './explore-search';

type Choices = {
  sort: Listing['sort'];
  category: Category | undefined;
  subcategory: string | undefined;
  min: string;
  max: string;
  /** As in the address: "true", "brand", "1000..". */
  facts: Record<string, string>;
};

const choicesOf = ({ sort, category, subcategory, min, max, facts }: Listing): Choices => ({
  ...{ sort, category, subcategory, facts: factsOfAddress(facts) },
  min: min?.toString() ?? '',
  max: max?.toString() ?? '',
});

function addressOf(search: string | undefined, { sort, category, subcategory, min, max, facts }: Choices): Listing {
  const dollars = (typed: string) => (parseCents(typed) ?? 0) / 100 || undefined;
  // Facts of another subcategory would match nothing.
  const asked = factsOf(category ?? '', subcategory ?? '').flatMap(({ key }) => (facts[key] ? [[key, facts[key]]] : []));
  return {
    ...{ search, sort, category, subcategory },
    min: dollars(min),
    max: dollars(max),
    facts: addressOfFacts(Object.fromEntries(asked) as Record<string, string>),
  };
}

function Row({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="grid gap-2">
      <p id={id} className="font-semibold">
        {title}
      </p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}

type FieldProps = { fact: Fact; value: string; onValue: (value: string) => void };

/** A number from and to, or the values of a flag or choice. Words are looked for by searching. */
function FactFilter({ fact, value, onValue }: FieldProps) {
  const t = useTexts(factTexts);
  const texts = useFactTexts();
  if (fact.kind === 'words') return null;
  const name = texts.name(fact.key);
  if (fact.kind === 'number') {
    const [least = '', most = ''] = value.split('..');
    const digits = (typed: string) => latinDigits(typed).replace(/\D/g, '');
    const ends = [
      { label: t('from', { name }), typed: least, change: (to: string) => onValue(`${digits(to)}..${most}`) },
      { label: t('to', { name }), typed: most, change: (to: string) => onValue(`${least}..${digits(to)}`) },
    ];
    return (
      <div className="grid grid-cols-2 items-end gap-3">
        {ends.map(({ label, typed, change }) => (
          <FormField key={label} label={label}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                autoComplete="off"
                maxLength={String(fact.max).length}
                value={typed}
                onChange={({ target }) => change(target.value)}
              />
            )}
          </FormField>
        ))}
      </div>
    );
  }
  const choices = fact.kind === 'choice' ? fact.choices : ['true', 'false'];
  return (
    <Row title={name}>
      {choices.map((choice) => (
        <Toggle key={choice} pressed={value === choice} onClick={() => onValue(value === choice ? '' : choice)}>
          {fact.kind === 'choice' ? texts.choice(fact.key, choice) : t(choice === 'true' ? 'yes' : 'no')}
        </Toggle>
      ))}
    </Row>
  );
}

type FormProps = { at: Listing; onDone: (listing: Listing) => void };

function FilterForm({ at, onDone }: FormProps) {
  const t = useTexts(posts);
  const names = useCategoryNames();
  const [chosen, setChosen] = useState(() => choicesOf(at));
  const choose = (changes: Partial<Choices>) => setChosen((now) => ({ ...now, ...changes }));
  const categories = at.category ? [at.category] : CATEGORIES;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onDone(addressOf(at.search, chosen));
  };
  return (
    <form onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <div className="grid min-h-0 flex-1 content-start gap-6 overflow-y-auto px-5 pb-6">
        <Row title={t('sort')}>
          {SORTS.map((sort) => (
            <Toggle
              key={sort}
              pressed={chosen.sort === sort}
              onClick={() => choose({ sort: chosen.sort === sort ? undefined : sort })}
            >
              {t(`sort.${sort}`)}
            </Toggle>
          ))}
        </Row>
        <div className="grid grid-cols-2 gap-3">
          {(['min', 'max'] as const).map((end) => (
            <FormField key={end} label={t(end)}>
              {(control) => (
                <Input
                  {...control}
                  inputMode="decimal"
                  autoComplete="off"
                  placeholder="$"
                  value={chosen[end]}
                  onChange={({ target }) => choose({ [end]: latinDigits(target.value) })}
                />
              )}
            </FormField>
          ))}
        </div>
        {categories.map((category) => (
          <Fragment key={category}>
            <Row title={names.category(category)}>
              {SUBCATEGORIES[category].map((name) => {
                const pressed = chosen.subcategory === name;
                return (
                  <Toggle
                    key={name}
                    pressed={pressed}
                    onClick={() =>
                      choose(pressed ? { category: at.category, subcategory: undefined } : { category, subcategory: name })
                    }
                  >
                    {names.subcategory(name)}
                  </Toggle>
                );
              })}
            </Row>
            {(chosen.category === category ? factsOf(category, chosen.subcategory ?? '') : []).map((fact) => (
              <FactFilter
                key={fact.key}
                fact={fact}
                value={chosen.facts[fact.key] ?? ''}
                onValue={(value) => choose({ facts: { ...chosen.facts, [fact.key]: value } })}
              />
            ))}
          </Fragment>
        ))}
      </div>
      <div className="flex gap-3 border-t px-5 py-3 pb-[max(12px,env(safe-area-inset-bottom))]">
        <Button variant="outline" onClick={() => onDone({ search: at.search, category: at.category })}>
          {t('filters.clear')}
        </Button>
        <Button type="submit" className="flex-1">
          {t('filters.show')}
        </Button>
      </div>
    </form>
  );
}

type Props = { at: Listing; onClose: () => void; go: (listing: Listing) => void };

/** The sheet with order, prices, subcategory and facts. */
export default function FilterSheet({ at, onClose, go }: Props) {
  const t = useTexts(posts);
  const tCommon = useTexts(common);
  return (
    <Sheet open onOpenChange={onClose}>
      <SheetContent closeLabel={tCommon('close')} aria-describedby={undefined} className="flex flex-col">
        <SheetHeader>
          <SheetTitle>{t('filters')}</SheetTitle>
        </SheetHeader>
        <FilterForm
          at={at}
          onDone={(listing) => {
            onClose();
            go(listing);
          }}
        />
      </SheetContent>
    </Sheet>
  );
}
