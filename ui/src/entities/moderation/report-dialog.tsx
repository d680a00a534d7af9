import { type RefObject, useState } from 'react';
import { DialogPanel } from '@/components/dialog-panel';
import { Dialog } from '@/components/ui/dialog';
import { useReturnFocus } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { report } from '@/i18n/en/report';
import { ReportForm } from './report-form';
import { ReportSent } from './report-sent';
import type { Subject } from './subject';
import { useReport } from './use-report';

type Props = {
  about: Subject;
  open: boolean;
  onClose: () => void;
  /** Gets the focus back afterwards. */
  opener?: RefObject<HTMLElement | null>;
};

function Content({ about, opener, onClose }: Omit<Props, 'open'>) {
  const t = useTexts(report);
  const focus = useReturnFocus(opener);
  const form = useReport(about);
  const { subject, person, title = '' } = about;
  const name = person.username;
  const sent = form.mutation.isSuccess;
  return (
    <DialogPanel
      title={t(`title.${subject}`, { name })}
      description={sent ? undefined : t(`about.${subject}`, { name, title })}
      className="wrap-anywhere"
      onOpenAutoFocus={focus.remember}
      onCloseAutoFocus={focus.giveBack}
    >
      {sent ? <ReportSent person={person} onDone={onClose} /> : <ReportForm subject={subject} {...form} />}
    </DialogPanel>
  );
}

export default function ReportDialog({ about, open, opener, onClose }: Props) {
  // Each opening is a new report, so the previous result is not shown.
  const [opening, setOpening] = useState({ open, count: 0 });
  if (opening.open !== open) setOpening({ open, count: opening.count + (open ? 1 : 0) });
  return (
    <Dialog open={open} onOpenChange={(wanted) => (wanted ? null : onClose())}>
      <Content key={opening.count} about={about} opener={opener} onClose={onClose} />
    </Dialog>
  );
}
