import { LogOut, Settings } from 'lucide-react';
import { useState } from 'react';
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
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuGroup,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu';
import { Sheet, SheetContent, SheetDescription, SheetHeader, SheetTitle } from '@/components/ui/sheet';
import { type Group, Sample, useSay } from '../kit';

function Sheets() {
  const say = useSay();
  const [side, setSide] = useState<'left' | 'right'>();
  // Keeps its side while it closes.
  const [last, setLast] = useState(side);
  const open = (next: 'left' | 'right') => () => {
    setSide(next);
    setLast(next);
  };
  return (
    <Sample of='side="left", side="right"' row>
      <Button data-slot="sheet-left" variant="outline" onClick={open('left')}>
        left
      </Button>
      <Button data-slot="sheet-right" variant="outline" onClick={open('right')}>
        right
      </Button>
      <Sheet open={side !== undefined} onOpenChange={() => setSide(undefined)}>
        <SheetContent side={last}>
          <SheetHeader>
            <SheetTitle>{say('Notifications', 'নোটিফিকেশন')}</SheetTitle>
            <SheetDescription>{say('The newest first.', 'নতুনগুলো আগে।')}</SheetDescription>
          </SheetHeader>
          {LINES.map((line) => (
            <p key={line} className="border-t px-5 py-3">
              {say('tanvir has delivered', 'tanvir সরবরাহ করেছেন')} {line}
            </p>
          ))}
        </SheetContent>
      </Sheet>
    </Sample>
  );
}

function DropdownMenus() {
  const say = useSay();
  const [mail, setMail] = useState(true);
  return (
    <Sample of="label, items, current, on or off, disabled, separator" row>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="outline">DropdownMenu</Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start">
          <DropdownMenuLabel>nusrat</DropdownMenuLabel>
          <DropdownMenuSeparator />
          <DropdownMenuGroup>
            <DropdownMenuItem aria-current="page">{say('Dashboard', 'ড্যাশবোর্ড')}</DropdownMenuItem>
            <DropdownMenuItem>
              <Settings aria-hidden="true" />
              {say('Settings', 'সেটিংস')}
            </DropdownMenuItem>
            <DropdownMenuCheckboxItem checked={mail} onCheckedChange={setMail}>
              {say('Mail', 'মেইল')}
            </DropdownMenuCheckboxItem>
            <DropdownMenuItem disabled>{say('Not yet', 'এখনও নয়')}</DropdownMenuItem>
          </DropdownMenuGroup>
          <DropdownMenuSeparator />
          <DropdownMenuItem>
            <LogOut aria-hidden="true" />
            {say('Log out', 'লগ আউট')}
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
    </Sample>
  );
}

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

export const overlays: Group = {
  title: 'Dialogs and menus',
  parts: {
    dialog: Dialogs,
    'alert-dialog': AlertDialogs,
    sheet: Sheets,
    'dropdown-menu': DropdownMenus,
  },
};
