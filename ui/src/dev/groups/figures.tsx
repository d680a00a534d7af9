import { Facts, Section } from '@/components/section';
import { Stat } from '@/components/stat';
import { Countdown } from '@/features/deals/countdown';
import { MethodTile } from '@/features/wallet/request/method-tile';
import { type Group, Sample, Samples, useSay } from '../kit';

const NOW = Date.now();
const DAY = 24 * 60 * 60 * 1000;

function Clocks() {
  const say = useSay();
  const label = say('Pays tanvir by itself in', 'tanvir নিজে থেকে টাকা পাবেন');
  const until = (days: number) => new Date(NOW + days * DAY).toISOString();
  return (
    <Samples>
      <Sample of="until">
        <Countdown until={until(7.2)} label={label} />
      </Sample>
      <Sample of="past">
        <Countdown until={until(-1)} label={label} past={say('Being paid now', 'এখন দেওয়া হচ্ছে')} />
      </Sample>
    </Samples>
  );
}

function Sections() {
  const say = useSay();
  const rows = [
    [say('You paid', 'আপনি দিয়েছেন'), '$480.00'],
    [say('Fee', 'ফি'), '$9.60'],
  ] as const;
  return (
    <Samples>
      <Sample of="Section, aside, Facts with a total">
        <Section title={say('Amounts', 'পরিমাণ')} aside={<a href="#section">{say('All', 'সব')}</a>}>
          <Facts rows={rows} total={[say('tanvir gets', 'tanvir পাবেন'), '$470.40']} />
        </Section>
      </Sample>
      <Sample of='size="small"'>
        <Section size="small" title={say('Amounts, small', 'পরিমাণ, ছোট')}>
          <Facts rows={rows} />
        </Section>
      </Sample>
    </Samples>
  );
}

function Stats() {
  const say = useSay();
  return (
    <Samples>
      <Sample of="value, children">
        <Stat label={say('In trust', 'আমানতে')} value="$690.00">
          {say('In three deals', 'তিনটি ডিলে')}
        </Stat>
      </Sample>
      <Sample of="long value">
        <Stat label={say('In trust', 'আমানতে')} value="$1,250,000.00" />
      </Sample>
    </Samples>
  );
}

function Methods() {
  const say = useSay();
  return (
    <Samples>
      <MethodTile method="Bkash" />
      <MethodTile method="Nagad">{say('Chosen last time', 'গতবার বেছেছিলেন')}</MethodTile>
    </Samples>
  );
}

export const figures: Group = {
  title: 'Sections and figures',
  parts: {
    section: Sections,
    stat: Stats,
    clock: Clocks,
    'method-tile': Methods,
  },
};
