import { Link } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { khata } from '@/i18n/en/khata';
import { firstTab, STATUS_OF } from './tab-statuses';
import type { Tab } from './tabs';

type Props = { tabs: Record<Tab, number>; current: Tab; onCreate: () => void };

export function ListEmpty({ tabs, current, onCreate }: Props) {
  const t = useTexts(deals);
  const tKhata = useTexts(khata);
  const others = { ...tabs, [current]: 0 };
  const target = firstTab(others);
  const found = others[target];
  if (found === 0) {
    return (
      <EmptyState
        picture={<EmptyStrip />}
        title={t(current === 'pending' ? 'empty.all' : `empty.${current}`)}
        text={t(current === 'pending' ? 'empty.allText' : `empty.${current}Text`)}
      >
        <Button variant="outline" onClick={onCreate}>
          {t('create')}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState picture={<EmptyStrip />} title={t(`empty.${current}`)} text={t(`empty.${current}Text`)}>
      <Button variant="outline" asChild>
        <Link to="/deal" search={{ tab: target }} resetScroll={false}>
          {t('empty.see', { status: tKhata(`status.${STATUS_OF[target]}`), count: found })}
        </Link>
      </Button>
    </EmptyState>
  );
}
