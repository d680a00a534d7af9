import { DialogPanel } from '@/components/dialog-panel';
import { PendingButton } from '@/components/pending-button';
import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
  AlertDialogTrigger,
} from '@/components/ui/alert-dialog';
import { Button } from '@/components/ui/button';
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from '@/components/ui/dialog';
import { Strip } from '@/entities/deal/khata/strip';
import { type Group, Sample, useSay } from '../kit';

const LINES = Array.from({ length: 30 }, (_, index) => index + 1);

function Dialogs() {
  const say = useSay();
  const body = (
    <DialogHeader>
      <DialogTitle>{say('Delete the post?', 'পোস্টটি মুছবেন?')}</DialogTitle>
      <DialogDescription>{say('It cannot be brought back.', 'এটি ফেরানো যাবে না।')}</DialogDescription>
    </DialogHeader>
  );
  const footer = (
    <DialogFooter>
      <DialogClose asChild>
        <Button variant="outline">{say('Keep it', 'রেখে দিন')}</Button>
      </DialogClose>
    </DialogFooter>
  );
  return (
    <Sample of="with a cross; showCloseButton={false}; longer than the screen" row>
      <Dialog>
        <DialogTrigger asChild>
          <Button variant="outline">Dialog</Button>
        </DialogTrigger>
        <DialogContent>
          {body}
          {footer}
        </DialogContent>
      </Dialog>
      <Dialog>
        <DialogTrigger asChild>
          <Button variant="outline">showCloseButton=false</Button>
        </DialogTrigger>
        <DialogContent showCloseButton={false}>
          {body}
          {footer}
        </DialogContent>
      </Dialog>
      <Dialog>
        <DialogTrigger asChild>
          <Button variant="outline">long</Button>
        </DialogTrigger>
        <DialogContent>
          {body}
          {LINES.map((line) => (
            <p key={line}>{line}</p>
          ))}
          {footer}
        </DialogContent>
      </Dialog>
    </Sample>
  );
}

function DialogPanels() {
  const say = useSay();
  return (
    <Sample of="title, description, content" row>
      <Dialog>
        <DialogTrigger asChild>
          <Button variant="outline">DialogPanel</Button>
        </DialogTrigger>
        <DialogPanel
          title={say('Release $480.00 to tanvir?', 'tanvir-কে $480.00 ছাড়বেন?')}
          description={say('He gets $470.40. This cannot be undone.', 'তিনি পাবেন $470.40। এটি ফেরানো যাবে না।')}
        >
          <Strip holder="seller">$470.40</Strip>
          <DialogFooter>
            <PendingButton variant="seal" size="sm">
              {say('Release $480.00', '$480.00 ছাড়ুন')}
            </PendingButton>
          </DialogFooter>
        </DialogPanel>
      </Dialog>
    </Sample>
  );
}

function AlertDialogs() {
  const say = useSay();
  return (
    <Sample of="is not closed by a click beside it" row>
      <AlertDialog>
        <AlertDialogTrigger asChild>
          <Button variant="outline">AlertDialog</Button>
        </AlertDialogTrigger>
        <AlertDialogContent>
          <AlertDialogHeader>
            <AlertDialogTitle>{say('Delete the account?', 'অ্যাকাউন্ট মুছবেন?')}</AlertDialogTitle>
            <AlertDialogDescription>{say('All deals must be closed first.', 'আগে সব ডিল শেষ হতে হবে।')}</AlertDialogDescription>
          </AlertDialogHeader>
          <AlertDialogFooter>
            <AlertDialogAction variant="destructive">{say('Delete', 'মুছুন')}</AlertDialogAction>
            <AlertDialogCancel>{say('Cancel', 'বাতিল')}</AlertDialogCancel>
          </AlertDialogFooter>
        </AlertDialogContent>
      </AlertDialog>
    </Sample>
  );
}

export const dialogs: Group = {
  title: 'Dialogs',
  parts: {
    dialog: Dialogs,
    'dialog-panel': DialogPanels,
    'alert-dialog': AlertDialogs,
  },
};
