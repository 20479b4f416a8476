import { SitePage } from '../../components/SitePage';
import { pageDocument } from '../../page';

/** Rendered for every request by Next's older router, which has no server components. */
export default function Page({ document }) {
  return <SitePage document={document} />;
}

export async function getServerSideProps() {
  return { props: { document: pageDocument() } };
}
