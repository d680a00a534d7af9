import { Fragment, type ReactElement, type ReactNode } from 'react';
import {
  Breadcrumb,
  BreadcrumbItem,
  BreadcrumbLink,
  BreadcrumbList,
  BreadcrumbPage,
  BreadcrumbSeparator,
} from '@/components/ui/breadcrumb';

type Props = {
  label: string;
  /** `<Link>` elements to the pages above, the outermost first. */
  links: readonly ReactElement[];
  /** The page itself; a list of categories has none. */
  page?: ReactNode;
};

export function Crumbs({ label, links, page }: Props) {
  return (
    <Breadcrumb aria-label={label}>
      <BreadcrumbList className="wrap-anywhere">
        {links.map((link, index) => (
          <Fragment key={index}>
            {index === 0 ? null : <BreadcrumbSeparator />}
            <BreadcrumbItem>
              <BreadcrumbLink asChild>{link}</BreadcrumbLink>
            </BreadcrumbItem>
          </Fragment>
        ))}
        {page === undefined ? null : (
          <>
            <BreadcrumbSeparator />
            <BreadcrumbItem>
              <BreadcrumbPage>{page}</BreadcrumbPage>
            </BreadcrumbItem>
          </>
        )}
      </BreadcrumbList>
    </Breadcrumb>
  );
}
