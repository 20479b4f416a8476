import { pageDocument } from '../../../page/document';
import { NewsPage } from '../../components/NewsPage';

/** Rendered for every request by Next's older router, which has no server components. */
export default function Page({ document }) {
  return <NewsPage document={document} />;
}

export async function getServerSideProps() {
  return { props: { document: pageDocument() } };
}
