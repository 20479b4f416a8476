import { pageDocument } from '../../../page/document.js';

export default defineEventHandler((event) => {
  event.context.document = pageDocument();
});
