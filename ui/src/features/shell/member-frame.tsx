import { CONTAINER, NAV_LINE } from '@/components/classes';

/**
 * Header, skeleton and bottom bar in the document of a member's page, shown from the first paint
 * until React shows the page (base.css).
 */
export function MemberFrame() {
  return (
    <div id="frame" className="absolute inset-0 pl-spine" aria-hidden="true">
      <div className="border-b max-md:pt-2">
        <div className={`${CONTAINER} ${NAV_LINE} gap-2.5`}>
          <svg className="size-8 flex-none">
            <use href="#mark" />
          </svg>
          <svg className="mt-0.5 aspect-[4.533] h-5.5 w-auto [:lang(bn)_&]:hidden">
            <use href="#word" />
          </svg>
          <svg className="mt-0.5 hidden aspect-[3.6] h-5.5 w-auto [:lang(bn)_&]:block">
            <use href="#word-bn" />
          </svg>
        </div>
      </div>
      <div className={`${CONTAINER} grid gap-4 pt-6 md:pt-8`}>
        <div className="mb-4 h-9 w-45 animate-pulse rounded-xs bg-secondary" />
        <div className="h-14 animate-pulse rounded-xs bg-secondary" />
        <div className="h-14 animate-pulse rounded-xs bg-secondary" />
        <div className="h-14 animate-pulse rounded-xs bg-secondary" />
      </div>
      <div className="fixed inset-x-0 bottom-0 h-14.25 border-t border-border-strong bg-background md:hidden" />
    </div>
  );
}
