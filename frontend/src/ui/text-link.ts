import styles from './TextLink.module.css';

/** The class of a link with an arrow. */
export const textLinkClass: string = styles.link ?? '';
