import { SitePage } from '../../../components/SitePage';
import { pageDocument } from '../../../page';

// Rendered for every request.
export const dynamic = 'force-dynamic';

export default async function Page({ params }) {
  await params;
  return <SitePage document={pageDocument()} />;
}
