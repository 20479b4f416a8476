import { pageDocument } from '../../../../page/document';
import { NewsPage } from '../../../components/NewsPage';

// Rendered for every request.
export const dynamic = 'force-dynamic';

export default async function Page({ params }) {
  await params;
  return <NewsPage document={pageDocument()} />;
}
