import { pageDocument } from '../../../../page/document';
import { NewsPage } from '../../../components/NewsPage';

// Made at the first request, then served from Next's own cache.
export const revalidate = 3600;
export const generateStaticParams = () => [];

export default async function Page({ params }) {
  await params;
  return <NewsPage document={pageDocument()} />;
}
