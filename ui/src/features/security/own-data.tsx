import { CloseAccount } from './close-account';
import { DataExport } from './data-export';

export default function OwnData() {
  return (
    <div className="mt-12 grid gap-12 lg:grid-cols-2 lg:items-start">
      <DataExport />
      <CloseAccount />
    </div>
  );
}
