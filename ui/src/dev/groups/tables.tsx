import { Link } from '@tanstack/react-router';
import { Avatar, AvatarFallback, AvatarImage } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import {
  Breadcrumb,
  BreadcrumbItem,
  BreadcrumbLink,
  BreadcrumbList,
  BreadcrumbPage,
  BreadcrumbSeparator,
} from '@/components/ui/breadcrumb';
import { Kbd } from '@/components/ui/kbd';
import {
  Pagination,
  PaginationContent,
  PaginationEllipsis,
  PaginationItem,
  PaginationLink,
  PaginationNext,
  PaginationPrevious,
} from '@/components/ui/pagination';
import { Table, TableBody, TableCaption, TableCell, TableFooter, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { count } from '@/lib/money';
import { type Group, LONG, Sample, Samples, useSay } from '../kit';

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

const SIZES = ['sm', 'default', 'lg', 'xl'] as const;

const Avatars = () => (
  <Samples>
    <Sample of={`size="${SIZES.join(', ')}"`} row>
      {SIZES.map((size) => (
        <Avatar key={size} size={size}>
          <AvatarFallback>N</AvatarFallback>
        </Avatar>
      ))}
    </Sample>
    <Sample of="AvatarImage" row>
      <Avatar>
        <AvatarImage src="/mark.svg" />
      </Avatar>
    </Sample>
  </Samples>
);

const BADGES = [
  ['default', 'secondary', 'destructive', 'outline', 'count'],
  ['pending', 'active', 'late', 'delivered', 'completed', 'cancelled', 'failed'],
] as const;

function Tables() {
  const say = useSay();
  const rows = [
    ['1', say('Deposit, bKash', 'টাকা যোগ, বিকাশ'), '+ 186.00'],
    ['2', say('Withdrawal, Nagad', 'উত্তোলন, নগদ'), '− 60.00'],
    ['3', LONG, '− 480.00'],
  ];
  return (
    <Sample of="head, cells, long text, figures at the end, footer, caption">
      <Table>
        <TableCaption className="caption-bottom pt-2 text-start">{say('November', 'নভেম্বর')}</TableCaption>
        <TableHeader>
          <TableRow>
            <TableHead scope="col">{say('No.', 'নং')}</TableHead>
            <TableHead scope="col">{say('What', 'কী')}</TableHead>
            <TableHead scope="col" end>
              USD
            </TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          {rows.map(([no, what, sum]) => (
            <TableRow key={no}>
              <TableCell>{no}</TableCell>
              <TableCell>{what}</TableCell>
              <TableCell end className="whitespace-nowrap tabular-nums">
                {sum}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
        <TableFooter>
          <TableRow>
            <TableHead scope="row" colSpan={2}>
              {say('Sum', 'মোট')}
            </TableHead>
            <TableCell end className="whitespace-nowrap tabular-nums">
              − 354.00
            </TableCell>
          </TableRow>
        </TableFooter>
      </Table>
    </Sample>
  );
}

const Badges = () =>
  BADGES.map((variants) => (
    <Sample key={variants[0]} of={`variant="${variants.join(', ')}"`} row className="not-first:mt-6">
      {variants.map((variant) => (
        <Badge key={variant} variant={variant}>
          {variant === 'count' ? 12 : variant}
        </Badge>
      ))}
    </Sample>
  ));

const Keys = () => (
  <Sample of="one, two" row>
    <span>
      <Kbd>Esc</Kbd>
    </span>
    <span>
      <Kbd>Ctrl</Kbd>
      <Kbd>Enter</Kbd>
    </span>
  </Sample>
);

export const tables: Group = {
  title: 'Tables and navigation',
  parts: { table: Tables, badge: Badges, kbd: Keys, avatar: Avatars, breadcrumb: Breadcrumbs, pagination: Paginations },
};
