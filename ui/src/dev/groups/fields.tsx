import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import { Textarea } from '@/components/ui/textarea';
import { type Group, Sample, Samples, useSay } from '../kit';
import { LONG } from '../samples';

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
  const say = useSay();
  return (
    <Samples>
      {STATES.map(([name, { filled, ...state }]: [string, State]) => (
        <Sample key={name} of={name}>
          <Textarea
            {...state}
            aria-label={name}
            placeholder={say('What is delivered, and how', 'কী দেওয়া হবে, কীভাবে')}
            defaultValue={filled ? LONG : ''}
          />
        </Sample>
      ))}
    </Samples>
  );
}

function Selects() {
  const say = useSay();
  const options = [say('14 days', '১৪ দিন'), say('30 days', '৩০ দিন'), LONG].map((name) => <option key={name}>{name}</option>);
  return (
    <Samples>
      <Sample of="chosen">
        <NativeSelect aria-label="chosen">{options}</NativeSelect>
      </Sample>
      <Sample of="disabled">
        <NativeSelect aria-label="disabled" disabled>
          {options}
        </NativeSelect>
      </Sample>
      <Sample of="aria-invalid">
        <NativeSelect aria-label="invalid" aria-invalid>
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
  },
};
