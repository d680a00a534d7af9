import { LogOut, Settings } from 'lucide-react';
import { useState } from 'react';
import { PictureDialog } from '@/components/picture-dialog';
import { Button } from '@/components/ui/button';
import { Dialog, DialogTrigger } from '@/components/ui/dialog';
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

const LINES = Array.from({ length: 30 }, (_, index) => index + 1);

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

function PictureDialogs() {
  const say = useSay();
  return (
    <Sample of="alone on black on a phone" row>
      <Dialog>
        <DialogTrigger asChild>
          <Button variant="outline">PictureDialog</Button>
        </DialogTrigger>
        <PictureDialog title={say('The mark', 'চিহ্ন')} src="/mark.svg" alt={say('Three columns', 'তিনটি কলাম')} />
      </Dialog>
    </Sample>
  );
}

export const menus: Group = {
  title: 'Sheets and menus',
  parts: {
    sheet: Sheets,
    'dropdown-menu': DropdownMenus,
    'picture-dialog': PictureDialogs,
  },
};
