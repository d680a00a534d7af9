import { CloseAccount } from './close-account';
import { DataExport } from './data-export';

/** What is stored about the user, and how to end it. A lazy chunk. */
export default function OwnData() {
  return (
    <div className="mt-12 grid gap-12 lg:grid-cols-2 lg:items-start">
      <DataExport />
      <CloseAccount />
    </div>
  );
}
