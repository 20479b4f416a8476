import { parseDocument } from 'htmlparser2';
import { sitePage } from '../../../page/page.js';

export default defineEventHandler((event) => {
  event.context.page = sitePage(parseDocument);
});
