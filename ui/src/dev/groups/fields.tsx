import { Search, X } from 'lucide-react';
import { useId, useState } from 'react';
import { FormField } from '@/components/form-field';
import { MoneyInput } from '@/components/money-input';
import { Checkbox } from '@/components/ui/checkbox';
import { Field, FieldDescription, FieldError, FieldLabel, FieldLegend, FieldSet, FieldTitle } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { InputGroup, InputGroupAddon, InputGroupButton, InputGroupInput } from '@/components/ui/input-group';
import { Label } from '@/components/ui/label';
import { NativeSelect } from '@/components/ui/native-select';
import { RadioGroupItem } from '@/components/ui/radio-group';
import { Textarea } from '@/components/ui/textarea';
import { aboutBdt, toPoisha } from '@/lib/money';
import { type Group, LONG, Sample, Samples, useSay } from '../kit';

function Labels() {
  const say = useSay();
  const id = useId();
  return (
    <Sample of="with something at its end">
      <Label htmlFor={id}>
        {say('Phone', 'ফোন')}
        <small className="text-sm font-normal text-muted-foreground">{say('for Nagad', 'নগদের জন্য')}</small>
      </Label>
      <Input id={id} defaultValue="01712345678" />
    </Sample>
  );
}

function Fields() {
  const say = useSay();
  const id = useId();
  return (
    <Samples>
      <Sample of="FieldLabel, FieldDescription">
        <Field>
          <FieldLabel htmlFor={`${id}-1`}>{say('Username', 'ইউজারনেম')}</FieldLabel>
          <Input id={`${id}-1`} defaultValue="nusrat" aria-describedby={`${id}-1-note`} />
          <FieldDescription id={`${id}-1-note`}>{say('3 to 20 letters or digits.', '৩ থেকে ২০টি অক্ষর বা সংখ্যা।')}</FieldDescription>
        </Field>
      </Sample>
      <Sample of="FieldError">
        <Field>
          <FieldLabel htmlFor={`${id}-2`}>{say('Username', 'ইউজারনেম')}</FieldLabel>
          <Input id={`${id}-2`} defaultValue="n" aria-invalid aria-describedby={`${id}-2-note`} />
          <FieldError id={`${id}-2-note`}>{say('Too short.', 'খুব ছোট।')}</FieldError>
        </Field>
      </Sample>
      <Sample of="FieldSet, FieldLegend">
        <FieldSet>
          <FieldLegend>{say('Your role', 'আপনার ভূমিকা')}</FieldLegend>
          <FieldDescription>{say('It cannot be changed later.', 'পরে বদলানো যাবে না।')}</FieldDescription>
        </FieldSet>
      </Sample>
      <Sample of="FieldTitle">
        <Field>
          <FieldTitle>{say('Picture', 'ছবি')}</FieldTitle>
          <FieldDescription>{say('Up to 5 MB.', 'সর্বোচ্চ ৫ এমবি।')}</FieldDescription>
        </Field>
      </Sample>
    </Samples>
  );
}

function InputGroups() {
  const say = useSay();
  const search = say('Search', 'খুঁজুন');
  return (
    <Samples>
      <Sample of="InputGroupAddon, InputGroupButton">
        <InputGroup>
          <InputGroupAddon>
            <Search className="size-4" aria-hidden="true" />
          </InputGroupAddon>
          <InputGroupInput aria-label={search} defaultValue="Ranna Ghor" />
          <InputGroupButton aria-label={say('Clear', 'মুছুন')}>
            <X className="size-4" aria-hidden="true" />
          </InputGroupButton>
        </InputGroup>
      </Sample>
      <Sample of="aria-invalid">
        <InputGroup>
          <InputGroupInput aria-label={`${search}, invalid`} aria-invalid defaultValue="?" />
          <InputGroupButton>{search}</InputGroupButton>
        </InputGroup>
      </Sample>
    </Samples>
  );
}

const BOXES = [
  ['off', {}],
  ['on', { defaultChecked: true }],
  ['disabled', { disabled: true }],
  ['on and disabled', { disabled: true, defaultChecked: true }],
] as const;

function IndeterminateCheckbox() {
  const [checked, setChecked] = useState<boolean | 'indeterminate'>('indeterminate');
  return <Checkbox aria-label="indeterminate" checked={checked} onCheckedChange={setChecked} />;
}

