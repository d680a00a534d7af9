import { useState } from 'react';
import { Choice, ChoiceGroup } from '@/components/choice';
import { Combobox } from '@/components/combobox';
import { DescriptionField } from '@/components/description-field';
import { FormField } from '@/components/form-field';
import { MoneyInput } from '@/components/money-input';
import { PasswordInput } from '@/components/password-input';
import { PeriodFilter } from '@/components/period-filter';
import { Input } from '@/components/ui/input';
import { UserCombobox } from '@/entities/user/user-combobox';
import { aboutBdt, toPoisha } from '@/lib/money';
import type { Period } from '@/lib/period-search';
import { type Group, Sample, Samples, useSay } from '../kit';
import { PEOPLE } from '../samples';

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
      <Sample of="long text, in 240 px" className="max-w-60">
        <FormField
          label={say('The number from which you paid with bKash or Nagad', 'যে নম্বর থেকে বিকাশ বা নগদে টাকা পাঠিয়েছেন')}
          aside={say('11 digits', '১১ সংখ্যা')}
          error={say('A phone number starts with 01 and has eleven digits.', 'ফোন নম্বর ০১ দিয়ে শুরু, এগারো সংখ্যার।')}
        >
          {(control) => <Input {...control} defaultValue="1712" />}
        </FormField>
      </Sample>
    </Samples>
  );
}

function Choices() {
  const say = useSay();
  const role = say('Your role', 'আপনার ভূমিকা');
  const options = [say('Buyer: I pay into trust', 'ক্রেতা: আমি টাকা জমা রাখি'), say('Seller: I deliver', 'বিক্রেতা: আমি সরবরাহ করি')];
  return (
    <Samples>
      <Sample of="radio">
        <ChoiceGroup legend={role}>
          {options.map((option, index) => (
            <Choice key={option} label={option} name="dev-role" defaultChecked={index === 0} />
          ))}
        </ChoiceGroup>
      </Sample>
      <Sample of="error">
        <ChoiceGroup legend={role} error={say('Choose one.', 'একটি বেছে নিন।')}>
          {options.map((option) => (
            <Choice key={option} label={option} name="dev-role-missing" />
          ))}
        </ChoiceGroup>
      </Sample>
      <Sample of='type="checkbox"; disabled'>
        <ChoiceGroup legend={say('Mail', 'মেইল')}>
          <Choice type="checkbox" label={say('When I am paid', 'টাকা পেলে')} defaultChecked />
          <Choice type="checkbox" label={say('When my account changes', 'অ্যাকাউন্ট বদলালে')} defaultChecked disabled />
        </ChoiceGroup>
      </Sample>
    </Samples>
  );
}

function PasswordInputs() {
  const say = useSay();
  const label = say('Password', 'পাসওয়ার্ড');
  return (
    <Samples>
      <Sample of="hidden until it is asked for">
        <FormField label={label}>
          {(control) => <PasswordInput {...control} defaultValue="in trust" autoComplete="off" />}
        </FormField>
      </Sample>
      <Sample of="error">
        <FormField label={label} error={say('At least eight characters.', 'অন্তত আটটি অক্ষর।')}>
          {(control) => <PasswordInput {...control} defaultValue="short" autoComplete="off" />}
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
      <Sample of="disabled; long sum">
        <MoneyInput label={label} value="1250000.00" onValue={setValue} disabled />
      </Sample>
    </Samples>
  );
}

function DescriptionFields() {
  const say = useSay();
  const text = say('All episodes and the rights to them. ', 'সব পর্ব ও সেগুলোর স্বত্ব। ').repeat(120);
  return (
    <Sample of="long text: the counter appears at 4,000 characters">
      <DescriptionField label={say('Description', 'বিবরণ')} text={text} defaultValue={text} />
    </Sample>
  );
}

function Comboboxes() {
  const say = useSay();
  const [text, setText] = useState('');
  const all = ['Dhaka', 'Chattogram', 'Khulna', 'Rajshahi', 'Sylhet', 'Barishal', 'Rangpur', 'Mymensingh'];
  const options = text === '' ? [] : all.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  return (
    <Sample of="type an a; arrows, Enter, Escape">
      <Combobox
        label={say('Division', 'বিভাগ')}
        help={say('Where you live.', 'আপনি যেখানে থাকেন।')}
        text={text}
        onText={setText}
        options={options}
        keyOf={(name) => name}
        render={(name) => name}
        onChoose={setText}
        listLabel={say('Divisions', 'বিভাগসমূহ')}
        status={text !== '' && options.length === 0 ? say('None found.', 'কিছু পাওয়া যায়নি।') : ''}
      />
    </Sample>
  );
}

function UserComboboxes() {
  const say = useSay();
  const [text, setText] = useState('tanvir');
  const person = PEOPLE.find(({ username }) => username === text);
  return (
    <Sample of="chosen; clear it and type an a">
      <UserCombobox
        label={say('Seller', 'বিক্রেতা')}
        text={text}
        onText={setText}
        chosen={person !== undefined}
        person={person}
        found={{ options: text === '' ? null : PEOPLE.filter(({ username }) => username.includes(text)), status: '' }}
        render={({ username }) => username}
        onChoose={({ username }) => setText(username)}
      />
    </Sample>
  );
}

function PeriodFilters() {
  const [period, setPeriod] = useState<Period>({ from: '2026-11-01' });
  return (
    <Sample of="a range of one's own is open">
      <PeriodFilter period={period} onPeriod={setPeriod} />
    </Sample>
  );
}

export const forms: Group = {
  title: 'Forms',
  parts: {
    'form-field': FormFields,
    choice: Choices,
    'password-input': PasswordInputs,
    'money-input': MoneyInputs,
    'description-field': DescriptionFields,
    combobox: Comboboxes,
    'user-combobox': UserComboboxes,
    'period-filter': PeriodFilters,
  },
};
