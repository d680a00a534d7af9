import { AtSign, Search, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { Field, FieldDescription, FieldError, FieldLabel, FieldLegend, FieldSet, FieldTitle } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { InputGroup, InputGroupAddon, InputGroupButton, InputGroupInput } from '@/components/ui/input-group';
import { Label } from '@/components/ui/label';
import { RadioGroupItem } from '@/components/ui/radio-group';
import { type Group, Sample, Samples, useSay } from '../kit';
import { LONG } from '../samples';

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
      <Sample of="InputGroupAddon">
        <InputGroup>
          <InputGroupAddon>
            <AtSign className="size-4" aria-hidden="true" />
          </InputGroupAddon>
          <InputGroupInput aria-label={say('Username', 'ইউজারনেম')} placeholder="nusrat" />
        </InputGroup>
      </Sample>
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
      <Sample of="long text">
        <InputGroup>
          <InputGroupInput aria-label={`${search}, long`} defaultValue={LONG} />
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

export const fieldParts: Group = {
  title: 'Parts of fields',
  parts: {
    label: Labels,
    field: Fields,
    'input-group': InputGroups,
    checkbox: Checkboxes,
    'radio-group': RadioButtons,
  },
};
