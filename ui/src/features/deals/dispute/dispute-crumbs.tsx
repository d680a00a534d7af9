import { Link } from '@tanstack/react-router';
import {
  Breadcrumb,
  BreadcrumbItem,
  BreadcrumbLink,
  BreadcrumbList,
  BreadcrumbPage,
  BreadcrumbSeparator,
} from '@/components/ui/breadcrumb';
import { useTexts } from '@/i18n';
import { dispute } from '@/i18n/en/dispute';

export function DisputeCrumbs({ dealId, title }: { dealId: string; title: string }) {
  const t = useTexts(dispute);
  return (
    <Breadcrumb aria-label={t('toDeal')}>
      <BreadcrumbList className="wrap-anywhere">
        <BreadcrumbItem>
          <BreadcrumbLink asChild>
            <Link to="/deal/$dealId" params={{ dealId }}>
              {title}
            </Link>
          </BreadcrumbLink>
        </BreadcrumbItem>
        <BreadcrumbSeparator />
        <BreadcrumbItem>
          <BreadcrumbPage>{t('title')}</BreadcrumbPage>
        </BreadcrumbItem>
      </BreadcrumbList>
    </Breadcrumb>
  );
}