const Checkboxes = () => (
  <Sample of={`indeterminate; ${BOXES.map(([name]) => name).join('; ')}`} row>
    <IndeterminateCheckbox />
    {BOXES.map(([name, state]) => (
      <Checkbox key={name} aria-label={name} {...state} />
    ))}
  </Sample>
);

const RadioButtons = () => (
  <Sample of={BOXES.map(([name]) => name).join('; ')} row>
    {BOXES.map(([name, state]) => (
      <RadioGroupItem key={name} aria-label={name} {...state} />
    ))}
  </Sample>
);

function FormFields() {
  const say = useSay();
  const label = say('Title', 'শিরোনাম');
  return (
    <Samples>
      <Sample of="aside, help">
        <FormField label={label} aside="13/80" help={say('What is sold, in a few words.', 'কী বিক্রি হচ্ছে, অল্প কথায়।')}>
          {(control) => <Input {...control} defaultValue="Ranna Ghor 24" />}
        </FormField>
      </Sample>
      <Sample of="error">
        <FormField label={label} error={say('The title is missing.', 'শিরোনাম নেই।')}>
          {(control) => <Input {...control} />}
        </FormField>
      </Sample>
    </Samples>
  );
}

function MoneyInputs() {
  const say = useSay();
  const [value, setValue] = useState('480.00');
  const label = say('Amount', 'পরিমাণ');
  const taka = aboutBdt(toPoisha(Math.round(Number(value) * 100), 122));
  return (
    <Samples>
      <Sample of="under, underEnd">
        <MoneyInput label={label} value={value} onValue={setValue} under={<b>{taka}</b>} underEnd="1 USD = ৳122" />
      </Sample>
      <Sample of="error">
        <MoneyInput
          label={label}
          value="250.00"
          onValue={setValue}
          under={say('You have $212.40', 'আপনার আছে $212.40')}
          error={say('You do not have enough money.', 'আপনার যথেষ্ট টাকা নেই।')}
        />
      </Sample>
      <Sample of='currency="BDT", help'>
        <MoneyInput label={label} value="" onValue={setValue} currency="BDT" help={say('At least ৳100.', 'অন্তত ৳১০০।')} />
      </Sample>
    </Samples>
  );
}

const STATES = [
  ['empty, with a placeholder', {}],
  ['filled', { filled: true }],
  ['disabled', { filled: true, disabled: true }],
  ['readOnly', { filled: true, readOnly: true }],
  ['aria-invalid', { filled: true, 'aria-invalid': true }],
] as const satisfies [string, Record<string, boolean>][];

type State = { filled?: boolean; disabled?: boolean; readOnly?: boolean; 'aria-invalid'?: boolean };

function Inputs() {
  const say = useSay();
  return (
    <Samples>
      {STATES.map(([name, { filled, ...state }]: [string, State]) => (
        <Sample key={name} of={name}>
          <Input
            {...state}
            aria-label={name}
            placeholder={say('Title of the deal', 'ডিলের শিরোনাম')}
            defaultValue={filled ? 'Ranna Ghor 24' : ''}
          />
        </Sample>
      ))}
      <Sample of="long text">
        <Input aria-label="long text" defaultValue={LONG} />
      </Sample>
      <Sample of='type="date"'>
        <Input aria-label="date" type="date" defaultValue="2026-11-08" />
      </Sample>
    </Samples>
  );
}

function Textareas() {
  return (
    <Samples>
      <Sample of="filled">
        <Textarea aria-label="filled" defaultValue={LONG} />
      </Sample>
      <Sample of="aria-invalid">
        <Textarea aria-label="aria-invalid" aria-invalid defaultValue={LONG} />
      </Sample>
    </Samples>
  );
}

function Selects() {
  const say = useSay();
  const options = [say('14 days', '১৪ দিন'), say('30 days', '৩০ দিন'), LONG].map((name) => <option key={name}>{name}</option>);
  return (
    <Samples>
      <Sample of="disabled">
        <NativeSelect aria-label="disabled" disabled>
          {options}
        </NativeSelect>
      </Sample>
      <Sample of="long text">
        <NativeSelect aria-label="long text" defaultValue={LONG}>
          {options}
        </NativeSelect>
      </Sample>
    </Samples>
  );
}

export const fields: Group = {
  title: 'Fields',
  parts: {
    input: Inputs,
    textarea: Textareas,
    'native-select': Selects,
    label: Labels,
    field: Fields,
    'input-group': InputGroups,
    checkbox: Checkboxes,
    'radio-group': RadioButtons,
    'form-field': FormFields,
    'money-input': MoneyInputs,
  },
};
