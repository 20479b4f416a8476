import { SitePage } from '../../../components/SitePage';
import { pageDocument } from '../../../page';

// Made at the first request, then served from Next's own cache.
export const revalidate = 3600;
export const generateStaticParams = () => [];

export default async function Page({ params }) {
  await params;
  return <SitePage document={pageDocument()} />;
}
