import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CLOTH } from '@/components/classes';
import { Logo } from '@/components/logo';
import { Pager, ShowMore } from '@/components/pager';
import { TAB_LINK, TabsNav } from '@/components/tabs-nav';
import { Badge } from '@/components/ui/badge';
import {
  Breadcrumb,
  BreadcrumbItem,
  BreadcrumbLink,
  BreadcrumbList,
  BreadcrumbPage,
  BreadcrumbSeparator,
} from '@/components/ui/breadcrumb';
import {
  Pagination,
  PaginationContent,
  PaginationEllipsis,
  PaginationItem,
  PaginationLink,
  PaginationNext,
  PaginationPrevious,
} from '@/components/ui/pagination';
import { cn } from '@/lib/cn';
import { ApiError } from '@/lib/errors';
import { count } from '@/lib/money';
import { type Group, Sample, Samples, useSay } from '../kit';

function Breadcrumbs() {
  const say = useSay();
  return (
    <Sample of="link, separator, page">
      <Breadcrumb aria-label={say('Where you are', 'আপনি যেখানে আছেন')}>
        <BreadcrumbList>
          <BreadcrumbItem>
            <BreadcrumbLink asChild>
              <Link to="/">{say('Marketplace', 'মার্কেটপ্লেস')}</Link>
            </BreadcrumbLink>
          </BreadcrumbItem>
          <BreadcrumbSeparator />
          <BreadcrumbItem>
            <BreadcrumbPage>{say('Cooking channel, 41,200 subscribers', 'রান্নার চ্যানেল, ৪১,২০০ গ্রাহক')}</BreadcrumbPage>
          </BreadcrumbItem>
        </BreadcrumbList>
      </Breadcrumb>
    </Sample>
  );
}

function Paginations() {
  const say = useSay();
  return (
    <Sample of="isActive; ellipsis; variant">
      <Pagination className="flex-wrap" aria-label={say('Pages', 'পৃষ্ঠা')}>
        <PaginationPrevious href="#pagination">{say('Previous', 'আগের')}</PaginationPrevious>
        <PaginationContent>
          {[1, 2, 3].map((page) => (
            <PaginationItem key={page}>
              <PaginationLink href="#pagination" isActive={page === 2}>
                {count(page)}
              </PaginationLink>
            </PaginationItem>
          ))}
          <PaginationItem>
            <PaginationEllipsis />
          </PaginationItem>
          <PaginationItem>
            <PaginationLink href="#pagination">{count(35)}</PaginationLink>
          </PaginationItem>
        </PaginationContent>
        <PaginationNext href="#pagination" variant="outline">
          {say('Next', 'পরের')}
        </PaginationNext>
      </Pagination>
    </Sample>
  );
}

function Pagers() {
  const say = useSay();
  const [page, setPage] = useState(1);
  return (
    <Samples>
      <Sample of="three pages">
        <Pager page={page} pages={3} onPage={setPage} label={say('Pages of the list', 'তালিকার পৃষ্ঠা')} />
      </Sample>
      <Sample of="one page: nothing">
        <Pager page={1} pages={1} onPage={setPage} label={say('Pages', 'পৃষ্ঠা')} />
      </Sample>
    </Samples>
  );
}

function Tabs() {
  const say = useSay();
  const names = [
    say('Pending', 'অপেক্ষমাণ'),
    say('Active', 'চলমান'),
    say('Delivered', 'সরবরাহকৃত'),
    say('Completed', 'সম্পন্ন'),
    say('Cancelled', 'বাতিল'),
  ];
  return (
    <Sample of="links; the second is current">
      <TabsNav aria-label={say('Status', 'অবস্থা')}>
        {names.map((name, index) => (
          <a key={name} href="#tabs-nav" className={TAB_LINK} aria-current={index === 1 ? 'page' : undefined}>
            {name}
            <Badge variant="count">{count(index * 4)}</Badge>
          </a>
        ))}
      </TabsNav>
    </Sample>
  );
}

function MoreButtons() {
  const [rest, setRest] = useState(45);
  const more = () => setRest(Math.max(0, rest - 20));
  return (
    <Samples>
      <Sample of="rest, step">
        <div>
          <ShowMore rest={rest} step={20} busy={false} error={null} more={more} />
        </div>
      </Sample>
      <Sample of="busy">
        <div>
          <ShowMore rest={45} step={20} busy error={null} more={more} />
        </div>
      </Sample>
      <Sample of="error" wide>
        <div>
          <ShowMore rest={45} step={20} busy={false} error={ApiError.network(new Error('offline'))} more={more} />
        </div>
      </Sample>
    </Samples>
  );
}

const Logos = () => (
  <Samples>
    <Sample of="on paper">
      <Logo to="/" />
    </Sample>
    <Sample of="cloth" className={cn(CLOTH, 'p-4 [&>figcaption]:text-seal-foreground')}>
      <Logo to="/" cloth />
    </Sample>
  </Samples>
);

export const navigation: Group = {
  title: 'Navigation',
  parts: {
    breadcrumb: Breadcrumbs,
    pagination: Paginations,
    pager: Pagers,
    'tabs-nav': Tabs,
    'show-more': MoreButtons,
    logo: Logos,
  },
};
